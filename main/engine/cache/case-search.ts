import { searchWords, wordsOf } from '#shared/lib/words.ts';
import type { PayloadDigest } from '#shared/payload/digest.ts';
import type { Database } from '../database/sqlite.ts';
import type { CaseInput } from './case-records.ts';
import type { DocumentIndex } from './document-index.ts';

/** Finds cases by words in themselves and in their documents. */
export class CaseSearch {
  readonly #documents: DocumentIndex;
  readonly #clear;
  readonly #insertCases;
  readonly #insertFound;

  constructor(db: Database, documents: DocumentIndex) {
    this.#documents = documents;
    // In memory (temp_store). Searched once for the page, its order and all counts.
    db.exec('CREATE TEMP TABLE hits (seq INTEGER PRIMARY KEY)');
    this.#clear = db.prepare('DELETE FROM temp.hits');
    this.#insertCases = db.prepare<[string]>(
      'INSERT INTO temp.hits SELECT rowid FROM case_search WHERE case_search MATCH ?',
    );
    this.#insertFound = db.prepare<[string]>(
      'INSERT OR IGNORE INTO temp.hits SELECT value FROM json_each(?)',
    );
  }

  /**
   * Leaves in `temp.hits` the places (`cases.seq`) of the cases that have all words of `q`, or have a
   * document with all of them.
   * @returns null, and no hits, if `q` has no words; `isWhole` is false if more documents have the words
   * than a search looks at
   */
  find(q = ''): { isWhole: boolean } | null {
    const match = searchExpression(q);
    if (match === null) return null;
    const { places, isWhole } = this.#documents.casesWith(match);
    this.#clear.run();
    this.#insertCases.run(match);
    this.#insertFound.run(JSON.stringify(places));
    return { isWhole };
  }
}

/**
 * An FTS5 expression: every word of `q` must begin some word of what is searched. Null if `q` has no
 * words. The words are quoted, so a person's text never reaches the syntax of FTS5.
 */
export function searchExpression(q: string): string | null {
  const words = searchWords(q);
  return words.length === 0 ? null : words.map((word) => `"${word}"*`).join(' AND ');
}

/** What `case_search` holds of a case. */
export function searchText(input: CaseInput, digest: PayloadDigest): string {
  return [
    input.externalKey,
    joinedForms(input.externalKey, digest.licensePlate, digest.policyNumber),
    input.insurer.name,
    input.insurer.responsible.name,
    input.expertComment,
    digest.searchText,
  ].join(' ');
}

/** Identifiers without their gaps: `ZH 123 456`, `ZH123456` and `zh-123456` find the same car. */
function joinedForms(...identifiers: readonly string[]): string {
  return identifiers
    .map((identifier) => wordsOf(identifier))
    .filter((words) => words.length > 1)
    .map((words) => words.join(''))
    .join(' ');
}
