import { DeskError } from '#shared/desk/errors.ts';
import type { DeliveryProof } from '#shared/desk/queue.ts';
import { logFault, toDeskError } from '#main/log/faults.ts';
import { BlobDamagedError } from '../blobs/file-blob-store.ts';
import type { Answered, DeliveryOptions } from '../../partner/call.ts';
import { sleep } from '../../partner/clock.ts';
import { longestBlockMs } from '../../partner/pacing.ts';
import { contested, isSameText, valueConflicts } from '../work/conflicts.ts';
import { isAtEnd } from '../work/outbox-reader.ts';
import type { Act, OutboxRow, OutboxStep } from '../work/outbox-records.ts';
import { handleFailure, type RowOutcome } from './delivery-failure.ts';
import {
  asDelivery,
  documentStep,
  blockingStatus,
  submissionId,
  uploadSource,
  type DeliveryContext,
} from './delivery-context.ts';
import { mayBeDeliveredByOther, resolveDuplicate } from './find-duplicate.ts';
import {
  assertDraftMatches,
  assertValueMatches,
  assertSubmittedMatches,
  assertUploadMatches,
} from './check-answer.ts';
import { contentOf, lookUp, mayRepeat, mustLookUp, proofOf } from './look-up.ts';
import { isWhole, mendDraft, readDraft } from './server-draft.ts';
import { HostCheck } from './host-check.ts';
import type { SyncState } from './sync-state.ts';

/** Cases that are delivered side by side; one that hangs does not block the others. */
const lanes = 4;
/** Attempts of one row within a run, before it is left to the schedule. */
const attemptsPerRun = 4;
/** Comparisons of a draft with the report, the first of which may only show it late. */
const comparisonsMax = 4;
/** How late a list may show what was just stored. */
const lagMs = 2_000;

export interface DeliveryResult {
  readonly delivered: number;
  /** Cases whose rows were delivered or refused: the server has news of them. */
  readonly touchedCases: ReadonlySet<string>;
  /** Why the run ended early; null if it tried everything that it could. */
  readonly stoppedBy: DeskError | null;
  /** The latest fault of the program, whose reference its row shows; null if there was none. */
  readonly fault: DeskError | null;
}

export interface DeliveryParts {
  readonly context: DeliveryContext;
  readonly state: SyncState;
  /**
   * Awaited before a delivery ends: reads back what was delivered.
   * @returns how many acts the partner has otherwise
   */
  readonly afterRuns: (result: DeliveryResult) => Promise<number>;
  /** Takes each delivery, so that closing waits for it. */
  readonly track: <Result>(task: Promise<Result>) => Promise<Result>;
}

/**
 * Delivers the outbox: the rows of a case in their order, cases independently of each other, until
 * all that is left waits for a later moment, the network, or the user.
 */
