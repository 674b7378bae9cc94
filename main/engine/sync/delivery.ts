import type { DeskError } from '#shared/desk/contract/errors.ts';
import { logFault } from '#main/log/faults.ts';
import { sleep } from '../../partner/clock.ts';
import { longestBlockMs } from '../../partner/pacing/pacing.ts';
import type { OutboxRow } from '../work/outbox-records.ts';
import { deliverRow, type RowOutcome } from './deliver-row.ts';
import { blockingStatus, type DeliveryContext } from './delivery-context.ts';
import { HostCheck } from './host-check.ts';
import type { SyncState } from './sync-state.ts';

/**
 * The number of cases that are delivered in parallel, so that a case that hangs does not block the
 * others.
 */
const lanes = 4;
/** The number of attempts for one row within a run. Then the schedule tries again. */
const attemptsPerRun = 4;

export interface DeliveryResult {
  readonly delivered: number;
  /** The cases whose rows were delivered or refused, so that the server has news about them. */
  readonly touchedCases: ReadonlySet<string>;
  /** The reason why the run ended early; null if it tried everything that it could. */
  readonly stoppedBy: DeskError | null;
  /** The latest fault of the program, whose reference its row shows; null if there was none. */
  readonly fault: DeskError | null;
}

export interface DeliveryParts {
  readonly context: DeliveryContext;
  readonly state: SyncState;
  /**
   * Called before a delivery ends, to read back what was delivered.
   * @returns the number of acts whose state at the partner differs
   */
  readonly afterRuns: (result: DeliveryResult) => Promise<number>;
  /** Registers each delivery, so that closing waits for it. */
  readonly track: <Result>(task: Promise<Result>) => Promise<Result>;
}

/**
 * Delivers the outbox: the rows of a case in their order, and the cases independently of each
 * other. It ends when all remaining rows wait for a later time, the network, or the user.
 */
export class Delivery {
  /** Called after a delivery that `deliverSoon` started. */
  onEnd: () => void = () => undefined;
  readonly #context: DeliveryContext;
  readonly #parts: DeliveryParts;
  /** The rows that are being delivered, by id. */
  readonly #active = new Map<number, Promise<void>>();
  #running: Promise<DeliveryResult> | null = null;
  #isWanted = false;
  /** A signal that nobody waits for is lost. */
  #woken = Promise.withResolvers<undefined>();

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    this.#context = parts.context;
  }

  /** Whether the row is being sent or looked up now. */
  isDelivering(rowId: number): boolean {
    return this.#active.has(rowId);
  }

  /** Sends what the user queued, if rounds run automatically. */
  deliverSoon(): void {
    const { state } = this.#parts;
    if (!state.isScheduled || state.paused) return;
    this.deliver()
      .catch(logFault('delivery', this.#context.log, this.#context.signal))
      .finally(() => this.onEnd());
  }

  /** Delivers the waiting rows, including rows that are queued during the delivery. */
  deliver(): Promise<DeliveryResult> {
    this.#isWanted = true;
    const woken = this.#woken;
    this.#woken = Promise.withResolvers();
    woken.resolve(undefined);
    this.#running ??= this.#parts.track(this.#deliverAll());
    return this.#running;
  }

  /** Sends what may be tried now, such as work on a case that the insurer has accepted. */
  deliverDue(): void {
    if ((this.nextAttemptMs() ?? Infinity) <= this.#context.clock.now()) this.deliverSoon();
  }

  /** When the next row may be tried (ms since 1970); null if no row waits for its time alone. */
  nextAttemptMs(): number | null {
    const moments = this.#candidates().map(({ notBeforeMs }) => notBeforeMs ?? 0);
    return moments.length === 0 ? null : Math.min(...moments);
  }

  /** The rows that need neither the user nor the insurer before they are tried. */
  #candidates(): OutboxRow[] {
    return this.#context.rows
      .heads()
      .filter(({ id, state }) => state !== 'attention' && !this.#active.has(id))
      .filter((row) => blockingStatus(this.#context, row) === null);
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
      // After this line a new act starts a new run. There is no await between the check and this
      // line.
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
    const { deliveries, clock, signal } = context;
    const active = this.#active;
    const mayBegin = this.#parts.state.unlessPausedMeanwhile();
    // No request is running now, so a row that is still marked as being sent was interrupted and
    // could not be updated.
    deliveries.doubtAllSending();
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
      // The row has already waited during its call.
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
        const candidates = this.#candidates().filter(
          ({ id }) => (attempts.get(id) ?? 0) < attemptsPerRun,
        );
        const ready = candidates
          .filter(({ notBeforeMs }) => (notBeforeMs ?? 0) <= clock.now())
          // Rows that failed before come last, so that they do not occupy the lanes each time.
          .toSorted((a, b) => a.failures - b.failures);
        const goesOn = host.stoppedBy === null && mayBegin();
        const hasMore = ready.length > 0 || active.size > 0;
        const isChecking = goesOn && host.startIfDue(hasMore);
        if (goesOn && !isChecking) ready.slice(0, lanes - active.size).forEach(start);
        if (active.size > 0 || host.running) {
          await Promise.race([...active.values(), ...(host.running ? [host.running] : []), woken]);
          continue;
        }
        // The run waits only for its own rows, and not for long. Rows that failed before, or that
        // meet a long pause of the partner, have a separate time.
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

/** Waits until the time has come, or until the delivery is woken. */
async function pause(
  { clock, signal }: DeliveryContext,
  ms: number,
  woken: Promise<unknown>,
): Promise<void> {
  const over = new AbortController();
  await Promise.race([sleep(clock, ms, AbortSignal.any([over.signal, signal])), woken]);
  over.abort();
}
