import type { Kysely } from 'kysely';
import type { Act } from '../act.ts';
import { nextChangeAt } from '../claims/change-claim.ts';
import type { RecordEvent } from '../events/record-event.ts';
import { nextSubmissionStatus } from '#shared/api/states.ts';
import type { ClaimsTable, Database } from '../store/tables.ts';

/** Cancels a case's submissions where their state allows it, and gives back the events of it. */
export async function cancelSubmissions(
  db: Kysely<Database>,
  claim: ClaimsTable,
  act: Act,
): Promise<RecordEvent[]> {
  const submissions = await db
    .selectFrom('submissions')
    .select(['id', 'status'])
    .where('claim_id', '=', claim.id)
    .orderBy('sequence_no')
    .execute();
  const events: RecordEvent[] = [];
  for (const { id, status } of submissions) {
    const next = nextSubmissionStatus(status, 'cancel');
    if (next === undefined) continue;
    await db
      .updateTable('submissions')
      .set({ status: next, updated_at: nextChangeAt(claim, act) })
      .where('id', '=', id)
      .execute();
    events.push({ name: 'submission_cancelled', detail: id });
  }
  return events;
}
