import { DeskError } from '#shared/desk/errors.ts';
import type { DeliveryProof } from '#shared/desk/queue.ts';
import { BlobDamagedError } from '../blobs/blob-damaged-error.ts';
import type { ClientSubmission } from '../client/answers.ts';
import type { Answered, DeliveryOptions } from '../client/call.ts';
import { isAtEnd } from '../work/outbox-questions.ts';
import type { OutboxRow, OutboxStep } from '../work/outbox-records.ts';
import { isAccepted, isLeftBehind, noteForeignDraft, takeOver } from './take-over.ts';
import { findChange } from './find-change.ts';
import { isShared, mayBeElsewhere, settleElsewhere } from './find-elsewhere.ts';
import {
  documentSteps,
  submissionId,
  uploadSource,
  type DeliveryContext,
} from './delivery-context.ts';
import {
  failureKind,
  goneReason,
  retryDelayMs,
  toDeskError,
  type FailureKind,
} from './failures.ts';
import { contentOf, lookUp, mayRepeat, openServerDraft, proofOf } from './look-up.ts';
import { reconcileDocuments } from './reconcile.ts';

export type RowOutcome =
  | { readonly kind: 'delivered' }
  /** The row waits for its moment, or for a person. */
  | { readonly kind: 'stopped'; readonly failure: FailureKind; readonly error: DeskError };

/** Rounds of uploading what a comparison with the server found missing. */
const reconcileRounds = 3;

/** Delivers one row, step after step, until it is delivered or something stops it. */
export async function deliverRow(context: DeliveryContext, rowId: number): Promise<RowOutcome> {
  let reconciled = 0;
  for (;;) {
    const row = context.outbox.get(rowId);
    const step = row.steps.find(({ state }) => state !== 'delivered');
    if (!step) return { kind: 'delivered' };
    try {
      if (mayBeElsewhere(context, row, step) && (await settleElsewhere(context, row))) {
        context.onRow(rowId);
        continue;
      }
      if (step.state === 'unknown' && !mayRepeat(context, row, step)) {
        const found = await lookUp(context, row, step);
        if (found) context.outbox.confirm(step, found);
        else context.outbox.startAnew(step);
      } else if (needsReconciling(context, row, step)) {
        reconciled += 1;
        if (reconciled > reconcileRounds)
          throw new DeskError('server_refused', { title: 'missing_documents' });
        if (await reconcile(context, row)) await send(context, row, step);
      } else {
        const change = await findChange(context, row);
        if (change) {
          context.outbox.contest(step, change.act, change.error.toProblem());
          context.onRow(rowId);
          return { kind: 'stopped', failure: 'refused', error: change.error };
        }
        await send(context, row, step);
      }
      context.onRow(rowId);
    } catch (error) {
      if (context.signal.aborted) throw error;
      // Whatever failed: what has come to its end meanwhile is not opened again.
      if (isAtEnd(context.outbox.get(rowId).state)) {
        return { kind: 'stopped', failure: 'local', error: toDeskError(error) };
      }
      const failure = await handleFailure(context, row, step, deliveryError(step, error));
      context.onRow(rowId);
      if (failure) return failure;
    }
  }
}

/**
 * A submission is final, so nothing may be in it that a lost upload, a report that was given up or
 * another laptop with the same report left behind.
 */
function needsReconciling(context: DeliveryContext, row: OutboxRow, step: OutboxStep): boolean {
  return (
    step.kind === 'submit' &&
    step.state === 'waiting' &&
    (isShared(context, row) ||
      row.steps.some(({ kind, everUnknown }) => kind !== 'submit' && everUnknown))
  );
}

function reconcile(context: DeliveryContext, row: OutboxRow): Promise<boolean> {
  const id = submissionId(row);
  return id === null ? Promise.resolve(true) : reconcileDocuments(context, row, id);
}

/** Sends one request and keeps its proof. */
async function send(context: DeliveryContext, row: OutboxRow, step: OutboxStep): Promise<void> {
  const options: DeliveryOptions = {
    priority: 'delivery',
    signal: context.signal,
    onSend: () => {
      // Committed before the first byte leaves: a crash from here on makes it `unknown`.
      context.outbox.begin(step, context.client.serverNow());
      context.onRow(row.id);
    },
  };
  context.outbox.confirm(step, await request(context, row, step, options));
}

async function request(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
  options: DeliveryOptions,
): Promise<DeliveryProof> {
  const { client } = context;
  const { act, caseId } = row;
  const post = { ...options, idempotencyKey: step.idempotencyKey };
  const proof = (answered: Answered<unknown>, serverId: string | null = null) =>
    proofOf(context, answered, serverId);
  if (act.kind === 'amounts') return proof(await client.putAmounts(caseId, act, options));
  if (act.kind === 'comment') return proof(await client.putComment(caseId, act.text, options));
  if (act.kind === 'reopen') return proof(await client.reopen(caseId, act.reason, post));
  if (step.kind === 'draft') {
    const answered = await client.createDraft(caseId, act.comment, post);
    return proof(answered, answered.value.id);
  }
  const id = submissionId(row);
  if (id === null) throw new Error('a step of a report came before its draft');
  if (step.kind === 'submit') return proof(await client.submit(id, post), id);
  const document = documentSteps(context, row).find((candidate) => candidate.step.id === step.id);
  if (!document || !context.files.has(document.attachment.blobId)) {
    throw new DeskError('file_not_found', { fileName: step.fileName ?? '' });
  }
  const { attachment } = document;
  const answered = await client.uploadDocument(id, uploadSource(context, attachment), {
    ...post,
    onProgress: (sentBytes) => context.onProgress(step, sentBytes, attachment.sizeBytes),
  });
  return { ...proof(answered, answered.value.id), ...contentOf(attachment) };
}

