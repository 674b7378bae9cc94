/** Where time comes from. Passed in everywhere, so that tests hold it in their hands. */
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
 * Whether what is done once a day is due again; NaN: it was never done. A clock that went back must
 * not put it off for longer than a day.
 */
export function isDayOver(lastMs: number, nowMs: number): boolean {
  return !(Math.abs(nowMs - lastMs) < dayMs);
}
