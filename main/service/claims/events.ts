import type { Kysely } from 'kysely';
import type { CaseStatus } from '#shared/api/case.ts';
import { isoTime } from '#shared/api/date-time.ts';
import type { Database } from '../store/tables.ts';

/**
 * Names of events. A change of state has the name of the new state, except for Finalized and
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
  /** A reason, or the id of what was changed; may be empty. */
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
