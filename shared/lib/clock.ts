/** Where time comes from. Passed in everywhere, so that tests hold it in their hands. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 in UTC; may jump. */
  now(): number;
  /** Milliseconds since some fixed moment of this process; never jumps. */
  monotonic(): number;
  /** Runs `task` once after `ms` of monotonic time; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
}
