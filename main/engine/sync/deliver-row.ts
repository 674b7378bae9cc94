import { DeskError, paramOf } from '#shared/desk/errors.ts';
import type { DeliveryProof } from '#shared/desk/queue.ts';
import { logFault, toDeskError } from '#main/log/faults.ts';
import { BlobDamagedError } from '../blobs/file-blob-store.ts';
import { sleep } from '../../partner/clock.ts';
import { isAtEnd } from '../work/outbox-reader.ts';
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
  /** The row waits for its moment, or for the user. */
  | { readonly kind: 'stopped'; readonly failure: FailureKind; readonly error: DeskError };

/** How late a list may show what was just stored. */
const lagMs = 2_000;

/** One attempt at a row, step after step, until it is delivered or something stops it. */
export function deliverRow(context: DeliveryContext, rowId: number): Promise<RowOutcome> {
  return new RowDelivery(context, rowId).run();
}

/**
 * Carries out what `nextAction` decides. The row is read again before each decision, because the
 * user may have ended it.
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
    this.#row = context.outbox.get(rowId);
  }

  async run(): Promise<RowOutcome> {
    for (;;) {
      const step = this.#read();
      if (!step) return { kind: 'delivered' };
      const action = nextAction(this.#situation(step));
      try {
        const outcome = await this.#perform(action, step);
        if (action.do !== 'ask') this.#context.onRow(this.#rowId);
        if (outcome) return outcome;
      } catch (error) {
        if (this.#context.signal.aborted) throw error;
        // Without a store there is nothing to put the failure into.
        if (this.#failure && action.do !== 'ask' && action.do !== 'takeOver') throw error;
        const ended = this.#noteFailure(action, step, error);
        if (ended) return ended;
      }
    }
  }

  /** The first step that is not delivered; what was found is about one step alone. */
  #read(): OutboxStep | undefined {
    // After a failure the decision is about the row as it was before the attempt.
    if (this.#failure && this.#step) return this.#step;
    const before = this.#step;
    this.#row = this.#context.outbox.get(this.#rowId);
    this.#step = this.#row.steps.find(({ state }) => state !== 'delivered');
    if (this.#step?.id !== before?.id) this.#findings = { answers: {} };
    return this.#step;
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
    const { outbox, clock, signal } = this.#context;
    const { proof, draft } = this.#findings;
    switch (action.do) {
      case 'ask':
        if (action.question === 'draft') this.#comparisons += 1;
        this.#add(await askPartner(this.#context, this.#row, step, action.question));
        return null;
      case 'send':
        await sendStep(this.#context, this.#row, step);
        return null;
      case 'confirm':
        outbox.confirm(step, found(proof));
        return null;
      case 'startAnew':
        outbox.startAnew(step);
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
        outbox.doubt(step, this.#error().problem, clock.now());
        return this.#goOn();
      case 'adopt':
        await this.#adopt(step, found(proof));
        return this.#goOn();
      case 'takeOver':
        await takeOver(this.#context, this.#row, step);
        return this.#goOn();
      case 'moveToDraft':
        this.#moveToDraft(step, found(proof));
        return this.#goOn();
      case 'startReportAnew':
        outbox.startReportAnew(outbox.get(this.#rowId));
        return this.#goOn();
      case 'contest': {
        const { act, error } = found(this.#findings.conflict);
        outbox.contest(step, act, error.problem);
        return stopped('refused', error);
      }
      case 'refuse':
        return await this.#refuse(action.reason, step);
      case 'awaitAcceptance': {
        const awaits = found(this.#findings.awaits);
        outbox.postpone(step, awaits.problem, clock.now());
        return stopped('refused', awaits);
      }
      case 'postpone':
      case 'doubt':
        return this.#wait(action.do, step);
    }
  }

  /** The failure is dealt with; the next decision reads the row again. */
  #goOn(): null {
    this.#failure = null;
    this.#findings = { answers: {} };
    return null;
  }

  #error(): DeskError {
    return found(this.#failure).error;
  }

  #wait(how: 'postpone' | 'doubt', step: OutboxStep): RowOutcome {
    const { outbox, clock, random } = this.#context;
    const { kind, about, error } = found(this.#failure);
    const retryAfterMs = Number(paramOf(error, 'retryAfterS') ?? 0) * 1000;
    const delayMs = retryDelayMs(this.#row.failures, random.fraction());
    outbox[how](step, error.problem, clock.now() + Math.max(retryAfterMs, delayMs));
    // What is not there for the first time is asked about again.
    return stopped(about === 'absence' ? 'busy' : kind, error);
  }

  async #refuse(reason: RefusalReason, step: OutboxStep): Promise<RowOutcome> {
    const { outbox } = this.#context;
    const { openDraftId } = this.#findings;
    if (reason === 'foreignDraft' && openDraftId !== undefined)
      await noteForeignDraft(this.#context, this.#row, openDraftId);
    const error = this.#refusal(reason);
    outbox.refuse(step, error.problem);
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
        const [first] = found(this.#findings.draft).missing;
        const count = this.#findings.draft?.missing.length ?? 0;
        if (!first) return new DeskError('server_refused', { title: 'missing_documents' });
        return new DeskError('documents_not_there', { count, fileName: first.step.fileName ?? '' });
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

  /** A draft that an old copy of the folder does not know may have documents already. */
  async #adopt(step: OutboxStep, proof: DeliveryProof): Promise<void> {
    const { outbox, log, signal } = this.#context;
    const { serverId } = proof;
    if (step.kind !== 'draft' || serverId === null || !isForgotten(this.#context, this.#row)) {
      outbox.confirm(step, proof);
      return;
    }
    outbox.takeOver(step, proof);
    await adoptDocuments(this.#context, outbox.get(this.#rowId), serverId).catch(
      logFault('compare documents', log, signal),
    );
  }

  #moveToDraft(step: OutboxStep, proof: DeliveryProof): void {
    const { outbox } = this.#context;
    outbox.takeOver(found(deliveredDraft(this.#row)), proof);
    // The step after the attempt, with a new key, because the server may remember its refusal.
    const tried = outbox.get(this.#rowId).steps.find(({ id }) => id === step.id);
    if (tried) outbox.startAnew(tried);
  }

  /**
   * What the failure means. A question about a refusal that fails for now leaves the act waiting;
   * one that fails otherwise is not answered, and the refusal counts.
   * @returns the outcome if the row has ended in the meantime, which is not opened again
   */
  #noteFailure(action: Action, step: OutboxStep, caught: unknown): RowOutcome | null {
    const { outbox, log } = this.#context;
    const error = deliveryError(this.#context, step, caught);
    const now = outbox.get(this.#rowId);
    if (isAtEnd(now.state)) return stopped('local', toDeskError(caught, 'delivery', log));
    const kind = failureKind(error);
    if (action.do === 'ask' && this.#failure && !isPassing(kind)) {
      if (action.question !== 'gone' || goneReason(error) === null)
        this.#add({ answers: { [action.question]: 'unanswered' } });
      else this.#add({ answers: { gone: 'case' } });
      return null;
    }
    if (action.do === 'takeOver' && !isPassing(kind)) {
      this.#failure = { kind: 'busy', about: 'other', wasSent: false, error };
      return null;
    }
    const wasSent = now.steps.some(({ id, state }) => id === step.id && state === 'sending');
    const isFile = error.code === 'file_not_found';
    const about = isFile
      ? 'file'
      : (meaningOf(error) ?? (isStateRefusal(error) ? 'state' : 'other'));
    this.#failure = { kind, about, wasSent, error };
    return null;
  }

  #add(asked: Findings): void {
    const answers = { ...this.#findings.answers, ...asked.answers };
    this.#findings = { ...this.#findings, ...asked, answers };
  }
}

const stopped = (failure: FailureKind, error: DeskError): RowOutcome => ({
  kind: 'stopped',
  failure,
  error,
});

const passing: readonly FailureKind[] = ['host', 'line', 'locked', 'busy'];
const isPassing = (kind: FailureKind): boolean => passing.includes(kind);

function meaningOf(error: DeskError | null): 'answer' | 'absence' | null {
  if (error?.code === 'answer_mismatch') return 'answer';
  return error && goneReason(error) !== null ? 'absence' : null;
}

const beforeOf = (error: DeskError) => meaningOf(error) ?? (isStateRefusal(error) ? 'state' : null);

/** A damaged file is treated as a missing one: reading it again does not help. */
function deliveryError(context: DeliveryContext, step: OutboxStep, error: unknown): DeskError {
  if (!(error instanceof BlobDamagedError))
    return toDeskError(error, `delivery of ${step.kind}`, context.log);
  return new DeskError('file_not_found', { fileName: step.fileName ?? '' }, { cause: error });
}
