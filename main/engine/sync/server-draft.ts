import { hasId, isSameId } from '#shared/api/conventions.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { logFault } from '#main/log/faults.ts';
import type { ForeignDocument } from '#shared/desk/delivery/queue.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import type { ClientSubmission, ClientSubmissionDocument } from '../../partner/answers/answers.ts';
import type { Answered } from '../../partner/requests/call.ts';
import type { LeftBehind } from '../work/outbox-reader.ts';
import type { OutboxRow, OutboxStep } from '../work/outbox-records.ts';
import { isSameText } from '../work/conflicts.ts';
import {
  asDelivery,
  documentSteps,
  type DeliveryContext,
  type DocumentStep,
} from './delivery-context.ts';
import { goneReason } from './failures.ts';
import { assertDraftMatches, isSameName } from './check-answer.ts';
import {
  contentOf,
  createdSlackMs,
  isSameDocument,
  pageSizeOf,
  proofOf,
  serverDocuments,
} from './look-up.ts';

/**
 * Whether the case's open draft was left on the server by a discarded report of this laptop. It is
 * recognized by its id; if the answer was lost, by its comment and time (as in look-up.ts).
 */
export function isLeftBehind(
  { rows }: DeliveryContext,
  caseId: string,
  draft: ClientSubmission,
): boolean {
  return rows.leftBehind(caseId).some(({ kind, serverId, comment, keyUsedAtMs }) => {
    if (kind !== 'draft') return false;
    if (serverId !== null) return isSameId(serverId, draft.id);
    return (
      isSameText(comment, draft.comment) &&
      keyUsedAtMs !== null &&
      timeOf(draft.createdAt) >= keyUsedAtMs - createdSlackMs
    );
  });
}

/** Whether the user decided to use this draft of another program. */
export function isAccepted({ act }: OutboxRow, draftId: string): boolean {
  return act.kind === 'report' && hasId(act.decided?.submit ?? [], draftId);
}

/** Stores the content of another program's draft, for the user's decision. */
export async function noteForeignDraft(
  context: DeliveryContext,
  row: OutboxRow,
  draftId: string,
): Promise<void> {
  try {
    const expected = documentSteps(context, row);
    const { documents } = await serverDocuments(context, draftId, pageSizeOf(expected));
    const foreign = documents.filter(
      (document) => !expected.some(({ attachment }) => isSameDocument(document, attachment)),
    );
    context.deliveries.saveServerFindings(row.id, {
      submissions: [draftId],
      documents: foreign.map(foreignView),
    });
  } catch (error) {
    // Without the list there is no choice to offer. If the user retries, the list is requested
    // again.
    logFault('list a foreign draft', context.log, context.signal)(error);
  }
}

/**
 * Turns an abandoned draft of this laptop, or one that the user accepted, into this report's draft
 * (X9), because a case has at most one draft and none can be deleted. Files that are already in it
 * are not sent again. X9 names the case alone, so the answer shows whether it is still that draft.
 * @throws {DeskError} if it is another draft, or could not be read; then the row is unchanged
 */
export async function takeOver(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
  draftId: string,
): Promise<void> {
  if (row.act.kind !== 'report') throw new Error('a draft belongs to a report');
  const { client, rows, deliveries } = context;
  const answered = await client.updateDraft(row.caseId, row.act.comment, asDelivery(context));
  assertDraftMatches('X9', answered.value, row.caseId, draftId);
  const proof = proofOf(context, answered, answered.value.id);
  deliveries.confirm({ step, proof, isTakenOver: true });
  await adoptDocuments(context, rows.get(row.id), answered.value.id).catch(
    logFault('compare documents', context.log, context.signal),
  );
}

/** The documents of the draft at the partner, compared with those of the report. */
export interface DraftDocuments {
  readonly answered: Answered<unknown> | null;
  readonly there: readonly (DocumentStep & { document: ClientSubmissionDocument })[];
  readonly missing: readonly DocumentStep[];
  /**
   * The documents to delete: duplicates of ours, those that a discarded report left, and those that
   * the user wants removed.
   */
  readonly surplus: readonly ClientSubmissionDocument[];
  /** The documents that are neither this laptop's nor covered by a decision of the user. */
  readonly foreign: readonly ClientSubmissionDocument[];
}

