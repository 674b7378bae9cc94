import type { Kysely, RawBuilder } from 'kysely';

/** What SQLite and PostgreSQL say differently, beside opening a store. */
export interface DialectWords {
  /** Type of a column of bytes. */
  readonly bytesType: 'blob' | 'bytea';
  /** Type of a number that counts up by itself. */
  readonly countingType: 'integer' | 'serial';
  /** Makes the full-text index over claims. */
  createSearchIndex<Tables>(db: Kysely<Tables>): Promise<void>;
  /** Enters a claim's text; done once, because neither key nor payload ever change. */
  insertSearchText<Tables>(db: Kysely<Tables>, claimNumber: number, text: string): Promise<void>;
  /** A subquery: the numbers of the claims in which every one of the words occurs. */
  claimNumbersWithWords(words: readonly string[]): RawBuilder<number>;
}
