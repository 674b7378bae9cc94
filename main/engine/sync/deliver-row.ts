import { DeskError, paramOf } from '#shared/desk/contract/errors.ts';
import type { Question } from '#shared/desk/delivery/decisions.ts';
import type { DeliveryProof, QueueState } from '#shared/desk/delivery/queue.ts';
import { logFault, toDeskError } from '#main/log/faults.ts';
import { BlobDamagedError } from '../blobs/file-blob-store.ts';
import { sleep } from '../../partner/clock.ts';
import { isAtEnd } from '../work/outbox-reader.ts';
import { currentStep, isSending } from '../work/outbox-states.ts';
import type { OutboxRow, OutboxStep } from '../work/outbox-records.ts';
import type { DeliveryContext } from './delivery-context.ts';
import {
  failureKind,
  goneReason,
  isStateRefusal,
  retryDelayMs,
  type FailureKind,
} from './failures.ts';
import { isShared } from './find-duplicate.ts';
import { isForgotten, mayRepeat } from './look-up.ts';
import {
  nextAction,
  type Action,
  type Failure,
  type RefusalReason,
  type Situation,
} from './next-action.ts';
import { askPartner, deliveredDraft, found, idOf, type Findings } from './questions.ts';
import { sendStep } from './send-step.ts';
import { adoptDocuments, mendDraft, noteForeignDraft, takeOver } from './server-draft.ts';

export type RowOutcome =
  | { readonly kind: 'delivered' }
  /** The row waits for a later time or for the user. */
  | { readonly kind: 'stopped'; readonly failure: FailureKind; readonly error: DeskError };

/** How long a list may still not contain a record that was just stored. */
const lagMs = 2_000;

/**
 * Makes one attempt to deliver a row, step after step, until it is delivered or something stops it.
 */
export function deliverRow(context: DeliveryContext, rowId: number): Promise<RowOutcome> {
  return new RowDelivery(context, rowId).run();
}

/**
 * Carries out the decisions of `nextAction`. The row is read again before each decision, because
 * the user may have ended it.
 */
class RowDelivery {
  readonly #context: DeliveryContext;
  readonly #rowId: number;
  #row: OutboxRow;
  #step: OutboxStep | undefined;
  #findings: Findings = { answers: {} };
  #comparisons = 0;
  #failure: (Failure & { readonly error: DeskError }) | null = null;

  constructor(context: DeliveryContext, rowId: number) {
    this.#context = context;
    this.#rowId = rowId;
    this.#row = context.rows.get(rowId);
  }

