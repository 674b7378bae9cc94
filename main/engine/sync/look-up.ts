import { comparedId, isSameId } from '#shared/api/conventions.ts';
import { idempotencyMaxBytes, idempotencyRetentionMs } from '#shared/api/limits.ts';
import { canReopen } from '#shared/api/states.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { DeliveryProof } from '#shared/desk/delivery/queue.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import {
  assertReadable,
  type ClientSubmission,
  type ClientSubmissionDocument,
  type UnreadableItem,
} from '../../partner/answers/answers.ts';
import type { Answered } from '../../partner/requests/call.ts';
import { readPages } from '../../partner/pull/list-reading.ts';
import type { StoredAttachment } from '../work/attachment-rows.ts';
import { isPut, type OutboxRow, type OutboxStep } from '../work/outbox-records.ts';
import { isSameText } from '../work/conflicts.ts';
import { isSameName, wasSubmitted } from './check-answer.ts';
import { findDocument } from './find-document.ts';
import {
  asDelivery,
  documentStep,
  submissionId,
  uploadSource,
  type DeliveryContext,
} from './delivery-context.ts';

/**
 * How long a key is trusted. Two clocks are compared, so the time is one hour less than the
 * server's.
 */
const keyTrustMs = idempotencyRetentionMs - 60 * 60_000;
/** How much earlier than the first attempt CreatedAt may be, because two clocks are compared. */
export const createdSlackMs = 5 * 60_000;

/**
 * Whether the server would recognize a repetition of this request by its key (specification,
 * "Limits": 24 hours, no body over 16 MB). A PUT may always be repeated.
 */
export function mayRepeat(context: DeliveryContext, row: OutboxRow, step: OutboxStep): boolean {
  if (isPut(step)) return true;
  if (step.keyUsedAtMs === null) return false;
  const ageMs = context.client.serverNow() - step.keyUsedAtMs;
  // If the clock was set back, the age is unknown.
  if (ageMs < 0 || ageMs > keyTrustMs) return false;
  if (step.kind !== 'document') return true;
  const document = documentStep(context, row, step);
  if (!document) return false;
  const source = uploadSource(context, document.attachment);
  return context.client.uploadBodyBytes(source) <= idempotencyMaxBytes;
}

/**
 * Whether the server has forgotten keys that this row may have used without knowing it: its folder
 * may be an old copy that was restored, and its newer rows are recognized by their keys.
 */
export function isForgotten({ client }: DeliveryContext, row: OutboxRow): boolean {
  const known = row.steps.flatMap(({ keyUsedAtMs, delivered }) => [
    keyUsedAtMs ?? 0,
    delivered ? Date.parse(delivered.at) : 0,
  ]);
  return client.serverNow() - Math.max(Date.parse(row.createdAt), ...known) > keyTrustMs;
}

/**
 * Asks the server whether a step with an unknown outcome was carried out.
 * @returns the proof that the lost answer would have given; null if the step was not carried out
 * @throws {DeskError} reopening_unsure if the answer does not decide it; the errors of the requests
 */
export function lookUp(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
): Promise<DeliveryProof | null> {
  switch (step.kind) {
    case 'draft':
      return lookUpDraft(context, row, step);
    case 'document':
      return lookUpDocument(context, row, step);
    case 'submit':
      return lookUpSubmit(context, row);
    case 'reopen':
      return lookUpReopening(context, row, step);
    case 'amounts':
    case 'comment':
      return lookUpValue(context, row);
  }
}

/**
 * Looks up a draft (X10). It is this row's if it has the same comment, is not older, and belongs to
 * no other report of this laptop. A partner may allow several drafts.
 */
async function lookUpDraft(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
): Promise<DeliveryProof | null> {
  const { act } = row;
  if (act.kind !== 'report') return null;
  const firstAttemptMs = step.keyUsedAtMs ?? timeOf(step.firstAttemptAt ?? row.createdAt);
  const isOurs = ({ id, comment, createdAt }: ClientSubmission) =>
    isSameText(comment, act.comment) &&
    timeOf(createdAt) >= firstAttemptMs - createdSlackMs &&
    !context.rows.isOfOther(row.id, id);
  const open = await openServerDraft(context, row.caseId, isOurs);
  return open && proofOf(context, open.answered, open.submission.id);
}

/** Reads the pages of X10. */
export const reportPages = (context: DeliveryContext, caseId: string) =>
  readPages('X10', 50, (page) => context.client.listReports(caseId, page, asDelivery(context)));

/** The case's first Draft at the server that fits; null if there is none. */
export async function openServerDraft(
  context: DeliveryContext,
  caseId: string,
  fits: (draft: ClientSubmission) => boolean = () => true,
): Promise<{ submission: ClientSubmission; answered: Answered<unknown> } | null> {
  const unreadable: UnreadableItem[] = [];
  for await (const answered of reportPages(context, caseId)) {
    unreadable.push(...answered.value.unreadable);
    const submission = answered.value.items.find(
      (one) => one.status === 'Draft' && isSameId(one.caseId, caseId) && fits(one),
    );
    if (submission) return { submission, answered };
  }
  assertReadable('X10', unreadable);
  return null;
}

/**
 * Looks up a document (X12) by name, size, hash and mark. Documents of other steps of the report do
 * not count.
 */
