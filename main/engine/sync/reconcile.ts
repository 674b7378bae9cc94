import type { OutboxRow } from '../work/outbox-records.ts';
import { documentSteps, type DeliveryContext } from './delivery-context.ts';
import { goneReason, toDeskError } from './failures.ts';
import { contentOf, isSameDocument, proofOf, serverDocuments } from './look-up.ts';

/**
 * Before a report is submitted: if the outcome of any upload was ever unknown, the server may hold
 * a document twice (an upload that arrived after it was looked for). Compares what is there with
 * what should be, deletes the surplus copies (X14), and starts those anew that are missing.
 * Documents of other people in the same draft are left alone.
 * @returns whether the server now holds each document exactly once
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

  for (const surplus of free) {
    if (!expected.some(({ attachment }) => isSameDocument(surplus, attachment))) continue;
    await deleteDocument(context, id, surplus.id);
  }
  return complete;
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
