import { DeskError } from '#shared/desk/errors.ts';
import { logFault } from '#main/log/faults.ts';
import type { ForeignDocument } from '#shared/desk/queue.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import type { ClientSubmission, ClientSubmissionDocument } from '../../partner/answers.ts';
import type { Answered } from '../../partner/call.ts';
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
import { assertDraftMatches } from './check-answer.ts';
import {
  contentOf,
  createdSlackMs,
  isSameDocument,
  pageSizeOf,
  proofOf,
  serverDocuments,
} from './look-up.ts';

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
    const expected = documentSteps(context, row);
    const { documents } = await serverDocuments(context, draftId, pageSizeOf(expected));
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
  await adoptDocuments(context, outbox.get(row.id), answered.value.id).catch(
    logFault('compare documents', context.log, context.signal),
  );
}

/** What the draft at the partner has, next to what the report should have. */
export interface DraftDocuments {
  readonly answered: Answered<unknown> | null;
  readonly there: readonly (DocumentStep & { document: ClientSubmissionDocument })[];
  readonly missing: readonly DocumentStep[];
  /** Copies of ours, what a discarded report left behind, and what the user wants removed. */
  readonly surplus: readonly ClientSubmissionDocument[];
  /** Neither ours nor decided about. */
  readonly foreign: readonly ClientSubmissionDocument[];
}

/** X12, all of it. @throws {DeskError} if it could not be read */
export async function readDraft(
  context: DeliveryContext,
  row: OutboxRow,
  id: string,
): Promise<DraftDocuments> {
  const expected = documentSteps(context, row);
  const { documents, answered } = await serverDocuments(context, id, pageSizeOf(expected));
  // The oldest of several copies stays: two laptops with one report must not delete each other's.
  const free = new Set(documents.toSorted(byAge));
  const there: (DocumentStep & { document: ClientSubmissionDocument })[] = [];
  const missing: DocumentStep[] = [];
  for (const one of expected) {
    const document = [...free].find((each) => isSameDocument(each, one.attachment));
    if (document) free.delete(document);
    if (document) there.push({ ...one, document });
    else missing.push(one);
  }
  const leftBehind = context.outbox.leftBehind(row.caseId);
  const decided = row.act.kind === 'report' ? row.act.decided : undefined;
  const undecided = [...free].filter((document) => !decided?.submit.includes(document.id));
  const isSurplus = (document: ClientSubmissionDocument) =>
    expected.some(({ attachment }) => isSameDocument(document, attachment)) ||
    leftBehind.some((left) => isDocumentLeft(document, left)) ||
    (decided?.remove.includes(document.id) ?? false);
  return {
    ...{ answered, there, missing },
    surplus: undecided.filter(isSurplus),
    foreign: undecided.filter((document) => !isSurplus(document)),
  };
}

/** Whether each document of the report is there exactly once, and nothing else. */
export const isWhole = ({ missing, surplus, foreign }: DraftDocuments): boolean =>
  missing.length + surplus.length + foreign.length === 0;

/**
 * Makes the draft what the report should be: deletes surplus copies and what discarded reports left
 * behind (X14), and starts missing documents again. Another reading shows whether it is so.
 * @throws {DeskError} server_draft_documents if it has a document that is not ours: we neither
 * delete it nor submit it unseen, unless the user decided so
 */
export async function mendDraft(
  context: DeliveryContext,
  row: OutboxRow,
  id: string,
  { answered, there, missing, surplus, foreign }: DraftDocuments,
): Promise<void> {
  for (const { step } of missing) context.outbox.startAnew(step);
  for (const { step, attachment, document } of there) {
    if (!answered || document.id === step.delivered?.serverId) continue;
    const proof = { ...proofOf(context, answered, document.id), ...contentOf(attachment) };
    context.outbox.confirm(step, proof);
  }
  for (const document of surplus) await deleteDocument(context, id, document.id);
  if (foreign.length > 0) {
    context.outbox.saveServerFindings(row.id, {
      submissions: [],
      documents: foreign.map(foreignView),
    });
    throw new DeskError('server_draft_documents', { count: foreign.length });
  }
}

/** Saves uploads of what is there already; the draft is read again before it is submitted. */
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
