/** Where time comes from. Passed in everywhere, so that tests hold it in their hands. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 in UTC; may jump. */
  now(): number;
  /** Milliseconds since some fixed moment of this process; never jumps. */
  monotonic(): number;
  /** Resolves after `ms` of monotonic time, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
