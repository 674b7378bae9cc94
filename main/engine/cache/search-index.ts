import { searchWords } from '#shared/lib/words.ts';
import type { Database } from '../database/sqlite.ts';
import { foldedWord } from './search-terms.ts';

/** Prefixes up to here have an index of their own (the first migration). */
const indexedPrefixMax = 3;
/** A beginning of more terms than this is rare in each of them, so merging them costs little. */
const termsMax = 64;

/** Words of a person against the full-text index; its rowids are places, so newest is last. */
export class SearchIndex {
  readonly #all;
  readonly #before;
  readonly #after;
  readonly #nextTerm;

  constructor(db: Database) {
    db.exec('CREATE VIRTUAL TABLE temp.case_terms USING fts5vocab (main, case_search, instance)');
    const select = 'SELECT rowid FROM case_search WHERE case_search MATCH @match';
    this.#all = db.prepare<[{ match: string }], number>(select).pluck();
    this.#before = db
      .prepare<[Range & { match: string }], number>(
        `${select} AND rowid < @from ORDER BY rowid DESC LIMIT @count`,
      )
      .pluck();
    this.#after = db
      .prepare<[Range & { match: string }], number>(
        `${select} AND rowid > @from ORDER BY rowid LIMIT @count`,
      )
      .pluck();
    this.#nextTerm = db
      .prepare<[string], string>('SELECT term FROM temp.case_terms WHERE term >= ? LIMIT 1')
      .pluck();
  }

  /** What `searchExpression` says, in the form that is found quickest. */
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

  /** Places of every hit, oldest first. */
  places(match: string): number[] {
    return this.#all.all({ match });
  }

  /** Places of the next `count` hits beyond a place, going down from the newest or up. */
  next(match: string, range: Range & { descending: boolean }): number[] {
    const { from, count, descending } = range;
    return (descending ? this.#before : this.#after).all({ match, from, count });
  }
}

interface Range {
  readonly from: number;
  readonly count: number;
}
