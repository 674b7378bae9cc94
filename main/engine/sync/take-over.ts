import { timeOf } from '../cache/case-store.ts';
import type { ClientSubmission } from '../client/answers.ts';
import type { OutboxRow, OutboxStep } from '../work/outbox-records.ts';
import { isSameText } from '../work/value-conflicts.ts';
import { documentSteps, type DeliveryContext } from './delivery-context.ts';
import { createdSlackMs, isSameDocument, proofOf, serverDocuments } from './look-up.ts';
import { foreignView, reconcileDocuments } from './reconcile.ts';

/**
 * Whether the case's open draft is what a report of this laptop that was given up left on the
 * server: by its id, or where its answer was lost by its comment and time (as in look-up.ts).
 */
export function isLeftBehind(
  { outbox }: DeliveryContext,
  caseId: string,
  draft: ClientSubmission,
): boolean {
  return outbox.leftBehind(caseId).some(({ kind, serverId, comment, keyUsedAtMs }) => {
    if (kind !== 'draft') return false;
    if (serverId !== null) return serverId === draft.id;
    return (
      isSameText(comment, draft.comment) &&
      keyUsedAtMs !== null &&
      timeOf(draft.createdAt) >= keyUsedAtMs - createdSlackMs
    );
  });
}

/** Whether the person said that this draft of somebody else's is to be used. */
export function isAccepted({ act }: OutboxRow, draftId: string): boolean {
  return act.kind === 'report' && (act.decided?.submit.includes(draftId) ?? false);
}

/** What somebody else's draft holds, for the person who has to decide about it. */
export async function noteForeignDraft(
  context: DeliveryContext,
  row: OutboxRow,
  draftId: string,
): Promise<void> {
  try {
    const { documents } = await serverDocuments(context, draftId);
    const expected = documentSteps(context, row);
    const foreign = documents.filter(
      (document) => !expected.some(({ attachment }) => isSameDocument(document, attachment)),
    );
    context.outbox.noteHeld(row.id, {
      submissions: [draftId],
      documents: foreign.map(foreignView),
    });
  } catch {
    // Without the list there is no choice to offer; a person's retry asks again.
  }
}

/**
 * Makes an abandoned draft of ours, or one that the person accepted, this report's (X9), because a case has one draft at most and none
 * can be deleted. Files that are in it already need not be sent again.
 * @throws {DeskError} where the draft could not be had; nothing of the row has changed then
 */
export async function takeOver(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
): Promise<void> {
  if (row.act.kind !== 'report') throw new Error('a draft belongs to a report');
  const { client, outbox, signal } = context;
  const options = { priority: 'delivery' as const, signal };
  const answered = await client.updateDraft(row.caseId, row.act.comment, options);
  outbox.takeOver(step, proofOf(context, answered, answered.value.id));
  // Only to save uploads: what fails here is compared again before the report is submitted.
  await reconcileDocuments(context, outbox.get(row.id), answered.value.id).catch(() => undefined);
}
