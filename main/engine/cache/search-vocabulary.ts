import { searchWords } from '#shared/lib/words.ts';
import type { Database } from '../database/sqlite.ts';
import { foldedWord } from './search-terms.ts';

/** Prefixes up to here have an index of their own (the migrations that make the indexes). */
const indexedPrefixMax = 3;
/** A beginning of more terms than this is rare in each of them, so merging them costs little. */
const termsMax = 64;
/**
 * Terms that are read at once. One comes once for each case that has it: many at once is quick where
 * each is in few cases, and few are enough where it is in many.
 */
const atOnce = 16;

/** The terms that a full-text index holds. */
export class SearchVocabulary {
  readonly #nextTerms;

  constructor(db: Database, index: 'case_search' | 'document_search') {
    const terms = `temp.${index}_terms`;
    db.exec(`CREATE VIRTUAL TABLE ${terms} USING fts5vocab (main, ${index}, instance)`);
    this.#nextTerms = db
      .prepare<[string], string>(`SELECT term FROM ${terms} WHERE term >= ? LIMIT ${atOnce}`)
      .pluck();
  }

  /**
   * An FTS5 expression in which every word of `q` must begin some word of what is looked for; null
   * where `q` has no words. A person's text never reaches the index's own syntax. In the form that is
   * found quickest in this index; the terms of one index are not those of another.
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
    const terms = new Set<string>();
    let from: string | null = folded;
    while (from !== null) {
      const next: string[] = this.#nextTerms.all(from);
      const own = next.filter((term) => term.startsWith(folded));
      for (const term of own) terms.add(term);
      if (terms.size > termsMax) return prefix;
      const last = own.length < atOnce ? undefined : own.at(-1);
      // Nothing stands between a term and itself with this behind it.
      from = last === undefined ? null : `${last}\u0001`;
    }
    return terms.size === 0 ? prefix : `(${[...terms].map((term) => `"${term}"`).join(' OR ')})`;
  }
}
