import type { Database } from '../database/sqlite.ts';
import { type DocumentIndex, searchExpression } from './document-index.ts';

/** Finds cases by words in themselves and in their documents. */
export class CaseSearch {
  readonly #documents: DocumentIndex;
  readonly #clear;
  readonly #insertCases;
  readonly #insertFound;
  readonly #insertIds;
  /** Ids of further cases that a search finds, by what the cache does not hold. */
  also: (q: string) => readonly string[] = () => [];

  constructor(db: Database, documents: DocumentIndex) {
    this.#documents = documents;
    // In memory (temp_store). Filled once for the page and its counts.
    db.exec('CREATE TEMP TABLE hits (seq INTEGER PRIMARY KEY)');
    this.#clear = db.prepare('DELETE FROM temp.hits');
    this.#insertCases = db.prepare<[string]>(
      'INSERT INTO temp.hits SELECT rowid FROM case_search WHERE case_search MATCH ?',
    );
    this.#insertFound = db.prepare<[string]>(
      'INSERT OR IGNORE INTO temp.hits SELECT value FROM json_each(?)',
    );
    this.#insertIds = db.prepare<[string]>(
      `INSERT OR IGNORE INTO temp.hits
       SELECT seq FROM cases WHERE id IN (SELECT value FROM json_each(?))`,
    );
  }

  /**
   * Leaves in `temp.hits` the `cases.seq` of the cases that have all words of `q`, or have a document
   * with all of them, or are among the further ones.
   * @returns null, and no hits, if `q` has no words; `isWhole` is false if more documents have the words
   * than a search looks at
   */
  find(q = ''): { isWhole: boolean } | null {
    const match = searchExpression(q);
    if (match === null) return null;
    const { seqs, isWhole } = this.#documents.casesWith(match);
    this.#clear.run();
    this.#insertCases.run(match);
    this.#insertFound.run(JSON.stringify(seqs));
    const ids = this.also(q);
    if (ids.length > 0) this.#insertIds.run(JSON.stringify(ids));
    return { isWhole };
  }
}