/** Reads all documents (X12). @throws {DeskError} if they could not be read */
export async function readDraft(
  context: DeliveryContext,
  row: OutboxRow,
  id: string,
): Promise<DraftDocuments> {
  const expected = documentSteps(context, row);
  const { documents, answered } = await serverDocuments(context, id, pageSizeOf(expected));
  // If there are several copies, the oldest stays, because two laptops with one report must not
  // delete each other's.
  const free = new Set(documents.toSorted(byAge));
  const there: (DocumentStep & { document: ClientSubmissionDocument })[] = [];
  const missing: DocumentStep[] = [];
  for (const one of expected) {
    const document = [...free].find((each) => isSameDocument(each, one.attachment));
    if (!document) {
      missing.push(one);
      continue;
    }
    free.delete(document);
    there.push({ ...one, document });
  }
  const leftBehind = context.rows.leftBehind(row.caseId);
  const decided = row.act.kind === 'report' ? row.act.decided : undefined;
  const { submit, remove } = decided ?? { submit: [], remove: [] };
  const undecided = [...free].filter((document) => !hasId(submit, document.id));
  const isSurplus = (document: ClientSubmissionDocument) =>
    expected.some(({ attachment }) => isSameDocument(document, attachment)) ||
    leftBehind.some((left) => isDocumentLeft(document, left)) ||
    hasId(remove, document.id);
  return {
    answered,
    there,
    missing,
    surplus: undecided.filter(isSurplus),
    foreign: undecided.filter((document) => !isSurplus(document)),
  };
}

/** Whether each document of the report is there exactly once, and nothing else. */
export const isWhole = ({ missing, surplus, foreign }: DraftDocuments): boolean =>
  [missing, surplus, foreign].every(({ length }) => length === 0);

/**
 * Corrects the draft: deletes extra copies and what discarded reports left (X14), and starts
 * missing documents again. Another reading then shows the result.
 * @throws {DeskError} server_draft_documents if it has another program's document: the desk neither
 *   deletes it nor submits it without the user's decision
 */
export async function mendDraft(
  context: DeliveryContext,
  row: OutboxRow,
  id: string,
  { answered, there, missing, surplus, foreign }: DraftDocuments,
): Promise<void> {
  context.deliveries.startAnew(...missing.map(({ step }) => step));
  for (const { step, attachment, document } of there) {
    if (!answered || isSameId(document.id, step.delivered?.serverId ?? '')) continue;
    const proof = { ...proofOf(context, answered, document.id), ...contentOf(attachment) };
    context.deliveries.confirm({ step, proof });
  }
  for (const document of surplus) await deleteDocument(context, id, document.id);
  if (foreign.length > 0) {
    context.deliveries.saveServerFindings(row.id, {
      submissions: [],
      documents: foreign.map(foreignView),
    });
    throw new DeskError('server_draft_documents', { count: foreign.length });
  }
}

/**
 * Marks documents that are already there as delivered, so that they are not uploaded again. The
 * draft is read again before it is submitted.
 */
export async function adoptDocuments(
  context: DeliveryContext,
  row: OutboxRow,
  id: string,
): Promise<void> {
  await mendDraft(context, row, id, await readDraft(context, row, id));
}

function byAge(a: ClientSubmissionDocument, b: ClientSubmissionDocument): number {
  return timeOf(a.createdAt) - timeOf(b.createdAt) || a.id.localeCompare(b.id);
}

/** A document with the values that the user needs for a decision. */
function foreignView(document: ClientSubmissionDocument): ForeignDocument {
  const { id, fileName, sizeBytes, isSalvageSale } = document;
  return { id, fileName, sizeBytes, isSalvageSale };
}

function isDocumentLeft(document: ClientSubmissionDocument, left: LeftBehind): boolean {
  if (left.kind !== 'document') return false;
  if (left.serverId !== null) return isSameId(left.serverId, document.id);
  return (
    isSameName(left.fileName ?? '', document.fileName) &&
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
    // The answer to an earlier deletion was lost.
    if (goneReason(error) !== 'not_found') throw error;
  }
}
