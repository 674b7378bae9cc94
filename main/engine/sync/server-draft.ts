import { DeskError } from '#shared/desk/errors.ts';
import { logFault } from '#main/log/faults.ts';
import type { ForeignDocument } from '#shared/desk/queue.ts';
import { timeOf } from '../cache/case-store.ts';
import type { ClientSubmission, ClientSubmissionDocument } from '../../partner/answers.ts';
import type { LeftBehind } from '../work/outbox-reader.ts';
import type { OutboxRow, OutboxStep } from '../work/outbox-records.ts';
import { isSameText } from '../work/conflicts.ts';
import { asDelivery, documentSteps, type DeliveryContext } from './delivery-context.ts';
import { goneReason } from './failures.ts';
import { assertDraftMatches } from './check-answer.ts';
import { contentOf, createdSlackMs, isSameDocument, proofOf, serverDocuments } from './look-up.ts';

/**
 * Whether the case's open draft is what a discarded report of this laptop left on the server: by its
 * id, or if its answer was lost by its comment and time (as in look-up.ts).
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

/** Whether the user decided to use this draft, which another program made. */
export function isAccepted({ act }: OutboxRow, draftId: string): boolean {
  return act.kind === 'report' && (act.decided?.submit.includes(draftId) ?? false);
}

/** Stores what another program's draft contains, for the user's decision. */
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
    context.outbox.saveServerFindings(row.id, {
      submissions: [draftId],
      documents: foreign.map(foreignView),
    });
  } catch (error) {
    // Without the list there is no choice to offer; the user's retry asks again.
    logFault('list a foreign draft', context.log, context.signal)(error);
  }
}

/**
 * Makes an abandoned draft of ours, or one that the user accepted, this report's (X9): a case has
 * one draft at most and none can be deleted. Files that are in it already need not be sent again.
 * @throws {DeskError} if the draft could not be read; nothing of the row has changed then
 */
export async function takeOver(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
): Promise<void> {
  if (row.act.kind !== 'report') throw new Error('a draft belongs to a report');
  const { client, outbox } = context;
  const answered = await client.updateDraft(row.caseId, row.act.comment, asDelivery(context));
  assertDraftMatches('X9', answered.value, row.caseId);
  outbox.takeOver(step, proofOf(context, answered, answered.value.id));
  // Only saves uploads: the documents are compared again before the report is submitted.
  await reconcileDocuments(context, outbox.get(row.id), answered.value.id).catch(
    logFault('compare documents', context.log, context.signal),
  );
}

/**
 * Before a report is submitted: if the outcome of any upload was ever unknown, the server may have
 * a document twice (an upload that arrived after it was looked up). Compares what is there with
 * what should be, deletes surplus copies and what discarded reports left behind (X14), and starts
 * missing ones again.
 * @returns whether the server now has each document exactly once
 * @throws {DeskError} server_draft_documents if it has a document that is not ours: we neither
 * delete it nor submit it unseen, unless the user decided so
 */
export async function reconcileDocuments(
  context: DeliveryContext,
  row: OutboxRow,
  id: string,
): Promise<boolean> {
  const expected = documentSteps(context, row);
  const { documents, answered } = await serverDocuments(context, id);
  // The oldest of several copies stays: two laptops with one report must not delete each other's.
  const free = new Set(documents.toSorted(byAge));

  let complete = true;
  for (const { step, attachment } of expected) {
    const found = [...free].find((document) => isSameDocument(document, attachment));
    if (found) free.delete(found);
    if (!found || !answered) {
      context.outbox.startAnew(step);
      complete = false;
    } else if (found.id !== step.delivered?.serverId) {
      context.outbox.confirm(step, {
        ...proofOf(context, answered, found.id),
        ...contentOf(attachment),
      });
    }
  }

  const leftBehind = context.outbox.leftBehind(row.caseId);
  const decided = row.act.kind === 'report' ? row.act.decided : undefined;
  const { submit = [], remove = [] } = decided ?? {};
  const foreign: ClientSubmissionDocument[] = [];
  for (const surplus of free) {
    const isOurs =
      expected.some(({ attachment }) => isSameDocument(surplus, attachment)) ||
      leftBehind.some((left) => isDocumentLeft(surplus, left));
    if (submit.includes(surplus.id)) continue;
    if (isOurs || remove.includes(surplus.id)) {
      await deleteDocument(context, id, surplus.id);
      // The next comparison shows whether it is deleted.
      complete = false;
    } else foreign.push(surplus);
  }
  if (foreign.length > 0) {
    context.outbox.saveServerFindings(row.id, {
      submissions: [],
      documents: foreign.map(foreignView),
    });
    throw new DeskError('server_draft_documents', { count: foreign.length });
  }
  return complete;
}

function byAge(a: ClientSubmissionDocument, b: ClientSubmissionDocument): number {
  return timeOf(a.createdAt) - timeOf(b.createdAt) || a.id.localeCompare(b.id);
}

/** A document as the user sees it to decide about it. */
function foreignView(document: ClientSubmissionDocument): ForeignDocument {
  const { id, fileName, sizeBytes, isSalvageSale } = document;
  return { id, fileName, sizeBytes, isSalvageSale };
}

function isDocumentLeft(document: ClientSubmissionDocument, left: LeftBehind): boolean {
  if (left.kind !== 'document') return false;
  if (left.serverId !== null) return left.serverId === document.id;
  return (
    left.fileName === document.fileName &&
    left.sizeBytes === document.sizeBytes &&
    left.sha256 === document.sha256
  );
}

async function deleteDocument(
  context: DeliveryContext,
  id: string,
  documentId: string,
): Promise<void> {
  try {
    await context.client.deleteSubmissionDocument(id, documentId, asDelivery(context));
  } catch (error) {
    // An earlier deletion lost its answer.
    if (goneReason(error) !== 'not_found') throw error;
  }
}
