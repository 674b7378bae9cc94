/** The source of random values. Passed in everywhere, so that tests can repeat a run. */
export interface Random {
  /** A version 4 uuid. */
  uuid(): string;
  /** At least 0, less than 1; for jitter, never for secrets. */
  fraction(): number;
  /** Unpredictable bytes, for keys. */
  bytes(length: number): Uint8Array;
}
