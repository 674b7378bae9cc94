/** The source of time. It is a parameter everywhere, so that tests control it. */
export interface Clock {
  /** The wall clock in milliseconds since 1970 in UTC. It may jump. */
  now(): number;
  /** Milliseconds since a fixed moment of this process. The value never jumps. */
  monotonic(): number;
  /**
   * Milliseconds since the machine started, to a second. It includes the time that the machine
   * slept, and nobody can set it.
   */
  uptime(): number;
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

/** The longest wait of a timer. If a wait is longer, runtimes fire the timer immediately. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The machine's clock, built on a runtime's timers, for waits of any length.
 * @param timers its `after` may be limited to 24.8 days
 */
export function createSystemClock(timers: Omit<Clock, 'now'>): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => timers.monotonic(),
    uptime: () => timers.uptime(),
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
 * Runs a task every `everyMs`, counted from the end of its last run. The task must not fail.
 * @returns a function that stops the repetition and waits for a running task
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
