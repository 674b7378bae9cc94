import type { Kysely, RawBuilder, SqlBool } from 'kysely';
import type { Database, LimitTables, ReplayTables } from './tables.ts';

/**
 * The service's store: files of one process, or a database that several processes share.
 * Transactions run one after the other, over all processes.
 */
export interface Store {
  /** A commit survives a power cut. */
  readonly db: Kysely<Database>;
  /**
   * Used jtis of proofs and assertions. Apart, because every request writes one and would wait for
   * the disk; they survive the death of the process, but not always a power cut.
   */
  readonly replay: Kysely<ReplayTables>;
  /** Levels of the rate limits, if processes share them. */
  readonly limits: Kysely<LimitTables> | undefined;
  /** Runs what only one process at a time may do while it starts. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The differences between SQLite and PostgreSQL, besides opening a store. */
export interface DialectAdapter {
  /** Type of a column of bytes. */
  readonly bytesType: 'blob' | 'bytea';
  /** Type of a number that counts up by itself. */
  readonly countingType: 'integer' | 'serial';
  /** Creates what only this dialect has, among it the trigram index over `claim_payloads`. */
  createOwnSchema<Tables>(db: Kysely<Tables>): Promise<void>;
  /**
   * A condition on a row of `claims`: its search text contains every word.
   * @param words folded, at least one.
   */
  containsWords(words: readonly string[]): RawBuilder<SqlBool>;
}
