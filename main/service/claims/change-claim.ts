import type { Kysely } from 'kysely';
import type { Act } from '../act.ts';
import { recordEvent, type RecordEvent } from '../events/record-event.ts';
import type { CaseTrigger } from '#shared/api/states.ts';
import { nextCaseStatus } from '#shared/api/states.ts';
import { Problem } from '../front/problem.ts';
import type { CaseStatus } from '#shared/api/case.ts';
import type { ClaimsTable, Database } from '../store/tables.ts';

/** What may change about a claim after its creation. */
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
 * The moment of the record's next change: now, but always later than the change before, because
 * partners follow a record by it (decisions, "Lists": two changes never share LastChangedAt).
 */
export function nextChangeAt(claim: ClaimsTable, act: Act): number {
  return Math.max(act.at, claim.last_changed_at + 1);
}

/**
 * Changes a claim, advances its LastChangedAt and records the events. It counts as changed even
 * without changes of its own: a document or a report changed.
 * @param db the transaction in which all of it is written.
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
 * Where the trigger leads the claim.
 * @throws {Problem} invalid_state where its present state does not allow the trigger.
 */
export function requireNextStatus(claim: ClaimsTable, trigger: CaseTrigger): CaseStatus {
  const next = nextCaseStatus(claim.status, trigger);
  if (next === undefined) {
    throw new Problem('invalid_state', `The case is ${claim.status}, which does not allow this.`);
  }
  return next;
}

/** The event of a change of state; none where the state stays as it is. */
export function stateEvents(claim: ClaimsTable, next: CaseStatus, detail = ''): RecordEvent[] {
  if (claim.status === next) return [];
  return [{ name: next === 'Final' ? 'Finalized' : next, detail }];
}
