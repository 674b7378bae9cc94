import { gatewayClientPrefix, handOverMax } from '#shared/api/assignment.ts';
import { handlerMaxLength } from '#shared/desk/cases/case-choices.ts';
import { DeskError, type DeskErrorCode, paramOf } from '#shared/desk/contract/errors.ts';
import type { HandOverResult, Office } from '#shared/desk/cases/own-cases.ts';
import type { Handlers } from '../engine.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';

type HandOverInput = Parameters<Handlers['own']['handOver']>[0];

/**
 * What the user may do in the office's gateway. If the partner is an insurer, no request is made.
 */
export async function officeOf({ record, client }: OpenWorkspace): Promise<Office> {
  if (!record.clientId.startsWith(gatewayClientPrefix)) return { state: 'none' };
  try {
    const { value } = await client.listPeople();
    if (!value.MayAssign) return { state: 'mayNot' };
    const people = value.Items.map(({ ClientId: id, Name: name }) => ({ id, name }));
    return { state: 'may', isHidden: value.Visibility === 'assigned', people };
  } catch (error) {
    if (!(error instanceof DeskError) || error.code === 'internal') throw error;
    // An older gateway does not have this operation.
    return { state: isMissing(error) ? 'none' : 'unknown' };
  }
}

const isMissing = ({ code, params }: DeskError) =>
  code === 'server_refused' && 'status' in params && params.status === 404;

/** The parts of a workspace that `noteHandler` needs. */
type Noting = Pick<OpenWorkspace, 'work' | 'cache' | 'backUpSoon' | 'emit'>;
type Assigning = Noting & { readonly client: Pick<OpenWorkspace['client'], 'handOver'> };

/**
 * Assigns cases in the office's gateway, in parts of the permitted size, and notes the persons on
 * this device. If a part fails, the confirmed parts stay.
 * @throws {DeskError} hand_over_refused, hand_over_unsure, hand_over_stopped, or the reason why the
 *   desk could not ask the gateway
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

/**
 * The sentences of these errors promise another attempt or name an entry, but the outbox contains
 * no assignment.
 */
const ofDeliveries = new Set<DeskErrorCode>([
  ...(['offline', 'connection_refused', 'connection_lost', 'timeout'] as const),
  ...(['server_failed', 'server_refused', 'rate_limited'] as const),
]);

/**
 * The number of cases in the parts that the gateway answered, of those that it assigned, and of
 * all.
 */
interface HandedOver {
  readonly answered: number;
  readonly assigned: number;
  readonly total: number;
}

/**
 * The error of an assignment that ended early. If nothing was assigned before and the error
 * explains itself, it is returned unchanged.
 */
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

/** Whether the gateway does not know the colleague, or does not allow this desk to assign. */
const isRefusal = (error: DeskError) =>
  error.code === 'server_refused' && [403, 404].includes(Number(paramOf(error, 'status')));

/** Notes on this device which person handles cases. @param name an empty name means nobody */
export function noteHandler(workspace: Noting, ids: readonly string[], name: string): void {
  const { work, cache } = workspace;
  if (ids.length === 0) return;
  work.local.setHandler(ids, name);
  cache.own.handledBy(work.local.handlers());
  workspace.backUpSoon();
  workspace.emit({ type: 'cases.changed', caseIds: null });
}
