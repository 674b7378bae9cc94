import type { Database } from '../database/sqlite.ts';

type StateName =
  | 'cursor'
  | 'last-synced'
  | 'last-full-rescan'
  | 'last-document-purge'
  | 'last-case-purge'
  | 'retention-audit'
  | 'client-memory'
  | 'ready-checks'
  | 'pull-reading'
  | 'pull-findings'
  | 'pull-restored'
  | 'delivery-run';

/** Cursors of the pull, and other small texts that belong to the cache. */
export class PullState {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  text(name: StateName): string | null {
    const find = this.#db.prepare<[string], string>('SELECT value FROM state WHERE name = ?');
    return find.pluck().get(name) ?? null;
  }

  setText(name: StateName, value: string): void {
    this.#db
      .prepare('INSERT INTO state VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
      .run(name, value);
  }

  removeText(name: StateName): void {
    this.#db.prepare('DELETE FROM state WHERE name = ?').run(name);
  }

  markSeen(ids: readonly string[]): void {
    this.#db
      .prepare('INSERT OR IGNORE INTO pull_seen SELECT value FROM json_each(?)')
      .run(JSON.stringify(ids));
  }

  seenCount(): number {
    const count = this.#db.prepare<[], number>('SELECT count(*) FROM pull_seen').pluck();
    return count.get() ?? 0;
  }

  forgetSeen(): void {
    this.#db.prepare('DELETE FROM pull_seen').run();
  }
}
