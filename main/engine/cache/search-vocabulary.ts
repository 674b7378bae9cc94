import { searchWords } from '#shared/lib/words.ts';
import type { Database } from '../database/sqlite.ts';
import { foldedWord } from './search-terms.ts';

/** Prefixes up to here have an index of their own (the migrations that make the indexes). */
const indexedPrefixMax = 3;
/** A beginning of more terms than this is rare in each of them, so merging them costs little. */
const termsMax = 64;
/** Terms that are read at once where each is in few cases: one comes once for each case that has it. */
const atOnce = 16;
/** Nothing stands between a term and itself with this behind it. */
const nextSign = '\u0001';
/** Comes after every other. */
const lastSign = '\u{10ffff}';

/** The terms that a full-text index holds. */
export class SearchVocabulary {
  readonly #inRow;
  readonly #jumping;

  constructor(db: Database, index: 'case_search' | 'document_search') {
    const terms = `temp.${index}_terms`;
    db.exec(`CREATE VIRTUAL TABLE ${terms} USING fts5vocab (main, ${index}, instance)`);
    this.#inRow = db
      .prepare<[string], string>(`SELECT term FROM ${terms} WHERE term >= ? LIMIT ${atOnce}`)
      .pluck();
    this.#jumping = db
      .prepare<[{ from: string; end: string; next: string }], string>(
        `WITH RECURSIVE own (term) AS (
           SELECT (SELECT term FROM ${terms} WHERE term >= @from LIMIT 1)
           UNION ALL
           SELECT (SELECT term FROM ${terms} WHERE term >= own.term || @next LIMIT 1)
           FROM own WHERE own.term < @end
         )
         SELECT term FROM own WHERE term < @end LIMIT ${termsMax + 1}`,
      )
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
    const terms = this.#termsFrom(folded);
    if (terms.size === 0 || terms.size > termsMax) return prefix;
    return `(${[...terms].map((term) => `"${term}"`).join(' OR ')})`;
  }

  /**
   * Terms that begin so, and a few more than `termsMax` where there are as many. Those of few cases
   * each are read in a row; where the same ones come again and again, they are jumped over.
   */
  #termsFrom(beginning: string): Set<string> {
    const terms = new Set<string>();
    let from = beginning;
    while (terms.size <= termsMax) {
      const next = this.#inRow.all(from);
      const own = new Set(next.filter((term) => term.startsWith(beginning)));
      for (const term of own) terms.add(term);
      const last = next.at(-1);
      if (next.length < atOnce || last === undefined || !own.has(last)) break;
      from = last + nextSign;
      if (own.size > atOnce / 2) continue;
      const others = this.#jumping.all({ from, end: beginning + lastSign, next: nextSign });
      return new Set([...terms, ...others]);
    }
    return terms;
  }
}
