import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { DeskError } from '#shared/desk/errors.ts';
import { toDeskError } from '#main/log/faults.ts';
import type { PracticeInsurer, PracticeState } from '#shared/desk/practice.ts';
import type { Handlers } from '../engine.ts';
import type { WorkspaceRecord } from '../home/settings.ts';
import { parseBaseUrl } from '../../partner/connection.ts';
import { parsePrivateKey } from '../keys/private-key.ts';
import { failureKind, type FailureKind } from '../sync/failures.ts';
import { createProbe, enteredPolicy } from '../workspace/connection-policy.ts';
import { pendingWorkError } from '../workspace/connection-removal.ts';
import {
  forgetFailed,
  isUnreached,
  type FailedConnection,
  storeFailed,
} from '../workspace/failed-connection.ts';
import { enrol } from '../workspace/enrolment.ts';
import { takeProvisioning } from '../workspace/provisioning.ts';
import { useWorkspace } from '../workspace/choose-workspace.ts';
import {
  changeConnection,
  connectWithKey,
  findConnection,
  pendingWork,
  removeConnection,
  renameConnection,
  replaceConnection,
} from '../workspace/connections.ts';
import type { CurrentWorkspace, DeskParts } from '../workspace/current-workspace.ts';
import { lostKey, recoverKey } from '../workspace/lost-key.ts';
import { workspaceView } from '../workspace/workspace-view.ts';
import { deskInfo } from './desk.ts';

type Connect = Handlers['workspaces']['connect'];
type ConnectInput = Parameters<Connect>[0];
type EnrolInput = Parameters<Handlers['workspaces']['enrol']>[0];

type ChangeInput = Parameters<Handlers['workspaces']['change']>[0];

/** @param onRemoved removes what other programs were given of it */
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
    async forgetFailed() {
      await forgetFailed(parts);
      return {};
    },
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
    change: (input) => current.inTurn(() => change(parts, input)),
    remove: ({ id, held }) =>
      current.inTurn(async () => {
        await removeConnection(parts, id, held);
        onRemoved(id);
        return {};
      }),
    lostKey: () => lostKey(parts),
    recoverKey: (input) =>
      current.inTurn(async () => {
        await recoverKey(parts, input);
        return deskInfo(parts);
      }),
  };
}

/**
 * Opens a connection, new or known.
 * @throws {DeskError} base_url_invalid, keychain_unavailable, and those of keys and of opening
 */
function connect(parts: DeskParts, entered: ConnectInput) {
  const input = { ...entered, ...enteredPolicy(parts.options.policy?.connection) };
  return store(parts, input, parsePrivateKey(input.privateKey, input.keyPassphrase));
}

/**
 * Tests what was typed and opens it. If the partner cannot be reached, it is opened untested, for
 * when the network is back; if the partner refuses it, it is stored for `doctor`.
 * @throws {DeskError} base_url_invalid, keychain_unavailable, and those of keys and of opening
 */
async function setUp(parts: DeskParts, entered: ConnectInput) {
  const { options } = parts;
  const input = { ...entered, ...enteredPolicy(options.policy?.connection) };
  const key = parsePrivateKey(input.privateKey, input.keyPassphrase);
  if (options.vault.kind === 'session') throw new DeskError('keychain_unavailable');
  const tested = await probe(options, input, key);
  const isRefused = await storeIfRefused(parts, input, key, tested);
  return { workspace: isRefused ? null : await store(parts, input, key), ...tested };
}

/** @returns whether the partner refused it, and it is stored for `doctor` */
async function storeIfRefused(
  parts: DeskParts,
  input: ConnectInput,
  key: KeyObject,
  { problem, asked }: Awaited<ReturnType<typeof probe>>,
): Promise<boolean> {
  if (problem === null || isUnreached(problem)) return false;
  await storeFailed(parts, recordOf(input), key, { problem, asked });
  return true;
}

/** Opens the connection that failed before and works now. @throws {DeskError} as `connect` */
export async function openMended(parts: DeskParts, failed: FailedConnection): Promise<void> {
  const { scope, changedSinceParameter, ...record } = failed.record;
  const input = {
    ...record,
    scope: scope ?? undefined,
    changedSinceParameter: changedSinceParameter ?? undefined,
    setAside: false,
  };
  await parts.current.inTurn(() => store(parts, input, failed.privateKey));
}

async function probe(options: DeskParts['options'], input: ConnectInput, key: KeyObject) {
  const client = createProbe(options, input, key);
  try {
    const { value } = await client.listCases({ page: 1, size: 1 }, { priority: 'person' });
    return { caseCount: value.total, problem: null, asked: client.lastExchange() };
  } catch (error) {
    const { problem } = toDeskError(error, 'connect', options.log);
    return { caseCount: null, problem, asked: client.lastExchange() };
  } finally {
    await client.close();
  }
}

/**
 * Takes the file that the policy names for one use; a relative one lies in the home.
 * @returns whether a connection was opened
 * @throws {DeskError} policy_invalid, and those of `connect` and `enrol`
 */
export async function provision(parts: DeskParts): Promise<boolean> {
  const { policy, home, vault } = parts.options;
  // Without a keychain the file stays for a start that has one.
  if (policy?.provisioningFile === undefined || vault.kind === 'session') return false;
  const file = resolve(home, policy.provisioningFile);
  try {
    return await takeProvisioning(file, enteredPolicy(policy.connection), {
      connect: (input) => connect(parts, input),
      enrol: (input) => enrolHere(parts, input),
    });
  } catch (error) {
    // A gateway that cannot be asked now is asked at the next start; the desk opens without it.
    if (!passing.has(failureKind(error))) throw error;
    return false;
  }
}

