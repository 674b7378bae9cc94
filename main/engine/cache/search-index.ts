import type { Database } from '../database/sqlite.ts';
import { SearchVocabulary } from './search-vocabulary.ts';

/** Words of a person against the full-text index; its rowids are places, so newest is last. */
export class SearchIndex {
  readonly #all;
  readonly #before;
  readonly #after;
  readonly #vocabulary: SearchVocabulary;

  constructor(db: Database) {
    this.#vocabulary = new SearchVocabulary(db, 'case_search');
    const select = 'SELECT rowid FROM case_search WHERE case_search MATCH @match';
    // As one text: 100,000 rows of one number take twice as long, and leave a heap that stays.
    this.#all = db.prepare<[{ match: string }], { count: number; places: string | null }>(
      `SELECT count(*) AS count, group_concat(rowid) AS places FROM (${select})`,
    );
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
  }

  /** What to look for in this index alone; null where `q` has no words. */
  expression(q: string): string | null {
    return this.#vocabulary.expression(q);
  }

  /** Places of every hit, oldest first. */
  places(match: string): Float64Array {
    const { count, places } = this.#all.get({ match }) ?? { count: 0, places: null };
    return numbersOf(places ?? '', count);
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

/** Whole numbers from 0 with a comma between them. */
function numbersOf(text: string, count: number): Float64Array {
  const numbers = new Float64Array(count);
  const comma = 44;
  const zero = 48;
  let index = 0;
  let number = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === comma) {
      numbers[index] = number;
      index += 1;
      number = 0;
    } else number = number * 10 + code - zero;
  }
  if (count > 0) numbers[index] = number;
  return numbers;
}
