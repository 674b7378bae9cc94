import { awaitsWork } from '#shared/api/states.ts';
import { DeskError, paramOf } from '#shared/desk/errors.ts';
import { logFault, toDeskError } from '#main/log/faults.ts';
import type { DeliveryProof } from '#shared/desk/queue.ts';
import type { ClientSubmission } from '../../partner/answers.ts';
import { isPut, type OutboxRow, type OutboxStep } from '../work/outbox-records.ts';
import { asDelivery, submissionId, type DeliveryContext } from './delivery-context.ts';
import {
  failureKind,
  goneReason,
  isStateRefusal,
  retryDelayMs,
  type FailureKind,
} from './failures.ts';
import { isDoubtful } from './find-duplicate.ts';
import { isForgotten, lookUp, openServerDraft, reportPages } from './look-up.ts';
import {
  adoptDocuments,
  isAccepted,
  isLeftBehind,
  noteForeignDraft,
  takeOver,
} from './server-draft.ts';

export type RowOutcome =
  | { readonly kind: 'delivered' }
  /** The row waits for its moment, or for the user. */
  | { readonly kind: 'stopped'; readonly failure: FailureKind; readonly error: DeskError };

/**
 * Puts the row into the state that its failure asks for.
 * @returns null if the row can continue at once
 */
export async function handleFailure(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
  error: DeskError,
): Promise<RowOutcome | null> {
  const { outbox, clock, random } = context;
  const problem = error.problem;
  const failure = failureKind(error);
  const retryAfterS = Number(paramOf(error, 'retryAfterS') ?? 0);
  const delayMs = Math.max(retryAfterS * 1000, retryDelayMs(row.failures, random.fraction()));
  const notBeforeMs = clock.now() + delayMs;
  switch (failure) {
    case 'unknown':
      if (error.code === 'answer_mismatch' && wasSent(outbox, row, step)) {
        // Looked up at once.
        outbox.doubt(step, problem, clock.now());
        return null;
      }
      // A PUT is repeated unchanged, regardless of its last outcome.
      if (!isPut(step) && wasSent(outbox, row, step)) outbox.doubt(step, problem, notBeforeMs);
      else outbox.postpone(step, problem, notBeforeMs);
      break;
    case 'refused':
      try {
        return await handleRefusal(context, row, step, error);
      } catch (caught) {
        if (!isPassing(caught)) throw caught;
        return await handleFailure(context, row, step, toDeskError(caught, 'refusal', context.log));
      }
    case 'host':
    case 'line':
    case 'locked':
    case 'busy':
    case 'odd':
      outbox.postpone(step, problem, notBeforeMs);
      break;
    case 'local':
      // A body that breaks off is never carried out, so nothing is in doubt.
      if (error.code === 'file_not_found') outbox.refuse(step, problem);
      // The answer may have arrived and could not be stored.
      else if (wasSent(outbox, row, step)) outbox.doubt(step, problem, notBeforeMs);
      else outbox.postpone(step, problem, notBeforeMs);
      break;
  }
  return { kind: 'stopped', failure, error };
}

const passing: readonly FailureKind[] = ['host', 'line', 'locked', 'busy'];
const isPassing = (error: unknown): boolean => passing.includes(failureKind(error));

/**
 * A question about a refusal failed. If it did so only for now, the act waits and is tried again,
 * because what it was refused for is not known yet; else nothing is known but the refusal itself,
 * and the user's retry asks again.
 * @throws what it failed for, if that passes or the desk closes
 */
