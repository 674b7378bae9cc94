import type { Clock } from '#shared/lib/clock.ts';

/**
 * If the wall clock differs by more than this, it did not drift but jump: the laptop slept, or the
 * clock was set.
 */
const jumpMs = 2_000;

/** The moments around a request, by `ServerClock.local()`. */
interface Exchange {
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** The server time as an earlier process knew it, in ms; null if it knew none. */
export interface SavedTime {
  /** The server time minus the laptop's wall clock. */
  readonly offsetMs: number | null;
  /** The server time of the last answer. */
  readonly serverMs: number | null;
}

/**
 * The server time minus the laptop's wall clock, and how it is known: from an answer to this
 * process, from an earlier process, or only as the least, because the wall clock is before the last
 * answer.
 */
export interface ClockOffset {
  readonly offsetMs: number;
  readonly source: 'answer' | 'before' | 'least' | 'unknown';
}

export type ServerClock = ReturnType<typeof createServerClock>;

/**
 * Server time, computed from laptop time and the Date headers of answers. Each answer limits the
 * offset to an interval: the date was written between sending and receiving, and stands for any
 * moment of its second. The intervals are intersected. If an interval contradicts the others, a
 * clock was set, and the computation starts again. Therefore a laptop clock that is hours wrong
 * does no harm.
 */
export function createServerClock(clock: Clock, saved: SavedTime) {
  let lastWall = clock.now();
  let lastMonotonic = clock.monotonic();
  let lastUptime = clock.uptime();
  let localMs = lastWall;
  const earlier = offsetAtStart(lastWall, saved);
  let { source } = earlier;
  let low = earlier.offsetMs - 500;
  let high = earlier.offsetMs + 500;

  const local = () => {
    const wall = clock.now();
    const monotonic = clock.monotonic();
    const uptime = clock.uptime();
    localMs += elapsedOf({
      monotonicMs: monotonic - lastMonotonic,
      wallMs: wall - lastWall,
      uptimeMs: uptime - lastUptime,
    });
    lastWall = wall;
    lastMonotonic = monotonic;
    lastUptime = uptime;
    return localMs;
  };
  const offset = () => (low + high) / 2;

  return {
    /**
     * The laptop's time line: the monotonic clock, which also counts the time that the laptop
     * slept.
     */
    local,
    /** The server time now, in ms since 1970. */
    now: () => local() + offset(),
    /** The server time minus the laptop's wall clock, in ms. */
    offsetMs: () => local() + offset() - clock.now(),
    difference: (): ClockOffset => ({ offsetMs: local() + offset() - clock.now(), source }),
    /**
     * Uses the Date header of an answer (one second of resolution, RFC 9110 section 6.6.1).
     * @returns the correction of the known server time, in ms
     */
    learn(dateMs: number, { sentAt, receivedAt }: Exchange): number {
      const before = offset();
      source = 'answer';
      const newLow = dateMs - receivedAt;
      const newHigh = dateMs + 1000 - sentAt;
      if (newLow > high || newHigh < low) {
        low = newLow;
        high = newHigh;
      } else {
        low = Math.max(low, newLow);
        high = Math.min(high, newHigh);
      }
      return Math.abs(offset() - before);
    },
  };
}

/** The server's time never goes back: at a start it is at least that of the last answer. */
function offsetAtStart(wallMs: number, { offsetMs, serverMs }: SavedTime): ClockOffset {
  const known = offsetMs ?? 0;
  const behindMs = serverMs === null ? 0 : serverMs - (wallMs + known);
  if (behindMs > jumpMs) return { offsetMs: known + behindMs, source: 'least' };
  return { offsetMs: known, source: offsetMs === null ? 'unknown' : 'before' };
}

/**
 * The time that passed between two readings. The monotonic clock may stand still while the laptop
 * sleeps, but the wall clock and the uptime do not. If only the wall clock went on, it was set.
 */
function elapsedOf(times: { monotonicMs: number; wallMs: number; uptimeMs: number }): number {
  const { monotonicMs } = times;
  const sleptMs = Math.max(0, times.uptimeMs - monotonicMs);
  const aheadMs = times.wallMs - monotonicMs;
  if (sleptMs <= jumpMs) return monotonicMs;
  // The wall clock is finer than the uptime.
  return Math.abs(aheadMs - sleptMs) <= jumpMs ? times.wallMs : monotonicMs + sleptMs;
}

/**
 * Resolves after `ms` of the clock's monotonic time.
 * @throws the signal's reason as soon as it fires
 */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      cancel();
      reject(signal?.reason as Error);
    };
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    });
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}

/**
 * The outcome of the promise, or the signal's reason as soon as it fires. The work itself
 * continues.
 */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
