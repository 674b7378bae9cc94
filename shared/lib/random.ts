/** The source of random values. It is a parameter everywhere, so that tests can repeat a run. */
export interface Random {
  /** A version 4 uuid. */
  uuid(): string;
  /** A number from 0 (inclusive) to 1 (exclusive). It is for jitter, never for secrets. */
  fraction(): number;
  /** Unpredictable bytes, for keys. */
  bytes(length: number): Uint8Array;
}
