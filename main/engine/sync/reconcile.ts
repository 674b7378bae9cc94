import { DeskError } from '#shared/desk/errors.ts';
import type { ForeignDocument } from '#shared/desk/queue.ts';
import { timeOf } from '../cache/case-store.ts';
import type { ClientSubmissionDocument } from '../client/answers.ts';
import type { LeftBehind } from '../work/outbox-questions.ts';
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
 * neither ours to delete nor to be submitted unseen, unless the person decided so
 */
export async function reconcileDocuments(
  context: DeliveryContext,
  row: OutboxRow,
  id: string,
): Promise<boolean> {
  const expected = documentSteps(context, row);
  const { documents, answered } = await serverDocuments(context, id);
  // The oldest of several copies stays: two laptops with one report must not each delete the
  // other's.
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
  const { submit, remove } = decided ?? undecided;
  const foreign: ClientSubmissionDocument[] = [];
  for (const surplus of free) {
    const isOurs =
      expected.some(({ attachment }) => isSameDocument(surplus, attachment)) ||
      leftBehind.some((left) => isDocumentLeft(surplus, left));
    if (submit.includes(surplus.id)) continue;
    if (isOurs || remove.includes(surplus.id)) await deleteDocument(context, id, surplus.id);
    else foreign.push(surplus);
  }
  if (foreign.length > 0) {
    context.outbox.noteHeld(row.id, { submissions: [], documents: foreign.map(foreignView) });
    throw new DeskError('server_draft_documents', { count: foreign.length });
  }
  return complete;
}

function byAge(a: ClientSubmissionDocument, b: ClientSubmissionDocument): number {
  return timeOf(a.createdAt) - timeOf(b.createdAt) || a.id.localeCompare(b.id);
}

const undecided: Readonly<Record<'submit' | 'remove', readonly string[]>> = {
  submit: [],
  remove: [],
};

/** A document as the person sees it who decides about it. */
export function foreignView(document: ClientSubmissionDocument): ForeignDocument {
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
    await context.client.deleteSubmissionDocument(id, documentId, {
      priority: 'delivery',
      signal: context.signal,
    });
  } catch (error) {
    // An earlier deletion whose answer was lost.
    if (goneReason(toDeskError(error)) !== 'not_found') throw error;
  }
}
