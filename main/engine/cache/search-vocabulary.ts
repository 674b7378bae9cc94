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
/** Beginnings whose terms are kept. */
const keptMax = 100;
/** Comes after every other. */
const lastSign = '\u{10ffff}';

/** The terms that a full-text index holds. */
export class SearchVocabulary {
  readonly #inRow;
  readonly #jumping;
  readonly #changes;
  /** What was spelled out since the database changed last, each as `#termsFrom` gave it. */
  readonly #kept = new Map<string, ReadonlySet<string>>();
  #keptAt = -1;

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
    this.#changes = db.prepare<[], number>('SELECT total_changes()').pluck();
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
    const terms = this.#terms(folded);
    if (terms.size === 0 || terms.size > termsMax) return prefix;
    return `(${[...terms].map((term) => `"${term}"`).join(' OR ')})`;
  }

  /**
   * As `#termsFrom`, which takes as long as the search itself. A person asks for the same words again
   * (the next page, the exact numbers, why a case was found), and types them letter by letter: the
   * terms of a longer beginning are among those of a shorter one, if these were all.
   */
  #terms(beginning: string): ReadonlySet<string> {
    const changes = this.#changes.get() ?? 0;
    if (changes !== this.#keptAt || this.#kept.size === keptMax) this.#kept.clear();
    this.#keptAt = changes;
    const known = this.#kept.get(beginning) ?? this.#among(beginning) ?? this.#termsFrom(beginning);
    this.#kept.set(beginning, known);
    return known;
  }

  /** The terms of a beginning among those of a shorter one; null where none has them all. */
  #among(beginning: string): ReadonlySet<string> | null {
    for (let length = beginning.length - 1; length > indexedPrefixMax; length -= 1) {
      const terms = this.#kept.get(beginning.slice(0, length));
      if (terms === undefined || terms.size > termsMax) continue;
      return new Set([...terms].filter((term) => term.startsWith(beginning)));
    }
    return null;
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
