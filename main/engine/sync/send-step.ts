import { DeskError } from '#shared/desk/contract/errors.ts';
import type { DeliveryProof } from '#shared/desk/delivery/queue.ts';
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
import { contentOf, proofOf } from './look-up.ts';

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
    const answered = await client.createDraft(caseId, act.comment, post);
    const { value } = answered;
    assertDraftMatches('X8', value, caseId);
    if (context.rows.isOfOther(row.id, value.id))
      throw new DeskError('answer_mismatch', { operation: 'X8', field: 'Id' });
    // The partner returned an existing draft, whose content is not known.
    const isForeign = value.comment !== '' && !isSameText(value.comment, act.comment);
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
