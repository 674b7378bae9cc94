import { gatewayClientPrefix, handOverMax } from '#shared/api/assignment.ts';
import { handlerMaxLength } from '#shared/desk/case-choices.ts';
import { DeskError, type DeskErrorCode, paramOf } from '#shared/desk/errors.ts';
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

/** What `noteHandler` needs of a workspace. */
type Noting = Pick<OpenWorkspace, 'work' | 'cache' | 'backUpSoon' | 'emit'>;
type Assigning = Noting & { readonly client: Pick<OpenWorkspace['client'], 'handOver'> };

/**
 * Assigns cases in the office's gateway, as many at a time as it takes, and notes on this device who
 * has them. What it has confirmed stays if a later part fails.
 * @throws {DeskError} hand_over_refused, hand_over_unsure, hand_over_stopped, or why this desk could
 * not ask
 */
export async function handOver(
  workspace: Assigning,
  { ids, person }: HandOverInput,
): Promise<HandOverResult> {
  const { client, cache } = workspace;
  const unknown: string[] = [];
  let assigned = 0;
  for (let answered = 0; answered < ids.length; answered += handOverMax) {
    const part = ids.slice(answered, answered + handOverMax);
    const { value } = await client.handOver(person.id, part).catch((error: unknown) => {
      throw handOverError(error, { answered, assigned, total: ids.length });
    });
    const taken = value.Items.filter(({ IsAssigned }) => IsAssigned).map(({ CaseId }) => CaseId);
    assigned += taken.length;
    noteHandler(workspace, taken, person.name.trim().slice(0, handlerMaxLength));
    const known = new Set(taken);
    const left = cache.cases.byIds(part.filter((id) => !known.has(id)));
    unknown.push(...left.map(({ externalKey }) => externalKey));
  }
  return { assigned, unknown };
}

/** Their own sentences promise another try, or name an entry; no assignment is in the outbox. */
const ofDeliveries = new Set<DeskErrorCode>([
  ...(['offline', 'connection_refused', 'connection_lost', 'timeout'] as const),
  ...(['server_failed', 'server_refused', 'rate_limited'] as const),
]);

/** Cases of the parts that the gateway answered, those of them that it assigned, and all. */
interface HandedOver {
  readonly answered: number;
  readonly assigned: number;
  readonly total: number;
}

/** Why an assignment ended early; `error` itself if nothing was asked before and it says enough. */
function handOverError(error: unknown, { answered, assigned, total }: HandedOver): unknown {
  if (!(error instanceof DeskError) || error.code === 'internal') return error;
  const options = { cause: error };
  if (error.code === 'outcome_unknown')
    return new DeskError('hand_over_unsure', { done: answered, total }, options);
  const params = { done: assigned, total };
  if (isRefusal(error)) return new DeskError('hand_over_refused', params, options);
  if (answered === 0 && !ofDeliveries.has(error.code)) return error;
  return new DeskError('hand_over_stopped', params, options);
}

/** The gateway has no such colleague, or gives this desk no right to assign. */
const isRefusal = (error: DeskError) =>
  error.code === 'server_refused' && [403, 404].includes(Number(paramOf(error, 'status')));

/** Notes on this device who has cases in hand. @param name empty: nobody */
export function noteHandler(workspace: Noting, ids: readonly string[], name: string): void {
  const { work, cache } = workspace;
  if (ids.length === 0) return;
  work.local.setHandler(ids, name);
  cache.own.handledBy(work.local.handlers());
  workspace.backUpSoon();
  workspace.emit({ type: 'cases.changed', caseIds: null });
}