async function lookUpDocument(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
): Promise<DeliveryProof | null> {
  const id = submissionId(row);
  const document = documentStep(context, row, step);
  if (id === null || !document) return null;
  const taken = new Set(
    row.steps.flatMap(({ kind, delivered }) =>
      kind === 'document' ? (delivered?.serverId ?? []) : [],
    ),
  );
  return await findDocument({
    read: (page) => context.client.listSubmissionDocuments(id, page, asDelivery(context)),
    matches: (candidate) =>
      isSameId(candidate.submissionId, id) &&
      ![...taken].some((known) => isSameId(known, candidate.id)) &&
      isSameDocument(candidate, document.attachment),
    proofOf: (answered, found) => ({
      ...proofOf(context, answered, found.id),
      ...contentOf(document.attachment),
    }),
    known: taken.size,
  });
}

/**
 * The size of a page. The answer contains the contents, so an interrupted page must not cost more
 * than this.
 */
const pageMaxBytes = 32 * 1024 * 1024;
const pageMaxDocuments = 50;

/** The number of documents on a page of X12, by the size of the largest expected document. */
export function pageSizeOf(
  expected: readonly { readonly attachment: Pick<StoredAttachment, 'sizeBytes'> }[],
): number {
  const largest = Math.max(1, ...expected.map(({ attachment }) => attachment.sizeBytes));
  return Math.max(1, Math.min(pageMaxDocuments, Math.floor(pageMaxBytes / largest)));
}

/** Reads all pages of X12. A document may be on two pages, if the list changes in between. */
export async function serverDocuments(
  context: DeliveryContext,
  id: string,
  pageSize: number,
): Promise<{ documents: ClientSubmissionDocument[]; answered: Answered<unknown> | null }> {
  const documents = new Map<string, ClientSubmissionDocument>();
  let last: Answered<unknown> | null = null;
  const pages = readPages('X12', pageSize, (page) =>
    context.client.listSubmissionDocuments(id, page, asDelivery(context)),
  );
  for await (const answered of pages) {
    assertReadable('X12', answered.value.unreadable);
    if (answered.value.items.some(({ submissionId: of }) => !isSameId(of, id))) {
      throw new DeskError('answer_invalid', { operation: 'X12', detail: 'SubmissionId' });
    }
    for (const document of answered.value.items) documents.set(comparedId(document.id), document);
    last = answered;
  }
  return { documents: [...documents.values()], answered: last };
}

export function isSameDocument(
  document: ClientSubmissionDocument,
  attachment: StoredAttachment,
): boolean {
  return (
    isSameName(document.fileName, attachment.fileName) &&
    document.sizeBytes === attachment.sizeBytes &&
    document.sha256 === attachment.sha256 &&
    document.isSalvageSale === attachment.isSalvageSale
  );
}

/** Looks up a submission (X11). */
async function lookUpSubmit(
  context: DeliveryContext,
  row: OutboxRow,
): Promise<DeliveryProof | null> {
  const id = submissionId(row);
  if (id === null) return null;
  const answered = await context.client.getReport(row.caseId, id, asDelivery(context));
  return wasSubmitted(answered.value) ? proofOf(context, answered, id) : null;
}

/**
 * Looks up a reopening (X2). A case that is not closed was reopened. A case that has not changed
 * since was not reopened. If it has changed, it may have been reopened and closed again, and the
 * user decides.
 */
async function lookUpReopening(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
): Promise<DeliveryProof | null> {
  const answered = await context.client.getCase(row.caseId, asDelivery(context));
  const { status, lastChangedAt } = answered.value;
  if (!canReopen(status)) return proofOf(context, answered, null);
  const isNew = step.keyUsedAtMs === null && step.attempts === 0;
  const sinceMs = isNew ? Date.parse(row.createdAt) : step.keyUsedAtMs;
  const isUnchanged = sinceMs !== null && timeOf(lastChangedAt) < sinceMs - createdSlackMs;
  if (isUnchanged || mayRepeat(context, row, step)) return null;
  throw new DeskError('reopening_unsure');
}

/** Looks up whether the case has the values that the act sets (X2). */
async function lookUpValue(
  context: DeliveryContext,
  { caseId, act }: OutboxRow,
): Promise<DeliveryProof | null> {
  const answered = await context.client.getCase(caseId, asDelivery(context));
  const { costEstimateRappen, approvedRappen, expertComment } = answered.value;
  const isThere =
    act.kind === 'amounts'
      ? costEstimateRappen === act.costEstimateRappen && approvedRappen === act.approvedRappen
      : act.kind === 'comment' && isSameText(expertComment, act.text);
  return isThere ? proofOf(context, answered, null) : null;
}

/** The proof of delivery from an answer. */
export function proofOf(
  context: DeliveryContext,
  answered: Answered<unknown>,
  serverId: string | null,
): DeliveryProof {
  return {
    at: new Date(answered.serverDateMs ?? context.client.serverNow()).toISOString(),
    status: answered.status,
    correlationId: answered.correlationId,
    serverId,
    sizeBytes: null,
    sha256: null,
    laptopAt: new Date(context.client.deviceNow()).toISOString(),
  };
}

/** The size and hash of what was sent, for the proof. */
export function contentOf(attachment: StoredAttachment): { sizeBytes: number; sha256: string } {
  return { sizeBytes: attachment.sizeBytes, sha256: attachment.sha256 };
}
