import type { Kysely, RawBuilder } from 'kysely';

/** What SQLite and PostgreSQL say differently, beside opening a store. */
export interface DialectWords {
  /** Type of a column of bytes. */
  readonly bytesType: 'blob' | 'bytea';
  /** Type of a number that counts up by itself. */
  readonly countingType: 'integer' | 'serial';
  /** Makes the full-text index over claims. */
  createSearchIndex<Tables>(db: Kysely<Tables>): Promise<void>;
  /** Enters the text in which a claim is searched. */
  insertSearchText<Tables>(db: Kysely<Tables>, claimNumber: number, text: string): Promise<void>;
  /** Enters another text for a claim that has one. */
  replaceSearchText<Tables>(db: Kysely<Tables>, claimNumber: number, text: string): Promise<void>;
  /**
   * A subquery: the numbers of the claims in which every one of the words and facets occurs. Words
   * without a letter or digit ask for nothing, and only such find nothing.
   * @param newest only these, counted from the highest number.
   */
  claimNumbersWithWords(
    words: readonly string[],
    facets: readonly string[],
    newest?: { readonly limit: number; readonly offset: number },
  ): RawBuilder<number>;
}
