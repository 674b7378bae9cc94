import type { Clock } from '#shared/lib/clock.ts';
import type { Random } from '#shared/lib/random.ts';
import type { Work } from '../work/open-work.ts';
import type { Sync } from './sync.ts';

const intervalMs = 5 * 60_000;
/** Not all desks of an organization at the same moment. */
const jitter = 0.1;
const probeMinMs = 5000;
const probeMaxMs = 60_000;
const watchMs = 10_000;
const sleepMinMs = 30_000;

/**
 * When a round runs by itself: at the start, every five minutes, after the laptop slept, and soon
 * after the network is back. Once a day everything is read again.
 */
export class Schedule {
  readonly #sync: Sync;
  readonly #work: Work;
  readonly #clock: Clock;
  readonly #random: Random;
  #cancelRound: (() => void) | null = null;
  #cancelRetry: (() => void) | null = null;
  #cancelWatch: (() => void) | null = null;
  #probes = 0;
  #started = false;
  /** A round that began because the network is back has not ended. */
  #isReturning = false;
  /** The network was said to be back again meanwhile: that round may have been too early. */
  #isSaidAgain = false;
  #closed = false;

  constructor(parts: { sync: Sync; work: Work; clock: Clock; random: Random }) {
    this.#sync = parts.sync;
    this.#work = parts.work;
    this.#clock = parts.clock;
    this.#random = parts.random;
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#watchForSleep();
    void this.#round();
  }

  /**
   * While a laptop sleeps its timers stand still and its wall clock goes on: a gap between the two
   * means that it has just been opened.
   */
  #watchForSleep(): void {
    const lookedAtMs = this.#clock.now();
    this.#cancelWatch = this.#clock.after(watchMs, () => {
      const sleptMs = this.#clock.now() - lookedAtMs - watchMs;
      this.#watchForSleep();
      if (sleptMs >= sleepMinMs && !this.#sync.state.paused) void this.#round();
    });
  }

  close(): void {
    this.#closed = true;
    this.#cancelRound?.();
    this.#cancelRetry?.();
    this.#cancelWatch?.();
  }

  /** A person acted: what they queued goes out now, whatever the last attempt said. */
  deliverSoon(): void {
    if (!this.#started || this.#closed || this.#sync.state.paused) return;
    this.#sync
      .deliver()
      .catch(() => undefined)
      .finally(() => {
        if (this.#sync.state.network === 'offline') this.#plan();
        else this.#planRetry();
      });
  }

  /** The system says that there is a network again, or another one. */
  networkChanged(): void {
    if (!this.#started || this.#closed || this.#sync.state.paused) return;
    // Each window says so, and the shell too.
    this.#isSaidAgain = this.#isReturning;
    if (this.#isReturning || (this.#sync.state.network === 'online' && !this.#hasReason())) return;
    this.#isReturning = true;
    void this.#round().finally(() => {
      this.#isReturning = false;
      if (this.#isSaidAgain && this.#sync.state.network === 'offline') this.networkChanged();
    });
  }

  setPaused(paused: boolean): void {
    this.#sync.state.paused = paused;
    if (paused) {
      this.#cancelRound?.();
      this.#cancelRetry?.();
      this.#sync.state.nextSyncAt = null;
    } else if (this.#started) void this.#round();
    this.#sync.state.changed();
  }

  async #round(): Promise<void> {
    this.#cancelRound?.();
    try {
      await this.#sync.run({ documents: 'none' });
      this.#probes = 0;
      // Documents may take an hour at the published limits; the next round does not wait for them.
      this.#sync.fetchKept().catch(() => undefined);
      this.#sync.sweepIfDue().catch(() => undefined);
    } catch {
      // The status says why; the plan below tries again.
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
    const isProbing = state.network === 'offline' && this.#hasReason();
    if (!isProbing) this.#probes = 0;
    const delayMs = isProbing ? this.#probeDelayMs() : this.#intervalMs();
    if (isProbing) this.#probes += 1;
    this.#cancelRound?.();
    this.#cancelRound = this.#clock.after(delayMs, () => void this.#round());
    state.nextSyncAt = new Date(this.#clock.now() + delayMs).toISOString();
    state.changed();
  }

  /** Something waits to go out, or the list was never read. */
  #hasReason(): boolean {
    return this.#work.outbox.counts().waiting > 0 || this.#sync.status().lastSyncedAt === null;
  }

  #intervalMs(): number {
    return intervalMs * (1 + jitter * (2 * this.#random.fraction() - 1));
  }

  #probeDelayMs(): number {
    const ceiling = Math.min(probeMaxMs, probeMinMs * 2 ** this.#probes);
    return Math.max(probeMinMs, ceiling * (0.5 + 0.5 * this.#random.fraction()));
  }

  /** A row that waits for its own moment is tried then, not only at the next round. */
  #planRetry(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    const { network, paused } = this.#sync.state;
    if (network === 'offline' || paused || this.#closed) return;
    const moments = this.#work.outbox
      .heads()
      .filter(({ state }) => state === 'waiting' || state === 'unknown')
      .map(({ notBeforeMs }) => notBeforeMs ?? 0);
    if (moments.length === 0) return;
    const delayMs = Math.max(1000, Math.min(...moments) - this.#clock.now());
    this.#cancelRetry = this.#clock.after(delayMs, () => this.deliverSoon());
  }
}
