import type { Clock } from '#shared/lib/clock.ts';

/** Beyond this the wall clock did not drift but jumped: the laptop slept, or the clock was set. */
const jumpMs = 2_000;

/** The moments around a request, by `ServerClock.local()`. */
interface Exchange {
  readonly sentAt: number;
  readonly receivedAt: number;
}

export type ServerClock = ReturnType<typeof createServerClock>;

/**
 * Server time from laptop time and the Date headers seen. Each answer bounds the offset by an
 * interval: the date was written between sending and receiving, and stands for any moment of its
 * second. Intervals are intersected; one that contradicts them means that a clock was set, and
 * starts again. A laptop clock that is hours wrong does no harm.
 * @param savedOffsetMs from an earlier process; null if none is known
 */
export function createServerClock(clock: Clock, savedOffsetMs: number | null) {
  let lastWall = clock.now();
  let lastMonotonic = clock.monotonic();
  let localMs = lastWall;
  let low = (savedOffsetMs ?? 0) - 500;
  let high = (savedOffsetMs ?? 0) + 500;

  const local = () => {
    const wall = clock.now();
    const monotonic = clock.monotonic();
    const elapsed = monotonic - lastMonotonic;
    const wallElapsed = wall - lastWall;
    // The monotonic clock may stand still while the laptop sleeps; the wall clock does not. If a
    // person set the clock, the next answer's date corrects us.
    localMs += wallElapsed - elapsed > jumpMs ? wallElapsed : elapsed;
    lastWall = wall;
    lastMonotonic = monotonic;
    return localMs;
  };
  const offset = () => (low + high) / 2;

  return {
    /** The laptop's own time line: the monotonic clock, continued over the laptop's sleep. */
    local,
    /** Server time now, ms since 1970. */
    now: () => local() + offset(),
    /** Server time minus the laptop's wall clock. */
    offsetMs: () => local() + offset() - clock.now(),
    /**
     * Takes the Date header of an answer (one second of resolution, RFC 9110 section 6.6.1).
     * @returns by how much server time as we knew it was corrected, ms
     */
    learn(dateMs: number, { sentAt, receivedAt }: Exchange): number {
      const before = offset();
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

/**
 * Resolves after `ms` of the clock's monotonic time.
 * @throws the signal's reason, at once, when it fires
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

/** The promise's outcome, or the signal's reason as soon as it fires; the work itself continues. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
