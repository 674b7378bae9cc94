import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';

/** What the full-text index holds of a claim. */
export interface SearchEntry {
  readonly claimNumber: number;
  /** A token for each organization that sees the claim. */
  readonly owners: readonly string[];
  /** A token for each thing that lists filter by. */
  readonly facets: readonly string[];
  /** Its facets and the text in which it is searched. */
  readonly text: string;
}

/** What is asked of the full-text index. */
export interface Search {
  /** The token of the organization that asks; only its claims are found. */
  readonly owner: string;
  /** Every one of them must occur in the claim's text. */
  readonly words: readonly string[];
  readonly facets: readonly string[];
}

/** What a search finds. */
export interface Hits {
  /**
   * A subquery: the numbers of the owner's claims in which every one of the words and facets
   * occurs. Words without a letter or digit ask for nothing, and only such find nothing.
   * @param newest only these, counted from the highest number.
   */
  numbers(newest?: { readonly limit: number; readonly offset: number }): RawBuilder<number>;
  /** How many there are. */
  count(): Promise<number>;
}

/** What SQLite and PostgreSQL say differently, beside opening a store. */
export interface DialectWords {
  /** Type of a column of bytes. */
  readonly bytesType: 'blob' | 'bytea';
  /** Type of a number that counts up by itself. */
  readonly countingType: 'integer' | 'serial';
  /** Makes the full-text index over claims. */
  createSearchIndex<Tables>(db: Kysely<Tables>): Promise<void>;
  /** Enters a claim that is not in the index. */
  insertSearchEntry<Tables>(db: Kysely<Tables>, entry: SearchEntry): Promise<void>;
  /**
   * Enters a claim again that has changed.
   * @param former as it is in the index.
   */
  replaceSearchEntry<Tables>(
    db: Kysely<Tables>,
    entry: SearchEntry,
    former: Pick<SearchEntry, 'owners' | 'facets'>,
  ): Promise<void>;
  /** Prepares a search; it is to be run outside transactions. */
  hitsOf<Tables>(db: Kysely<Tables>, search: Search): Promise<Hits>;
  /**
   * The rows of a statement that gives rows, at once; undefined where it has to go through Kysely,
   * because the store is elsewhere or a transaction is open. Kysely hands a query on through a
   * dozen promises, which takes longer than SQLite does.
   */
  rowsAtOnce<Row, Tables>(db: Kysely<Tables>, query: CompiledQuery<Row>): Row[] | undefined;
}
