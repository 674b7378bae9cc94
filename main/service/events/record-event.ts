import type { Kysely } from 'kysely';
import type { CaseStatus } from '#shared/api/case.ts';
import type { Database } from '../store/tables.ts';

/**
 * Names of the audit trail. A change of state is recorded under the state that it leads to, but
 * for the two events that the specification names itself: Finalized and reopened_by_expert.
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
