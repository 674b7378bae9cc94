import { z } from 'zod';
import type { Database } from '../database/sqlite.ts';

/** A pull of the list that is under way; it continues after a crash. */
const pullCursorSchema = z.object({
  /** The LastChangedAt that it started from; null for the first pull of all. */
  since: z.string().nullable(),
  nextPage: z.int().positive(),
  /** Server time before its first page was asked for, milliseconds. */
  startedMs: z.number(),
  /** Total of its last page. */
  total: z.int(),
  /** The list got shorter during the pull, which may have missed something. */
  shrank: z.boolean(),
  /** Highest LastChangedAt seen, as the server wrote it. */
  highest: z.string().nullable(),
});
export type PullCursor = z.infer<typeof pullCursorSchema>;

type StateName =
  | 'cursor'
  | 'last-synced'
  | 'last-full-rescan'
  | 'last-document-purge'
  | 'last-case-purge'
  | 'retention-audit'
  | 'client-memory'
  | 'ready-checks'
  | 'pull-cursor';

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

  pullCursor(): PullCursor | null {
    const text = this.text('pull-cursor');
    return text === null ? null : pullCursorSchema.parse(JSON.parse(text));
  }

  savePullCursor(cursor: PullCursor): void {
    this.setText('pull-cursor', JSON.stringify(cursor));
  }

  /**
   * Ends the pull that is under way; `cursor` null leaves the cursor that the next one starts from
   * unchanged.
   */
  endPull(cursor: string | null): void {
    if (cursor !== null) this.setText('cursor', cursor);
    this.#db.prepare("DELETE FROM state WHERE name = 'pull-cursor'").run();
    this.forgetSeen();
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