export class Delivery {
  /** Called after a delivery that `deliverSoon` began. */
  onEnd: () => void = () => undefined;
  readonly #context: DeliveryContext;
  readonly #parts: DeliveryParts;
  /** The rows that are being delivered, by id. */
  readonly #active = new Map<number, Promise<void>>();
  #running: Promise<DeliveryResult> | null = null;
  #isWanted = false;
  /** Not latched: a signal without a waiter is lost. */
  #woken = Promise.withResolvers<undefined>();

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    this.#context = parts.context;
  }

  /** The row is being sent or looked up right now. */
  isDelivering(rowId: number): boolean {
    return this.#active.has(rowId);
  }

  /** The user acted: what they queued is sent now, if rounds run automatically. */
  deliverSoon(): void {
    const { state } = this.#parts;
    if (!state.isScheduled || state.paused) return;
    this.deliver()
      .catch(logFault('delivery', this.#context.log, this.#context.signal))
      .finally(() => this.onEnd());
  }

  /** Delivers what waits, with rows that are queued during the delivery. */
  deliver(): Promise<DeliveryResult> {
    this.#isWanted = true;
    const woken = this.#woken;
    this.#woken = Promise.withResolvers();
    woken.resolve(undefined);
    this.#running ??= this.#parts.track(this.#deliverAll());
    return this.#running;
  }

  async #deliverAll(): Promise<DeliveryResult> {
    const runs: DeliveryResult[] = [];
    const lastStoppedBy = () => runs.at(-1)?.stoppedBy ?? null;
    try {
      do {
        this.#isWanted = false;
        runs.push(await this.#parts.state.during('delivering', () => this.#run()));
      } while (this.#isStillWanted() && lastStoppedBy() === null);
    } finally {
      // From here on a new act starts a new run; nothing is awaited between the check and this.
      this.#running = null;
    }
    const result = {
      delivered: runs.reduce((sum, run) => sum + run.delivered, 0),
      touchedCases: new Set(runs.flatMap((run) => [...run.touchedCases])),
      stoppedBy: lastStoppedBy(),
      fault: runs.findLast(({ fault }) => fault !== null)?.fault ?? null,
    };
    const disputed = await this.#parts.afterRuns(result);
    return { ...result, delivered: Math.max(0, result.delivered - disputed) };
  }

  #isStillWanted(): boolean {
    return this.#isWanted;
  }

  async #run(): Promise<DeliveryResult> {
    const context = this.#context;
    const { outbox, clock, signal } = context;
    const active = this.#active;
    const mayBegin = this.#parts.state.unlessPausedMeanwhile();
    // Nothing is on its way now: a row that is still marked broke off and could not be updated.
    outbox.doubtAllSending();
    const attempts = new Map<number, number>();
    const touchedCases = new Set<string>();
    let delivered = 0;
    const host = new HostCheck(context);
    const faults: DeskError[] = [];

    const record = (row: OutboxRow, outcome: RowOutcome) => {
      if (outcome.kind === 'delivered') {
        delivered += 1;
        host.reached();
        touchedCases.add(row.caseId);
        return;
      }
      const { failure, error } = outcome;
      if (error.code === 'internal') faults.push(error);
      if (failure === 'refused') {
        host.reached();
        touchedCases.add(row.caseId);
      } else host.failed(row.id, error);
    };
    const start = (row: OutboxRow) => {
      attempts.set(row.id, (attempts.get(row.id) ?? 0) + 1);
      const work = deliverRow(context, row.id)
        .then((outcome) => record(row, outcome))
        .finally(() => active.delete(row.id));
      active.set(row.id, work);
    };

    try {
      for (;;) {
        signal.throwIfAborted();
        const woken = this.#woken.promise;
        const candidates = outbox
          .heads()
          .filter(({ id, state }) => state !== 'attention' && !active.has(id))
          .filter((row) => blockingStatus(context, row) === null)
          .filter(({ id }) => (attempts.get(id) ?? 0) < attemptsPerRun);
        const ready = candidates
          .filter(({ notBeforeMs }) => (notBeforeMs ?? 0) <= clock.now())
          // What failed before comes last, so that the same rows do not take the lanes each time.
          .toSorted((a, b) => a.failures - b.failures);
        const goesOn = host.stoppedBy === null && mayBegin();
        const hasMore = ready.length > 0 || active.size > 0;
        const isChecking = goesOn && host.startIfDue(hasMore);
        if (goesOn && !isChecking) ready.slice(0, lanes - active.size).forEach(start);
        if (active.size > 0 || host.running) {
          await Promise.race([...active.values(), ...(host.running ? [host.running] : []), woken]);
          continue;
        }
        // Only a row of this run is waited for, and not for long: what failed before, or meets a
        // long pause of the partner, has its own moment.
        const pauseMs = candidates
          .filter(({ id }) => attempts.has(id))
          .map(({ notBeforeMs }) => (notBeforeMs ?? 0) - clock.now())
          .filter((ms) => ms <= longestBlockMs);
        if (!goesOn || pauseMs.length === 0) break;
        await pause(context, Math.max(0, Math.min(...pauseMs)), woken);
      }
    } finally {
      await Promise.allSettled([...active.values(), host.running]);
    }
    const { stoppedBy } = host;
    return { delivered, touchedCases, stoppedBy, fault: faults.at(-1) ?? null };
  }
}

/** Until the moment has come, or the delivery is woken. */
async function pause(
  { clock, signal }: DeliveryContext,
  ms: number,
  woken: Promise<unknown>,
): Promise<void> {
  const over = new AbortController();
  await Promise.race([sleep(clock, ms, AbortSignal.any([over.signal, signal])), woken]);
  over.abort();
}

