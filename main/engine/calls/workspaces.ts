import { DeskError } from '#shared/desk/contract/errors.ts';
import type { PracticeInsurer, PracticeState } from '#shared/desk/setup/practice.ts';
import type { Handlers } from '../engine.ts';
import { useWorkspace } from '../workspace/choose-workspace.ts';
import { changeEntered, connect, enrolHere, setUp, testConnection } from '../workspace/connect.ts';
import { findConnection, pendingWork, removeConnection } from '../workspace/connections.ts';
import type { CurrentWorkspace, DeskParts } from '../workspace/current-workspace.ts';
import { forgetFailed } from '../workspace/failed-connection.ts';
import { lostKey, recoverKey } from '../workspace/lost-key.ts';
import { workspaceView } from '../workspace/workspace-view.ts';
import { wholeList } from '#shared/lib/whole-list.ts';
import { deskInfo } from './desk.ts';

/** @param onRemoved removes the files of the connection that other programs were given */
export function workspaceCalls(
  parts: DeskParts,
  onRemoved: (id: string) => void,
): Handlers['workspaces'] {
  const { current } = parts;
  return {
    connect: (input) => current.inTurn(() => connect(parts, input)),
    enrol: (input) => current.inTurn(() => enrolHere(parts, input)),
    test: (input) => current.inTurn(() => testConnection(parts, input)),
    setUp: (input) => current.inTurn(() => setUp(parts, input)),
    failed() {
      const found = parts.settings.stored.failedConnection;
      if (!found) return null;
      const { record, ...failure } = found;
      return { name: record.name, baseUrl: record.baseUrl, clientId: record.clientId, ...failure };
    },
    forgetFailed: () =>
      current.inTurn(async () => {
        await forgetFailed(parts);
        return {};
      }),
    use: ({ id }) =>
      current.inTurn(async () => {
        await useWorkspace(parts, id);
        return deskInfo(parts);
      }),
    get: ({ id }) =>
      current.inTurn(async () => {
        const record = findConnection(parts, id);
        const { audience, scope, htuWithoutQuery, changedSinceParameter } = record;
        const held = await pendingWork(parts, id);
        const asked = { audience, scope, htuWithoutQuery, changedSinceParameter };
        return { ...workspaceView(record), ...asked, held };
      }),
    change: (input) => current.inTurn(() => changeEntered(parts, input)),
    remove: ({ id, held }) =>
      current.inTurn(async () => {
        await removeConnection(parts, id, held);
        onRemoved(id);
        return {};
      }),
    orphans: () => wholeList([...parts.home.orphans]),
    lostKey: () => lostKey(parts),
    recoverKey: (input) =>
      current.inTurn(async () => {
        await recoverKey(parts, input);
        return deskInfo(parts);
      }),
  };
}

/** The insurer's part in the practice workspace. Each call returns the new state. */
export function practiceCalls(current: CurrentWorkspace): Handlers['practice'] {
  const play = async (
    act: (insurer: PracticeInsurer) => Promise<unknown>,
  ): Promise<PracticeState> => {
    const insurer = current.open?.practice?.partner;
    if (!insurer) throw new DeskError('practice_only');
    await act(insurer);
    return await insurer.state();
  };
  return {
    state: () => play(() => Promise.resolve()),
    setNetwork: ({ network }) => play((insurer) => insurer.setNetwork(network)),
    newClaim: ({ category }) => play((insurer) => insurer.newClaim(category)),
    act: (input) => play((insurer) => insurer.act(input)),
    addDocument: ({ id }) => play((insurer) => insurer.addDocument(id)),
  };
}
