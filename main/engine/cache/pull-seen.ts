import type { Database } from '../database/sqlite.ts';

/** The cases that the current pull has read. */
export class PullSeen {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  add(ids: readonly string[]): void {
    this.#db
      .prepare('INSERT OR IGNORE INTO pull_seen SELECT value FROM json_each(?)')
      .run(JSON.stringify(ids));
  }

  count(): number {
    const count = this.#db.prepare<[], number>('SELECT count(*) FROM pull_seen').pluck();
    return count.get() ?? 0;
  }

  clear(): void {
    this.#db.prepare('DELETE FROM pull_seen').run();
  }
}
