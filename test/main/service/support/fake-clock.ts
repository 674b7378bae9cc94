import type { Clock } from '#shared/lib/clock.ts';
import { systemClock } from '#main/front/clock.ts';

export interface FakeClock extends Clock {
  /** Lets time pass. Due tasks run in order. */
  advance(ms: number): void;
  /** Resolves when a task is scheduled with a delay of exactly `ms`. */
  putOff(ms: number): Promise<void>;
}

/** Creates a clock that moves only if a test advances it. It starts at the machine's time. */
export function createFakeClock(startMs = Date.now()): FakeClock {
  let elapsedMs = 0;
  let tasks: { atMs: number; task: () => void }[] = [];
  let waiting: { ms: number; resolve: () => void }[] = [];
  return {
    now: () => startMs + elapsedMs,
    monotonic: () => elapsedMs,
    uptime: () => elapsedMs,
    after(ms, task) {
      const entry = { atMs: elapsedMs + ms, task };
      tasks.push(entry);
      for (const waiter of waiting) if (waiter.ms === ms) waiter.resolve();
      waiting = waiting.filter((waiter) => waiter.ms !== ms);
      return () => {
        tasks = tasks.filter((other) => other !== entry);
      };
    },
    advance(ms) {
      const untilMs = elapsedMs + ms;
      for (;;) {
        const next = tasks.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
        if (!next) break;
        tasks = tasks.filter((entry) => entry !== next);
        elapsedMs = next.atMs;
        next.task();
      }
      elapsedMs = untilMs;
    },
    putOff: (ms) => new Promise((resolve) => waiting.push({ ms, resolve })),
  };
}

/**
 * A service's clock that follows the machine, for clients that have the machine's time: a proof that
 * is more than 10 s ahead of the service is refused.
 */
export const machineClock: FakeClock = {
  ...systemClock,
  advance: () => undefined,
  putOff: () => Promise.resolve(),
};