  async run(): Promise<RowOutcome> {
    for (;;) {
      const step = this.#read();
      if (!step) return { kind: 'delivered' };
      const { id, state } = this.#row;
      if (isLeft(state)) return stopped('local', new DeskError('queue_row_state', { id, state }));
      const action = nextAction(this.#situation(step));
      this.#note(action, step);
      try {
        const outcome = await this.#perform(action, step);
        if (action.do !== 'ask') this.#context.onRow(this.#rowId);
        if (outcome) return outcome;
      } catch (error) {
        if (this.#context.signal.aborted) throw error;
        const { log, rows } = this.#context;
        if (isLeft(rows.get(id).state))
          return stopped('local', toDeskError(error, 'delivery', log));
        // If the failure cannot be stored, it is thrown.
        if (this.#failure && action.do !== 'ask' && action.do !== 'takeOver') throw error;
        this.#noteFailure(action, step, error);
      }
    }
  }

  /**
   * The first step that is not delivered. Earlier findings are dropped if the step has changed,
   * because they concern one step only.
   */
  #read(): OutboxStep | undefined {
    // After a failure, the decision uses the row as it was before the attempt.
    if (this.#failure && this.#step) return this.#step;
    const before = this.#step;
    this.#row = this.#context.rows.get(this.#rowId);
    this.#step = currentStep(this.#row.steps);
    if (this.#step?.id !== before?.id) this.#findings = { answers: {} };
    return this.#step;
  }

  /** Notes the decision for the trace. */
  #note(action: Action, step: OutboxStep): void {
    const failure = this.#failure;
    const status = failure && paramOf(failure.error, 'status');
    this.#context.trace.decided(step, {
      rule: action.rule,
      action: action.do,
      question: action.do === 'ask' ? action.question : null,
      failure: failure && {
        kind: failure.kind,
        code: failure.error.code,
        status: typeof status === 'number' && Number.isInteger(status) ? status : null,
        wasSent: failure.wasSent,
      },
    });
  }

  #situation(step: OutboxStep): Situation {
    const row = this.#row;
    const draft = deliveredDraft(row);
    return {
      step,
      before: row.problem && beforeOf(DeskError.of(row.problem)),
      isShared: isShared(this.#context, row),
      isForgotten: isForgotten(this.#context, row),
      mayRepeat: mayRepeat(this.#context, row, step),
      draftAttempts: draft?.attempts ?? null,
      comparisons: this.#comparisons,
      answers: this.#findings.answers,
      failure: this.#failure,
    };
  }

  async #perform(action: Action, step: OutboxStep): Promise<RowOutcome | null> {
    const { rows, deliveries, clock, signal } = this.#context;
    const { proof, draft, openDraftId } = this.#findings;
    const row = this.#row;
    switch (action.do) {
      case 'ask':
        if (action.question === 'draft') this.#comparisons += 1;
        this.#add(
          action.question,
          await askPartner(this.#context, this.#row, step, action.question),
        );
        return null;
      case 'send':
        await sendStep(this.#context, this.#row, step);
        return null;
      case 'confirm':
        deliveries.confirm({ step, proof: found(proof) });
        return null;
      case 'startAnew':
        deliveries.startAnew(step);
        return null;
      case 'waitForDraft':
        this.#findings = { answers: {} };
        await sleep(clock, lagMs, signal);
        return null;
      case 'mendDraft':
        this.#findings = { answers: {} };
        await mendDraft(this.#context, this.#row, idOf(this.#row), found(draft));
        return null;
      case 'doubtAtOnce':
        deliveries.fail(row.id, 'doubt', this.#error().problem, { notBeforeMs: clock.now() });
        return this.#goOn();
      case 'adopt':
        await this.#adopt(step, found(proof));
        return this.#goOn();
      case 'takeOver':
        await takeOver(this.#context, this.#row, step, found(openDraftId));
        return this.#goOn();
      case 'moveToDraft':
        this.#moveToDraft(step, found(proof));
        return this.#goOn();
      case 'startReportAnew':
        deliveries.startAnew(...rows.get(row.id).steps);
        return this.#goOn();
      case 'contest': {
        const { act, error } = found(this.#findings.conflict);
        deliveries.fail(row.id, 'refuse', error.problem, { act });
        return stopped('refused', error);
      }
      case 'refuse':
        return await this.#refuse(action.reason);
      case 'awaitAcceptance': {
        const awaits = found(this.#findings.awaits);
        deliveries.fail(row.id, 'postpone', awaits.problem, { notBeforeMs: clock.now() });
        return stopped('refused', awaits);
      }
      case 'postpone':
      case 'doubt':
        return this.#wait(action.do);
    }
  }

  /** The failure is handled; the next decision reads the row again. */
  #goOn(): null {
    this.#failure = null;
    this.#findings = { answers: {} };
    return null;
  }

  #error(): DeskError {
    return found(this.#failure).error;
  }

  #wait(how: 'postpone' | 'doubt'): RowOutcome {
    const { deliveries, clock, random } = this.#context;
    const { kind, about, error } = found(this.#failure);
    const retryAfterMs = Number(paramOf(error, 'retryAfterS') ?? 0) * 1000;
    const delayMs = retryDelayMs(this.#row.failures, random.fraction());
    const notBeforeMs = clock.now() + Math.max(retryAfterMs, delayMs);
    deliveries.fail(this.#rowId, how, error.problem, { notBeforeMs });
    // If something is missing for the first time, the question is asked again later.
    return stopped(about === 'absence' ? 'busy' : kind, error);
  }

  async #refuse(reason: RefusalReason): Promise<RowOutcome> {
    const { openDraftId } = this.#findings;
    if (reason === 'foreignDraft' && openDraftId !== undefined)
      await noteForeignDraft(this.#context, this.#row, openDraftId);
    const error = this.#refusal(reason);
    this.#context.deliveries.fail(this.#rowId, 'refuse', error.problem);
    const kind = this.#failure?.kind === 'local' ? 'local' : 'refused';
    return stopped(kind, error);
  }

  #refusal(reason: RefusalReason): DeskError {
    switch (reason) {
      case 'failure':
        return this.#error();
      case 'answer':
        return DeskError.of(found(this.#row.problem));
      case 'documents': {
        const { missing, surplus } = found(this.#findings.draft);
        const [first] = missing;
        if (!first) {
          const fileName = surplus[0]?.fileName ?? '';
          return new DeskError('documents_not_removed', { count: surplus.length, fileName });
        }
        const fileName = first.step.fileName ?? '';
        return new DeskError('documents_not_there', { count: missing.length, fileName });
      }
      case 'foreignDraft':
        return new DeskError('server_draft_exists');
      case 'draftGone':
        return new DeskError('server_draft_gone');
      case 'caseGone':
        return new DeskError('server_case_gone', {
          status: Number(paramOf(this.#error(), 'status') ?? 0),
        });
    }
  }

  /** An old copy of the folder may not know that the draft already has documents. */
  async #adopt(step: OutboxStep, proof: DeliveryProof): Promise<void> {
    const { rows, deliveries, log, signal } = this.#context;
    const { serverId } = proof;
    const isTakenOver = step.kind === 'draft' && isForgotten(this.#context, this.#row);
    deliveries.confirm({ step, proof, isTakenOver });
    if (!isTakenOver || serverId === null) return;
    await adoptDocuments(this.#context, rows.get(this.#rowId), serverId).catch(
      logFault('compare documents', log, signal),
    );
  }

  #moveToDraft(step: OutboxStep, proof: DeliveryProof): void {
    const { deliveries } = this.#context;
    deliveries.confirm({ step: found(deliveredDraft(this.#row)), proof, isTakenOver: true });
    // The step gets a new key, because the server may remember its refusal under the old one.
    deliveries.startAnew(step);
  }

  /**
   * Classifies a failure. If a question about a refusal fails temporarily, the act waits. If the
   * question fails otherwise, it stays unanswered, and the refusal counts.
   */
  #noteFailure(action: Action, step: OutboxStep, caught: unknown): void {
    const error = deliveryError(this.#context, step, caught);
    const now = this.#context.rows.get(this.#rowId);
    const kind = failureKind(error);
    if (action.do === 'ask' && this.#failure && !isPassing(kind)) {
      if (action.question !== 'gone' || goneReason(error) === null)
        this.#add(action.question, { answers: { [action.question]: 'unanswered' } });
      else this.#add(action.question, { answers: { gone: 'case' } });
      return;
    }
    if (action.do === 'takeOver' && !isPassing(kind)) {
      this.#failure = { kind: 'busy', about: 'other', wasSent: false, error };
      return;
    }
    const wasSent = now.steps.some(({ id, state }) => id === step.id && isSending(state));
    const isFile = error.code === 'file_not_found';
    const about = isFile
      ? 'file'
      : (meaningOf(error) ?? (isStateRefusal(error) ? 'state' : 'other'));
    this.#failure = { kind, about, wasSent, error };
  }

  #add(question: Question, asked: Findings): void {
    this.#context.trace.answered(this.#rowId, asked.answers[question] ?? 'found');
    const answers = { ...this.#findings.answers, ...asked.answers };
    this.#findings = { ...this.#findings, ...asked, answers };
  }
}

const stopped = (failure: FailureKind, error: DeskError): RowOutcome => ({
  kind: 'stopped',
  failure,
  error,
});

/** Whether the row has ended or needs the user; then a running attempt does not change it. */
const isLeft = (state: QueueState): boolean => isAtEnd(state) || state === 'attention';

const passing: readonly FailureKind[] = ['host', 'line', 'locked', 'busy'];
const isPassing = (kind: FailureKind): boolean => passing.includes(kind);

function meaningOf(error: DeskError | null): 'answer' | 'absence' | null {
  if (error?.code === 'answer_mismatch') return 'answer';
  return error && goneReason(error) !== null ? 'absence' : null;
}

const beforeOf = (error: DeskError) => meaningOf(error) ?? (isStateRefusal(error) ? 'state' : null);

/** A damaged file is treated as a missing one, because reading it again does not help. */
function deliveryError(context: DeliveryContext, step: OutboxStep, error: unknown): DeskError {
  if (!(error instanceof BlobDamagedError))
    return toDeskError(error, `delivery of ${step.kind}`, context.log);
  return new DeskError('file_not_found', { fileName: step.fileName ?? '' }, { cause: error });
}