/** A file of ours that is damaged is as good as gone, and stays so however often it is read. */
function deliveryError(step: OutboxStep, error: unknown): DeskError {
  if (!(error instanceof BlobDamagedError)) return toDeskError(error);
  return new DeskError('file_not_found', { fileName: step.fileName ?? '' }, { cause: error });
}

/**
 * Puts the row where its failure leaves it.
 * @returns null where the row can go on at once
 */
async function handleFailure(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
  error: DeskError,
): Promise<RowOutcome | null> {
  const { outbox, clock, random } = context;
  const problem = error.toProblem();
  const failure = failureKind(error);
  const retryAfterS = Number(error.params['retryAfterS'] ?? 0);
  const delayMs = Math.max(retryAfterS * 1000, retryDelayMs(row.failures, random.fraction()));
  const notBeforeMs = clock.now() + delayMs;
  switch (failure) {
    case 'unknown':
      // A PUT is repeated as it is, so nobody needs to know what became of the last one.
      if (step.kind === 'amounts' || step.kind === 'comment') {
        outbox.postpone(step, problem, notBeforeMs);
      } else if (wasSent(outbox, row, step)) outbox.doubt(step, problem, notBeforeMs);
      else outbox.postpone(step, problem, notBeforeMs);
      break;
    case 'refused':
      return await handleRefusal(context, row, step, error);
    case 'host':
    case 'line':
    case 'locked':
    case 'busy':
      outbox.postpone(step, problem, notBeforeMs);
      break;
    case 'local':
      // A body that breaks off is never carried out, so nothing is in doubt.
      if (error.code === 'file_not_found') outbox.refuse(step, problem);
      // The answer may have come and could not be kept.
      else if (wasSent(outbox, row, step)) outbox.doubt(step, problem, notBeforeMs);
      else outbox.postpone(step, problem, notBeforeMs);
      break;
  }
  return { kind: 'stopped', failure, error };
}

/** A look-up or a comparison that failed leaves the step itself as it was. */
function wasSent(outbox: DeliveryContext['outbox'], row: OutboxRow, step: OutboxStep): boolean {
  const now = outbox.get(row.id).steps.find(({ id }) => id === step.id);
  return now?.state === 'sending';
}

async function handleRefusal(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
  error: DeskError,
): Promise<RowOutcome | null> {
  let reason = error;
  if (error.params['title'] === 'invalid_state') {
    const own = await ownEffect(context, row, step);
    if (own) {
      context.outbox.confirm(step, own);
      return null;
    }
    if (step.kind === 'draft') {
      const open = await readOpenDraft(context, row.caseId);
      if (open && (isLeftBehind(context, row.caseId, open) || isAccepted(row, open.id))) {
        return await tryTakeOver(context, row, step);
      }
      if (open) {
        await noteForeignDraft(context, row, open.id);
        reason = new DeskError('server_draft_exists');
      }
    }
  } else if (goneReason(error) !== null) {
    reason = new DeskError('server_case_gone', { status: Number(error.params['status'] ?? 0) });
  }
  context.outbox.refuse(step, reason.toProblem());
  return { kind: 'stopped', failure: 'refused', error: reason };
}

/**
 * The state that forbids the act may be this act's own doing: an attempt whose answer was lost,
 * and whose key the server no longer knows; or that of another laptop with the same report.
 */
async function ownEffect(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
): Promise<DeliveryProof | null> {
  if (!step.everUnknown && !isShared(context, row)) return null;
  try {
    return await lookUp(context, row, step);
  } catch {
    // The refusal itself is certain; a person's retry asks again.
    return null;
  }
}

/** @returns null where the row can go on with the draft */
async function tryTakeOver(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
): Promise<RowOutcome | null> {
  try {
    await takeOver(context, row, step);
    return null;
  } catch (caught) {
    const error = toDeskError(caught);
    const delayMs = retryDelayMs(row.failures, context.random.fraction());
    context.outbox.postpone(step, error.toProblem(), context.clock.now() + delayMs);
    return { kind: 'stopped', failure: failureKind(error), error };
  }
}

/** A draft is refused because the case has one already, or because of the case's own state. */
async function readOpenDraft(
  context: DeliveryContext,
  caseId: string,
): Promise<ClientSubmission | null> {
  try {
    return (await openServerDraft(context, caseId))?.submission ?? null;
  } catch {
    // The refusal itself is certain; a person's retry asks again.
    return null;
  }
}
