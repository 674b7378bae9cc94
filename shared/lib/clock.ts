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