const passing = new Set<FailureKind>(['host', 'line', 'busy', 'unknown']);

/**
 * Enrols this laptop at the organization's gateway and opens the connection.
 * @throws {DeskError} as `enrol` and `connect`
 */
async function enrolHere(parts: DeskParts, { gateway, code, name }: EnrolInput) {
  const { vault, policy } = parts.options;
  // The gateway takes a code once: not for a key that ends with the process.
  if (vault.kind === 'session') throw new DeskError('keychain_unavailable');
  const { privateKey, forget, ...enrolled } = await enrol(parts.options, {
    gateway: policy?.connection?.gateway ?? gateway,
    code,
  });
  const input = { ...enrolled, name, htuWithoutQuery: false, setAside: false };
  const workspace = await store(parts, input, privateKey);
  await forget();
  return workspace;
}

function recordOf(input: Omit<ConnectInput, 'privateKey'>, known?: WorkspaceRecord) {
  const baseUrl = input.baseUrl.trim().replace(/\/+$/, '');
  return {
    name: input.name ?? known?.name ?? new URL(baseUrl).host,
    baseUrl,
    audience: input.audience.trim(),
    clientId: input.clientId,
    scope: input.scope ?? null,
    htuWithoutQuery: input.htuWithoutQuery,
    changedSinceParameter: input.changedSinceParameter ?? null,
  };
}

async function store(
  parts: DeskParts,
  input: Omit<ConnectInput, 'privateKey'>,
  privateKey: KeyObject,
) {
  const { options, settings } = parts;
  const baseUrl = input.baseUrl.trim().replace(/\/+$/, '');
  // Refuses an invalid address before anything is stored.
  parseBaseUrl(baseUrl);
  // A key that ends with the process must not encrypt work that is meant to stay.
  if (options.vault.kind === 'session') throw new DeskError('keychain_unavailable');
  const known = settings.stored.workspaces.find(
    (record) =>
      record.kind === 'connection' &&
      record.clientId === input.clientId &&
      record.baseUrl === baseUrl,
  );
  const record: WorkspaceRecord = {
    id: known?.id ?? options.random.uuid(),
    kind: 'connection',
    ...recordOf(input, known),
  };
  await connectWithKey(parts, record, privateKey, input.setAside);
  await forgetFailed(parts);
  return workspaceView(record);
}

/**
 * Changes a connection. The same client id is the same organization, whose data stay; another one
 * takes the place of the connection.
 * @throws {DeskError} base_url_invalid, connection_known, connection_holds_work, and those of keys
 */
async function change(parts: DeskParts, input: ChangeInput) {
  const { options, settings } = parts;
  const before = findConnection(parts, input.id);
  const { id, keyPassphrase, privateKey, removed, name, scope, changedSinceParameter, ...given } =
    input;
  const others = [privateKey, scope, changedSinceParameter, ...Object.values(given)];
  if (others.every((value) => value === undefined)) {
    return workspaceView(renameConnection(parts, id, name ?? before.name));
  }
  const key = privateKey === undefined ? null : parsePrivateKey(privateKey, keyPassphrase);
  // The policy's other values win over stored ones wherever a connection is used.
  const clientId =
    given.clientId && (enteredPolicy(options.policy?.connection).clientId ?? given.clientId);
  const record: WorkspaceRecord = {
    ...before,
    name: name ?? before.name,
    baseUrl: (given.baseUrl ?? before.baseUrl).trim().replace(/\/+$/, ''),
    audience: (given.audience ?? before.audience).trim(),
    clientId: (clientId ?? before.clientId).trim(),
    scope: scope === '' ? null : (scope ?? before.scope),
    htuWithoutQuery: given.htuWithoutQuery ?? before.htuWithoutQuery,
    changedSinceParameter:
      changedSinceParameter === '' ? null : (changedSinceParameter ?? before.changedSinceParameter),
  };
  parseBaseUrl(record.baseUrl);
  const twin = settings.stored.workspaces.find(
    (one) => one.id !== id && one.clientId === record.clientId && one.baseUrl === record.baseUrl,
  );
  if (twin) throw new DeskError('connection_known', { name: twin.name });
  if (record.clientId === before.clientId) {
    await changeConnection(parts, record, key);
    return workspaceView(record);
  }
  if (removed === undefined) {
    throw pendingWorkError(await pendingWork(parts, id));
  }
  const other = { ...record, id: options.random.uuid() };
  await replaceConnection(parts, before, other, key, removed);
  return workspaceView(other);
}

/**
 * Asks for one case with what was entered, and opens nothing. What the partner refuses is stored for
 * `doctor`, unless there is no keychain for its key.
 * @throws {DeskError} base_url_invalid, and those of keys
 */
async function testConnection(parts: DeskParts, entered: ConnectInput) {
  const { options } = parts;
  const input = { ...entered, ...enteredPolicy(options.policy?.connection) };
  const key = parsePrivateKey(input.privateKey, input.keyPassphrase);
  const tested = await probe(options, input, key);
  const hasVault = options.vault.kind !== 'session';
  return { ...tested, isStored: hasVault && (await storeIfRefused(parts, input, key, tested)) };
}

/** Plays the insurer of the practice workspace; each call returns the new state. */
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
