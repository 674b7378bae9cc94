import { DeskError } from '#shared/desk/errors.ts';
import type { ClientSubmissionDocument } from '../client/partner-client.ts';
import type { LeftBehind } from '../work/outbox.ts';
import type { OutboxRow } from '../work/outbox-records.ts';
import { documentSteps, type DeliveryContext } from './delivery-context.ts';
import { goneReason, toDeskError } from './failures.ts';
import { contentOf, isSameDocument, proofOf, serverDocuments } from './look-up.ts';

/**
 * Before a report is submitted: if the outcome of any upload was ever unknown, the server may hold
 * a document twice (an upload that arrived after it was looked for). Compares what is there with
 * what should be, deletes surplus copies and what reports that were given up left behind (X14), and
 * starts those anew that are missing.
 * @returns whether the server now holds each document exactly once
 * @throws {DeskError} server_draft_documents where something of somebody else's is in it, which is
 * neither ours to delete nor to be submitted unseen
 */
export async function reconcileDocuments(
  context: DeliveryContext,
  row: OutboxRow,
  id: string,
): Promise<boolean> {
  const expected = documentSteps(context, row);
  const { documents, answered } = await serverDocuments(context, id);
  const free = new Set(documents);

  const byProof = expected.map(({ step, attachment }) => {
    const own = documents.find(
      (document) =>
        document.id === step.delivered?.serverId && isSameDocument(document, attachment),
    );
    if (own) free.delete(own);
    return own;
  });
  let complete = true;
  expected.forEach(({ step, attachment }, index) => {
    if (byProof[index]) return;
    const other = [...free].find((document) => isSameDocument(document, attachment));
    if (other && answered) {
      free.delete(other);
      context.outbox.confirm(step, {
        ...proofOf(context, answered, other.id),
        ...contentOf(attachment),
      });
    } else {
      context.outbox.startAnew(step);
      complete = false;
    }
  });

  const leftBehind = context.outbox.leftBehind(row.caseId);
  let foreign = 0;
  for (const surplus of free) {
    const isOurs =
      expected.some(({ attachment }) => isSameDocument(surplus, attachment)) ||
      leftBehind.some((left) => isDocumentLeft(surplus, left));
    if (isOurs) await deleteDocument(context, id, surplus.id);
    else foreign += 1;
  }
  if (foreign > 0) throw new DeskError('server_draft_documents', { count: foreign });
  return complete;
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
    await context.client.deleteSubmissionDocument(id, documentId, {
      priority: 'delivery',
      signal: context.signal,
    });
  } catch (error) {
    // An earlier deletion whose answer was lost.
    if (goneReason(toDeskError(error)) !== 'not_found') throw error;
  }
}
