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
  }

  /** What `searchExpression` says, for this index alone. */
  expression(q: string): string | null {
    return this.#vocabulary.expression(q);
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
