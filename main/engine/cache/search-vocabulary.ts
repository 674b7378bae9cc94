import { searchWords } from '#shared/lib/words.ts';
import type { Database } from '../database/sqlite.ts';
import { foldedWord } from './search-terms.ts';

/** Prefixes up to here have an index of their own (the migrations that make the indexes). */
const indexedPrefixMax = 3;
/** A beginning of more terms than this is rare in each of them, so merging them costs little. */
const termsMax = 64;

/** The terms that a full-text index holds. */
export class SearchVocabulary {
  readonly #nextTerm;

  constructor(db: Database, index: 'case_search' | 'document_search') {
    const terms = `temp.${index}_terms`;
    db.exec(`CREATE VIRTUAL TABLE ${terms} USING fts5vocab (main, ${index}, instance)`);
    this.#nextTerm = db
      .prepare<[string], string>(`SELECT term FROM ${terms} WHERE term >= ? LIMIT 1`)
      .pluck();
  }

  /**
   * What `searchExpression` says, in the form that is found quickest in this index; the terms of
   * one index are not those of another.
   */
  expression(q: string): string | null {
    const words = searchWords(q);
    return words.length === 0 ? null : words.map((word) => this.#expand(word)).join(' AND ');
  }

  /**
   * A beginning longer than the indexed ones would be merged from all its terms before the first
   * hit is known, which takes a tenth of a second for a word that most cases hold. Terms named in
   * full are walked lazily instead, newest first.
   */
  #expand(word: string): string {
    const folded = foldedWord(word);
    const prefix = `"${word}"*`;
    if (folded === null || folded.length <= indexedPrefixMax) return prefix;
    const terms: string[] = [];
    let from = folded;
    for (;;) {
      const term = this.#nextTerm.get(from);
      if (!term?.startsWith(folded)) break;
      if (terms.length === termsMax) return prefix;
      terms.push(term);
      // Nothing stands between a term and itself with this behind it.
      from = `${term}\u0001`;
    }
    return terms.length === 0 ? prefix : `(${terms.map((term) => `"${term}"`).join(' OR ')})`;
  }
}
