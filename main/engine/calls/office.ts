import { gatewayClientPrefix, handOverMax } from '#shared/api/assignment.ts';
import { handlerMaxLength } from '#shared/desk/case-choices.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { HandOverResult, Office } from '#shared/desk/own-cases.ts';
import type { Handlers } from '../engine.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';

type HandOverInput = Parameters<Handlers['own']['handOver']>[0];

/** What the user may do in the office's gateway. An insurer is not asked. */
export async function officeOf({ record, client }: OpenWorkspace): Promise<Office> {
  if (!record.clientId.startsWith(gatewayClientPrefix)) return { state: 'none' };
  try {
    const { value } = await client.listPeople();
    if (!value.MayAssign) return { state: 'mayNot' };
    const people = value.Items.map(({ ClientId: id, Name: name }) => ({ id, name }));
    return { state: 'may', isHidden: value.Visibility === 'assigned', people };
  } catch (error) {
    if (!(error instanceof DeskError) || error.code === 'internal') throw error;
    // An older gateway has no such operation.
    return { state: isMissing(error) ? 'none' : 'unknown' };
  }
}

const isMissing = ({ code, params }: DeskError) =>
  code === 'server_refused' && 'status' in params && params.status === 404;

/**
 * Assigns cases in the office's gateway, as many at a time as it takes, and notes on this device who
 * has them. What it has confirmed stays if a later part fails.
 * @throws {DeskError} hand_over_refused, hand_over_unsure
 */
export async function handOver(
  workspace: OpenWorkspace,
  { ids, person }: HandOverInput,
): Promise<HandOverResult> {
  const { client, cache } = workspace;
  const unknown: string[] = [];
  let count = 0;
  let done = 0;
  for (; done < ids.length; done += handOverMax) {
    const part = ids.slice(done, done + handOverMax);
    const { value } = await client
      .handOver(person.id, part)
      .catch((error: unknown) => fail(error, { done, total: ids.length }));
    const assigned = value.Items.filter(({ IsAssigned }) => IsAssigned).map(({ CaseId }) => CaseId);
    count += assigned.length;
    noteHandler(workspace, assigned, person.name.trim().slice(0, handlerMaxLength));
    const known = new Set(assigned);
    const left = cache.cases.byIds(part.filter((id) => !known.has(id)));
    unknown.push(...left.map(({ externalKey }) => externalKey));
  }
  return { assigned: count, unknown };
}

function fail(error: unknown, params: { done: number; total: number }): never {
  if (!(error instanceof DeskError) || error.code === 'internal') throw error;
  const code = error.code === 'server_refused' ? 'hand_over_refused' : 'hand_over_unsure';
  throw new DeskError(code, params, { cause: error });
}

/** Notes on this device who has cases in hand. @param name empty: nobody */
export function noteHandler(workspace: OpenWorkspace, ids: readonly string[], name: string): void {
  const { work, cache } = workspace;
  if (ids.length === 0) return;
  work.local.setHandler(ids, name);
  cache.own.handledBy(work.local.handlers());
  workspace.backUpSoon();
  workspace.emit({ type: 'cases.changed', caseIds: null });
}
