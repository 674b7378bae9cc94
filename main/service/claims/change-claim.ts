import type { Kysely } from 'kysely';
import type { CaseStatus } from '#shared/api/case-words.ts';
import { nextCaseStatus, type CaseTrigger } from '#shared/api/states.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { isoTime } from '#shared/api/conventions.ts';
import { Problem } from '../../front/problem.ts';
import type { ClaimsTable, Database } from '../store/tables.ts';

/** The author and the time of a change. */
export interface Act {
  /** The time in milliseconds since 1970. */
  readonly at: number;
  /** The client id of the author, or `backoffice`. */
  readonly by: string;
}

/**
 * An act at the present time. If the clock was set back, the last change of a record may be ahead
 * of it; then the act gets that time, because otherwise a partner's cursor would permanently miss
 * the act (specification, "Sync procedure").
 * @param db the transaction of the change, so that no other change comes between.
 * @param by the client id, or `backoffice`.
 */
export async function actNow(db: Kysely<Database>, clock: Clock, by: string): Promise<Act> {
  const { last } = await db
    .selectFrom('claims')
    .select(({ fn }) => fn.max<number | null>('last_changed_at').as('last'))
    .executeTakeFirstOrThrow();
  return { at: Math.max(clock.now(), last ?? 0), by };
}

/** The values of a claim that may change after its creation. */
export type ClaimChanges = Partial<
  Pick<
    ClaimsTable,
    | 'status'
    | 'expert_organization_id'
    | 'expert_comment'
    | 'archived'
    | 'cost_estimate_rappen'
    | 'approved_rappen'
    | 'completed_at'
    | 'last_report_approved_at'
  >
>;

/**
 * The time of the record's next change: now, but later than its last change, because two changes
 * never have the same LastChangedAt (decisions, "Lists").
 */
export function nextChangeAt(claim: ClaimsTable, act: Act): number {
  return Math.max(act.at, claim.last_changed_at + 1);
}

/**
 * Changes a claim, advances its LastChangedAt and records the events, in the transaction `db`.
 * @param changes may be empty, if a document or a report of the claim changed.
 */
export async function changeClaim(
  db: Kysely<Database>,
  claim: ClaimsTable,
  act: Act,
  changes: ClaimChanges,
  events: readonly RecordEvent[],
): Promise<ClaimsTable> {
  const at = nextChangeAt(claim, act);
  const changed: ClaimsTable = { ...claim, ...changes, last_changed_at: at };
  await db
    .updateTable('claims')
    .set({ ...changes, last_changed_at: at })
    .where('number', '=', claim.number)
    .execute();
  for (const event of events) await recordEvent(db, claim.id, { ...event, at, by: act.by });
  return changed;
}

/**
 * The status that the trigger leads the claim to.
 * @throws {Problem} invalid_state if the claim's status does not allow the trigger.
 */
export function requireNextStatus(claim: ClaimsTable, trigger: CaseTrigger): CaseStatus {
  const next = nextCaseStatus(claim.status, trigger);
  if (next === undefined) {
    throw new Problem('invalid_state', `The case is ${claim.status}, which does not allow this.`);
  }
  return next;
}

/** The event of a change of state; empty if the state stays. */
export function stateEvents(claim: ClaimsTable, next: CaseStatus, detail = ''): RecordEvent[] {
  if (claim.status === next) return [];
  return [{ name: next === 'Final' ? 'Finalized' : next, detail }];
}

/**
 * The names of events. A change of state has the name of the new state, except for Finalized and
 * reopened_by_expert, which the specification names.
 */
type EventName =
  | Exclude<CaseStatus, 'Final'>
  | 'Finalized'
  | 'reopened_by_expert'
  | 'archived'
  | 'expert_comment_changed'
  | 'amounts_changed'
  | 'document_added'
  | 'draft_created'
  | 'draft_comment_changed'
  | 'submission_document_added'
  | 'submission_document_deleted'
  | 'submission_submitted'
  | 'submission_approved'
  | 'submission_returned'
  | 'submission_cancelled';

export interface RecordEvent {
  readonly name: EventName;
  /** A reason, or the id of the changed record; it may be empty. */
  readonly detail: string;
}

/** Adds an event to a claim's audit trail. */
export async function recordEvent(
  db: Kysely<Database>,
  claimId: string,
  event: RecordEvent & { readonly at: number; readonly by: string },
): Promise<void> {
  const last = await db
    .selectFrom('events')
    .select((select) => select.fn.max('position').as('position'))
    .where('claim_id', '=', claimId)
    .executeTakeFirst();
  const position = (last?.position ?? 0) + 1;
  await db
    .insertInto('events')
    .values({
      claim_id: claimId,
      position,
      at: event.at,
      name: event.name,
      by: event.by,
      detail: event.detail,
    })
    .execute();
}

/** A claim's audit trail, the oldest event first, as the back office shows it. */
export async function listEvents(db: Kysely<Database>, claimId: string) {
  const rows = await db
    .selectFrom('events')
    .select(['at', 'name', 'by', 'detail'])
    .where('claim_id', '=', claimId)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({
    At: isoTime(row.at),
    Name: row.name,
    By: row.by,
    Detail: row.detail,
  }));
}
