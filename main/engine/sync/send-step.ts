import { DeskError } from '#shared/desk/contract/errors.ts';
import type { DeliveryProof } from '#shared/desk/delivery/queue.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import type { ClientSubmission } from '../../partner/answers/answers.ts';
import type { Answered, DeliveryOptions } from '../../partner/requests/call.ts';
import { isSameText } from '../work/conflicts.ts';
import type { Act, OutboxRow, OutboxStep } from '../work/outbox-records.ts';
import {
  assertDraftMatches,
  assertSubmittedMatches,
  assertUploadMatches,
  assertValueMatches,
} from './check-answer.ts';
import {
  asDelivery,
  documentStep,
  submissionId,
  uploadSource,
  type DeliveryContext,
} from './delivery-context.ts';
import { contentOf, createdSlackMs, proofOf } from './look-up.ts';
import { isLeftBehind } from './server-draft.ts';

/** Sends one request and stores its proof. */
export async function sendStep(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
): Promise<void> {
  const options: DeliveryOptions = {
    ...asDelivery(context),
    onSend: () => {
      // The state is stored before the first byte is sent, so that a crash after this line makes
      // the outcome `unknown`.
      context.deliveries.begin(step, context.client.serverNow());
      context.onRow(row.id);
    },
  };
  const { proof, isForeign = false } = await request(context, row, step, options);
  context.deliveries.confirm({ step, proof, isTakenOver: isForeign });
}

/** @throws {DeskError} answer_mismatch, and what the request may throw */
async function request(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
  options: DeliveryOptions,
): Promise<{ proof: DeliveryProof; isForeign?: boolean }> {
  const { client } = context;
  const { act, caseId } = row;
  const post = { ...options, idempotencyKey: step.idempotencyKey };
  const proof = (answered: Answered<unknown>, serverId: string | null = null) =>
    proofOf(context, answered, serverId);
  if (act.kind !== 'report') {
    const answered = await put(context, caseId, act, post);
    assertValueMatches(act, answered.value, caseId);
    return { proof: proof(answered) };
  }
  if (step.kind === 'draft') {
    const firstMs = step.keyUsedAtMs ?? client.serverNow();
    const answered = await client.createDraft(caseId, act.comment, post);
    const { value } = answered;
    assertDraftMatches('X8', value, caseId);
    if (context.rows.isOfOther(row.id, value.id))
      throw new DeskError('answer_mismatch', { operation: 'X8', field: 'Id' });
    // The partner returned an existing draft, whose content is not known.
    const isForeign = value.comment !== '' && !isSameText(value.comment, act.comment);
    if (isForeign && isOlderDraft(context, caseId, value, firstMs)) throw openDraftOf(answered);
    return { proof: proof(answered, value.id), isForeign };
  }
  const id = submissionId(row);
  if (id === null) throw new Error('a step of a report came before its draft');
  if (step.kind === 'submit') {
    const answered = await client.submit(id, post);
    assertSubmittedMatches(answered.value, id, caseId);
    return { proof: proof(answered, id) };
  }
  const document = documentStep(context, row, step);
  if (!document || !context.files.has(document.attachment.blobId)) {
    throw new DeskError('file_not_found', { fileName: step.fileName ?? '' });
  }
  const { attachment } = document;
  const answered = await client.uploadDocument(id, uploadSource(context, attachment), {
    ...post,
    onProgress: (sentBytes) => context.onProgress(step, sentBytes, attachment.sizeBytes),
  });
  assertUploadMatches(answered.value, attachment, id, caseId);
  return { proof: { ...proof(answered, answered.value.id), ...contentOf(attachment) } };
}

/**
 * Whether X8 returned a draft that was there before, in place of a refusal. Its comment differs, so
 * it needs X9, and the user's decision if it is not this laptop's. A new draft may have another
 * comment only because the partner stores texts in its own way.
 */
function isOlderDraft(
  context: DeliveryContext,
  caseId: string,
  draft: ClientSubmission,
  firstMs: number,
): boolean {
  const isBefore = draft.createdAt !== '' && timeOf(draft.createdAt) < firstMs - createdSlackMs;
  return isBefore || isLeftBehind(context, caseId, draft);
}

/** The refusal of a second draft, as other partners answer it. */
function openDraftOf({ status, correlationId }: Answered<unknown>): DeskError {
  const title = 'invalid_state';
  return new DeskError('server_refused', { title, status, detail: '', correlationId });
}

function put(
  { client }: DeliveryContext,
  caseId: string,
  act: Exclude<Act, { kind: 'report' }>,
  options: DeliveryOptions,
) {
  switch (act.kind) {
    case 'amounts':
      return client.putAmounts(caseId, act, options);
    case 'comment':
      return client.putComment(caseId, act.text, options);
    case 'reopen':
      return client.reopen(caseId, act.reason, options);
  }
}
