import type { Clock } from '#shared/lib/clock.ts';

export interface FakeClock extends Clock {
  /** Lets time pass; tasks that fall due run in their order. */
  advance(ms: number): void;
}

/** A clock that stands still until it is told otherwise; starts at the machine's time. */
export function createFakeClock(startMs = Date.now()): FakeClock {
  let elapsedMs = 0;
  let tasks: { atMs: number; task: () => void }[] = [];
  return {
    now: () => startMs + elapsedMs,
    monotonic: () => elapsedMs,
    after(ms, task) {
      const entry = { atMs: elapsedMs + ms, task };
      tasks.push(entry);
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
  };
}