/** Delivers one row, step after step, until it is delivered or something stops it. */
async function deliverRow(context: DeliveryContext, rowId: number): Promise<RowOutcome> {
  let comparisons = 0;
  for (;;) {
    const row = context.outbox.get(rowId);
    const step = row.steps.find(({ state }) => state !== 'delivered');
    if (!step) return { kind: 'delivered' };
    try {
      if (mayBeDeliveredByOther(context, row, step) && (await resolveDuplicate(context, row))) {
        context.onRow(rowId);
        continue;
      }
      const mustAsk = mustLookUp(context, row, step);
      const found = mustAsk ? await lookUp(context, row, step) : null;
      if (found) context.outbox.confirm(step, found);
      else if (mustAsk && row.problem?.code === 'answer_mismatch') {
        const error = new DeskError('answer_mismatch', row.problem.params);
        context.outbox.refuse(step, error.problem);
        context.onRow(rowId);
        return { kind: 'stopped', failure: 'refused', error };
      } else if (step.state === 'unknown' && !mayRepeat(context, row, step)) {
        context.outbox.startAnew(step);
      } else if (step.kind === 'submit' && step.state === 'waiting') {
        comparisons += 1;
        if (await isDraftWhole(context, row, comparisons)) await send(context, row, step);
      } else {
        const conflict = await findConflict(context, row);
        if (conflict) {
          context.outbox.contest(step, conflict.act, conflict.error.problem);
          context.onRow(rowId);
          return { kind: 'stopped', failure: 'refused', error: conflict.error };
        }
        await send(context, row, step);
      }
      context.onRow(rowId);
    } catch (error) {
      if (context.signal.aborted) throw error;
      // After any failure: a row that has ended in the meantime is not opened again.
      if (isAtEnd(context.outbox.get(rowId).state)) {
        return {
          kind: 'stopped',
          failure: 'local',
          error: toDeskError(error, 'delivery', context.log),
        };
      }
      const failure = await handleFailure(context, row, step, deliveryError(context, step, error));
      context.onRow(rowId);
      if (failure) return failure;
    }
  }
}

/**
 * A submission is final, so its documents are read before it (X12): an upload may have been answered
 * and not stored, and a lost one, a report that was given up or another laptop may have left more.
 * @returns false if something was mended, or may be shown late: it is read again
 */
async function isDraftWhole(
  context: DeliveryContext,
  row: OutboxRow,
  comparisons: number,
): Promise<boolean> {
  const id = submissionId(row);
  if (id === null) return true;
  const draft = await readDraft(context, row, id);
  if (isWhole(draft)) return true;
  const [first] = draft.missing;
  if (comparisons > comparisonsMax) {
    const count = draft.missing.length;
    if (!first) throw new DeskError('server_refused', { title: 'missing_documents' });
    throw new DeskError('documents_not_there', { count, fileName: first.step.fileName ?? '' });
  }
  const wasAnswered = draft.missing.some(({ step }) => step.delivered && !step.everUnknown);
  if (comparisons === 1 && wasAnswered) await sleep(context.clock, lagMs, context.signal);
  else await mendDraft(context, row, id, draft);
  return false;
}

/** A problem is a sentence; the queue shows a long comment whole next to it. */
const shownMaxLength = 100;

/**
 * Reads the case right before amounts or a comment are sent (X2): a PUT replaces any value, and
 * what another user set after this one looked must not be lost unseen. The window between the two
 * requests remains; the partner API has no condition for a PUT.
 * @returns the act with the value found, and why it must wait for the user; null if it may be sent
 * @throws {DeskError} if the case could not be read
 */
async function findConflict(
  context: DeliveryContext,
  { act, caseId }: OutboxRow,
): Promise<{ act: Act; error: DeskError } | null> {
  if (act.kind !== 'amounts' && act.kind !== 'comment') return null;
  const { value } = await context.client.getCase(caseId, asDelivery(context));
  context.cases.upsert([value]);
  const found = contested(act, value);
  const [conflict] = found ? valueConflicts(found) : [];
  if (!found || !conflict) return null;
  const { field, seen, found: other, mine } = conflict;
  const params = { field, seen: shown(seen), found: shown(other), mine: shown(mine) };
  return { act: found, error: new DeskError('server_value_changed', params) };
}

function shown(value: string | number | null): string | number | null {
  if (typeof value !== 'string' || value.length <= shownMaxLength) return value;
  return `${value.slice(0, shownMaxLength)}…`;
}

/** Sends one request and stores its proof. */
async function send(context: DeliveryContext, row: OutboxRow, step: OutboxStep): Promise<void> {
  const options: DeliveryOptions = {
    ...asDelivery(context),
    onSend: () => {
      // Committed before the first byte leaves: a crash from here on makes it `unknown`.
      context.outbox.begin(step, context.client.serverNow());
      context.onRow(row.id);
    },
  };
  const { proof, isForeign } = await request(context, row, step, options);
  if (isForeign) context.outbox.takeOver(step, proof);
  else context.outbox.confirm(step, proof);
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
    // A partner that hands out the draft that is open: what is in it is not known.
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

/** A damaged file is treated as a missing one: reading it again does not help. */
function deliveryError(context: DeliveryContext, step: OutboxStep, error: unknown): DeskError {
  if (!(error instanceof BlobDamagedError))
    return toDeskError(error, `delivery of ${step.kind}`, context.log);
  return new DeskError('file_not_found', { fileName: step.fileName ?? '' }, { cause: error });
}
