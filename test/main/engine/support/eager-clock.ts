import type { Clock } from '#shared/lib/clock.ts';

export interface EagerClock extends Clock {
  /** Lets time pass without running anything. */
  skip(ms: number): void;
}

/** A clock on which whoever waits is served at once: time jumps to the moment waited for. */
export function createEagerClock(startMs = Date.parse('2026-03-02T08:00:00Z')): EagerClock {
  let elapsedMs = 0;
  return {
    now: () => startMs + elapsedMs,
    monotonic: () => elapsedMs,
    after(ms, task) {
      const atMs = elapsedMs + ms;
      const immediate = setImmediate(() => {
        elapsedMs = Math.max(elapsedMs, atMs);
        task();
      });
      return () => clearImmediate(immediate);
    },
    skip(ms) {
      elapsedMs += ms;
    },
  };
}
