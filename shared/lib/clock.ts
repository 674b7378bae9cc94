/** The source of time. Passed in everywhere, so that tests control it. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 in UTC; may jump. */
  now(): number;
  /** Milliseconds since some fixed moment of this process; never jumps. */
  monotonic(): number;
  /** Runs `task` once after `ms` of monotonic time; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
}

export const dayMs = 24 * 60 * 60_000;

/**
 * Whether a daily task is due again. `lastMs` is NaN if it never ran. A clock that was set back must
 * not delay the task for more than a day.
 */
export function isDayOver(lastMs: number, nowMs: number): boolean {
  return !(Math.abs(nowMs - lastMs) < dayMs);
}

/** Runtimes fire a timer for a longer wait at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The machine's clock over a runtime's timers, for waits of any length.
 * @param timers `after` may be limited to 24.8 days
 */
export function createSystemClock(timers: Omit<Clock, 'now'>): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => timers.monotonic(),
    after(ms, task) {
      let cancel: () => void;
      const wait = (leftMs: number) => {
        const nextMs = Math.min(leftMs, longestTimerMs);
        cancel = timers.after(nextMs, () => (leftMs > nextMs ? wait(leftMs - nextMs) : task()));
      };
      wait(ms);
      return () => cancel();
    },
  };
}

/**
 * Runs a task every `everyMs`, counted from its last end. The task must not fail.
 * @returns the function that stops the repetition; it waits for a run under way
 */
export function repeat(
  clock: Pick<Clock, 'after'>,
  everyMs: number,
  task: () => void | Promise<void>,
): () => Promise<void> {
  let isStopped = false;
  let running = Promise.resolve();
  let cancel: () => void;
  const schedule = () => {
    if (!isStopped) cancel = clock.after(everyMs, run);
  };
  function run(): void {
    const result = task();
    if (result) running = result.then(schedule);
    else schedule();
  }
  schedule();
  return async () => {
    isStopped = true;
    cancel();
    await running;
  };
}
