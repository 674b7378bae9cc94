import type { DeskError } from '#shared/desk/errors.ts';
import { logFault } from '#main/log/faults.ts';
import { sleep } from '../../partner/clock.ts';
import { longestBlockMs } from '../../partner/pacing.ts';
import type { OutboxRow } from '../work/outbox-records.ts';
import { deliverRow, type RowOutcome } from './deliver-row.ts';
import { blockingStatus, type DeliveryContext } from './delivery-context.ts';
import { HostCheck } from './host-check.ts';
import type { SyncState } from './sync-state.ts';

/** Cases that are delivered side by side; one that hangs does not block the others. */
const lanes = 4;
/** Attempts of one row within a run, before it is left to the schedule. */
const attemptsPerRun = 4;

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
      // It has waited in its call already.
      if (error.code === 'rate_limited') attempts.set(row.id, attemptsPerRun);
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
