import { performance } from 'node:perf_hooks';
import type { Clock } from '#shared/lib/clock.ts';

/**
 * The number of turns of the event loop, 2 ms apart, in which nothing may happen before a wait is
 * skipped.
 */
const usualQuietTurns = 6;
export interface SkippingClock extends Clock {
  /** Marks work that no timer covers. The returned function ends it. */
  begin(): () => void;
  /** Lets time pass. */
  skip(ms: number): void;
  stop(): void;
}

/**
 * Creates a clock that follows the machine but skips waits: if no work is in progress and a caller
 * waits for a near moment, the clock jumps to that moment.
 * @param skippedMaxMs longer waits, such as schedules and time limits, are not skipped
 * @param quietTurns work in another process, such as a database, needs more of them
 * @param passedMs the time that passes by itself. A constant lets only waits count, however busy
 * the machine is.
 */
export function createSkippingClock(
  skippedMaxMs = 10_000,
  quietTurns = usualQuietTurns,
  passedMs = () => performance.now(),
): SkippingClock {
  const startedAtMs = Date.now() - passedMs();
  let skippedMs = 0;
  let underWay = 0;
  let quiet = 0;
  let tasks: { atMs: number; ms: number; run: () => void }[] = [];
  const monotonic = () => passedMs() + skippedMs;
  const touch = () => (quiet = 0);

  const runDue = () => {
    const due = tasks.filter(({ atMs }) => atMs <= monotonic());
    tasks = tasks.filter((task) => !due.includes(task));
    for (const { run } of due.sort((a, b) => a.atMs - b.atMs)) run();
    if (due.length > 0) touch();
  };
  const tick = setInterval(() => {
    runDue();
    quiet += 1;
    if (underWay > 0 || quiet < quietTurns) return;
    const next = tasks.filter(({ ms }) => ms <= skippedMaxMs).map(({ atMs }) => atMs);
    if (next.length === 0) return;
    skippedMs += Math.max(0, Math.min(...next) - monotonic());
    runDue();
  }, 2);

  return {
    now: () => Math.floor(startedAtMs + monotonic()),
    monotonic,
    uptime: monotonic,
    after(ms, run) {
      touch();
      const task = { atMs: monotonic() + ms, ms, run };
      tasks.push(task);
      return () => {
        tasks = tasks.filter((other) => other !== task);
      };
    },
    begin() {
      underWay += 1;
      touch();
      let isOver = false;
      return () => {
        if (!isOver) underWay -= 1;
        isOver = true;
        touch();
      };
    },
    skip(ms) {
      skippedMs += ms;
    },
    stop: () => clearInterval(tick),
  };
}
