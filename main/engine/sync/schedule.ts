import { type FaultLog, logFault } from '#main/log/faults.ts';
import type { Clock } from '#shared/lib/clock.ts';
import type { Random } from '#shared/lib/random.ts';
import type { Work } from '../work/open-work.ts';
import { failureKind } from './failures.ts';
import type { Sync } from './sync.ts';

const intervalMs = 5 * 60_000;
/**
 * The random part of the interval, so that not all desks of an organization sync at the same
 * moment.
 */
const jitter = 0.1;
const probeMinMs = 5000;
const probeMaxMs = 60_000;
const watchMs = 10_000;
const sleepMinMs = 30_000;

/**
 * Runs rounds automatically: at the start, every five minutes, after the laptop slept, and soon
 * after the network is back. Once a day everything is read again.
 */
export class Schedule {
  readonly #sync: Sync;
  readonly #work: Work;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #logFault: (error: unknown) => void;
  #cancelRound: (() => void) | null = null;
  #cancelRetry: (() => void) | null = null;
  #cancelWatch: (() => void) | null = null;
  #probes = 0;
  /** Whether the partner could not carry out the last round, but may later. */
  #wasBusy = false;
  /** Whether a round that began because the network is back is still running. */
  #isReturning = false;
  /**
   * Whether the network was reported back again during that round, which may have been too early.
   */
  #isReportedAgain = false;
  #closed = false;

  constructor(parts: { sync: Sync; work: Work; clock: Clock; random: Random; log: FaultLog }) {
    this.#sync = parts.sync;
    this.#work = parts.work;
    this.#clock = parts.clock;
    this.#random = parts.random;
    this.#logFault = logFault('schedule', parts.log, parts.sync.signal);
    this.#sync.delivery.onEnd = () => {
      if (this.#sync.state.network === 'offline') this.#plan();
      else this.#planRetry();
    };
  }

  start(): void {
    const { state } = this.#sync;
    if (state.isScheduled) return;
    state.isScheduled = true;
    this.#watchForSleep();
    void this.#round();
  }

  /**
   * Timers stop while a laptop sleeps, but the wall clock continues. So a gap means that the laptop
   * woke.
   */
  #watchForSleep(): void {
    const checkedAtMs = this.#clock.now();
    this.#cancelWatch = this.#clock.after(watchMs, () => {
      const sleptMs = this.#clock.now() - checkedAtMs - watchMs;
      this.#watchForSleep();
      if (sleptMs >= sleepMinMs && !this.#sync.state.paused) void this.#round();
    });
  }

  close(): void {
    this.#closed = true;
    this.#sync.state.isScheduled = false;
    this.#cancelRound?.();
    this.#cancelRetry?.();
    this.#cancelWatch?.();
  }

  /** The system reports that there is a network again, or another one. */
  networkChanged(): void {
    const { state } = this.#sync;
    if (!state.isScheduled || state.paused) return;
    // Each window reports the network, and the shell as well.
    this.#isReportedAgain = this.#isReturning;
    if (this.#isReturning || (state.network === 'online' && !this.#hasReason())) return;
    this.#isReturning = true;
    void this.#round().finally(() => {
      this.#isReturning = false;
      if (this.#isReportedAgain && state.network === 'offline') this.networkChanged();
    });
  }

  setPaused(paused: boolean): void {
    const { state } = this.#sync;
    state.paused = paused;
    if (paused) {
      this.#cancelRound?.();
      this.#cancelRetry?.();
      state.nextSyncAt = null;
    } else if (state.isScheduled) void this.#round();
    state.changed();
  }

  async #round(): Promise<void> {
    this.#cancelRound?.();
    try {
      await this.#sync.run({ documents: 'none', isAutomatic: true });
      this.#probes = 0;
      this.#wasBusy = false;
      // The fetch is not awaited, because documents may take an hour at the published limits.
      this.#sync.fetchOffline().catch(this.#logFault);
      this.#sync.rescanIfDue().catch(this.#logFault);
    } catch (error) {
      // The status contains the reason, and the plan below tries again.
      this.#wasBusy = failureKind(error) === 'busy';
      this.#logFault(error);
    }
    this.#plan();
  }

  #plan(): void {
    if (this.#closed || this.#sync.state.paused) return;
    this.#planRound();
    this.#planRetry();
  }

  #planRound(): void {
    const { state } = this.#sync;
    // A desk without any list is of no use, so it does not wait for the next round.
    const isProbing =
      (state.network === 'offline' && this.#hasReason()) || (this.#wasBusy && !this.#sync.hasRead);
    if (!isProbing) this.#probes = 0;
    const delayMs = isProbing ? this.#probeDelayMs() : this.#intervalMs();
    if (isProbing) this.#probes += 1;
    this.#cancelRound?.();
    this.#cancelRound = this.#clock.after(delayMs, () => void this.#round());
    state.nextSyncAt = new Date(this.#clock.now() + delayMs).toISOString();
    state.changed();
  }

  /** Whether work waits to be sent, or the list was never read. */
  #hasReason(): boolean {
    return this.#work.outbox.rows.counts().waiting > 0 || !this.#sync.hasRead;
  }

  #intervalMs(): number {
    return intervalMs * (1 + jitter * (2 * this.#random.fraction() - 1));
  }

  #probeDelayMs(): number {
    const ceiling = Math.min(probeMaxMs, probeMinMs * 2 ** this.#probes);
    return Math.max(probeMinMs, ceiling * (0.5 + 0.5 * this.#random.fraction()));
  }

  /** Tries a row at its own time, not only in the next round. */
  #planRetry(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    const { network, paused } = this.#sync.state;
    if (network === 'offline' || paused || this.#closed) return;
    const nextMs = this.#sync.delivery.nextAttemptMs();
    if (nextMs === null) return;
    const delayMs = Math.max(1000, nextMs - this.#clock.now());
    this.#cancelRetry = this.#clock.after(delayMs, () => this.#sync.delivery.deliverSoon());
  }
}