function unanswered({ signal }: DeliveryContext, error: unknown): null {
  if (signal.aborted || isPassing(error)) throw error;
  return null;
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
  if (isStateRefusal(error)) {
    const own = await findOwnEffect(context, row, step);
    if (own) {
      await adoptDraft(context, row, step, own);
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
    const awaits = await readAwaiting(context, row.caseId);
    if (awaits) {
      context.outbox.postpone(step, awaits.problem, context.clock.now());
      return { kind: 'stopped', failure: 'refused', error: awaits };
    }
  } else if (goneReason(error) !== null) return await handleGone(context, row, step, error);
  context.outbox.refuse(step, reason.problem);
  return { kind: 'stopped', failure: 'refused', error: reason };
}

/**
 * What the act is about is not there. A single such answer may come from a node that lags behind, so
 * only the second one counts.
 */
async function handleGone(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
  error: DeskError,
): Promise<RowOutcome | null> {
  if (await findDraftAgain(context, row, step)) return null;
  const isSecond = row.problem !== null && goneReason(DeskError.of(row.problem)) !== null;
  if (!isSecond) {
    const delayMs = retryDelayMs(row.failures, context.random.fraction());
    context.outbox.postpone(step, error.problem, context.clock.now() + delayMs);
    return { kind: 'stopped', failure: 'busy', error };
  }
  const next = await afterGone(context, row, error);
  if (next === 'start-anew') {
    context.outbox.startReportAnew(context.outbox.get(row.id));
    return null;
  }
  context.outbox.refuse(step, next.problem);
  return { kind: 'stopped', failure: 'refused', error: next };
}

/** Drafts of a report that disappear before the user is asked. */
const draftsMax = 3;

/** Asks what is not there: the case, the report's draft, or only what this operation needs. */
async function afterGone(
  context: DeliveryContext,
  row: OutboxRow,
  error: DeskError,
): Promise<DeskError | 'start-anew'> {
  const draft = row.steps.find(({ kind, state }) => kind === 'draft' && state === 'delivered');
  try {
    await context.client.getCase(row.caseId, asDelivery(context));
    if (!draft?.delivered) return error;
    for await (const { value } of reportPages(context, row.caseId)) {
      if (value.unreadable.length > 0) return error;
      if (value.items.some(({ id }) => id === draft.delivered?.serverId)) return error;
    }
    return draft.attempts % draftsMax === 0 ? new DeskError('server_draft_gone') : 'start-anew';
  } catch (caught) {
    if (goneReason(caught) === null) {
      unanswered(context, caught);
      return error;
    }
    const status = Number(paramOf(error, 'status') ?? 0);
    return new DeskError('server_case_gone', { status });
  }
}

/** A draft that an old copy of the folder does not know may have documents already. */
async function adoptDraft(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
  own: DeliveryProof,
): Promise<void> {
  if (step.kind !== 'draft' || own.serverId === null || !isForgotten(context, row)) {
    context.outbox.confirm(step, own);
    return;
  }
  context.outbox.takeOver(step, own);
  const { serverId } = own;
  await adoptDocuments(context, context.outbox.get(row.id), serverId).catch(
    logFault('compare documents', context.log, context.signal),
  );
}

/** Attempts of a step after which its draft is not searched again: the server may lie each time. */
const draftSearchesMax = 3;

/**
 * The draft that was created is not there under the id of its answer: searches it in the list (X10).
 * What is in it is compared before it is submitted.
 * @returns whether it was found under another id
 */
async function findDraftAgain(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
): Promise<boolean> {
  const draft = row.steps.find(({ kind, state }) => kind === 'draft' && state === 'delivered');
  if (!draft || step.attempts > draftSearchesMax) return false;
  try {
    const found = await lookUp(context, row, draft);
    if (!found || found.serverId === submissionId(row)) return false;
    context.outbox.takeOver(draft, found);
    // The step after the attempt, with a new key, because the server may remember its refusal.
    const tried = context.outbox.get(row.id).steps.find(({ id }) => id === step.id);
    if (tried) context.outbox.startAnew(tried);
    return true;
  } catch (error) {
    unanswered(context, error);
    return false;
  }
}

/**
 * The state that forbids the act may be this act's own doing: an attempt whose answer was lost and
 * whose key the server no longer knows, or that of another laptop with the same report.
 */
async function findOwnEffect(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
): Promise<DeliveryProof | null> {
  // The draft is this report's, so what happened to it since may be a copy's doing.
  const isInDraft = step.kind === 'document' || step.kind === 'submit';
  if (!isInDraft && !step.everUnknown && !isDoubtful(context, row)) return null;
  try {
    return await lookUp(context, row, step);
  } catch (error) {
    return unanswered(context, error);
  }
}

/** @returns null if the row can go on with the draft */
async function tryTakeOver(
  context: DeliveryContext,
  row: OutboxRow,
  step: OutboxStep,
): Promise<RowOutcome | null> {
  try {
    await takeOver(context, row, step);
    return null;
  } catch (caught) {
    const error = toDeskError(caught, 'take over a draft', context.log);
    const delayMs = retryDelayMs(row.failures, context.random.fraction());
    context.outbox.postpone(step, error.problem, context.clock.now() + delayMs);
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
  } catch (error) {
    return unanswered(context, error);
  }
}

/** Reads the case (X2): why its work has to wait, if its state may change back; else null. */
async function readAwaiting(context: DeliveryContext, caseId: string): Promise<DeskError | null> {
  try {
    const { value } = await context.client.getCase(caseId, asDelivery(context));
    context.cases.upsert([value]);
    const { status } = value;
    return awaitsWork(status) ? new DeskError('case_awaits', { status }) : null;
  } catch (error) {
    return unanswered(context, error);
  }
}
