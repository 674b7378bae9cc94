import { z } from 'zod';
import type { Database } from '../database/sqlite.ts';

/** A walk over the list that is under way; it goes on after a crash where it stood. */
const walkSchema = z.object({
  /** The cursor that it started from; null for the first walk of all. */
  since: z.string().nullable(),
  nextPage: z.int().positive(),
  /** Server time before its first page was asked for, milliseconds. */
  startedMs: z.number(),
  /** Total of its last page. */
  total: z.int(),
  /** The list got shorter meanwhile: something may have slipped past. */
  shrank: z.boolean(),
  /** Highest LastChangedAt seen, as the server wrote it. */
  highest: z.string().nullable(),
});
export type Walk = z.infer<typeof walkSchema>;

type StateName =
  'cursor' | 'last-synced' | 'last-swept' | 'documents-swept' | 'client-memory' | 'walk';

/** Cursor and walk of the pull, and other small texts that belong to the cache. */
export class WalkStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  text(name: StateName): string | null {
    return (
      this.#db
        .prepare<[string], { value: string }>('SELECT value FROM state WHERE name = ?')
        .get(name)?.value ?? null
    );
  }

  setText(name: StateName, value: string): void {
    this.#db
      .prepare('INSERT INTO state VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
      .run(name, value);
  }

  walk(): Walk | null {
    const text = this.text('walk');
    return text === null ? null : walkSchema.parse(JSON.parse(text));
  }

  saveWalk(walk: Walk): void {
    this.setText('walk', JSON.stringify(walk));
  }

  /** Ends the walk; `cursor` null keeps the cursor that there is. */
  endWalk(cursor: string | null): void {
    if (cursor !== null) this.setText('cursor', cursor);
    this.#db.prepare("DELETE FROM state WHERE name = 'walk'").run();
    this.forgetSeen();
  }

  markSeen(ids: readonly string[]): void {
    this.#db
      .prepare('INSERT OR IGNORE INTO walk_seen SELECT value FROM json_each(?)')
      .run(JSON.stringify(ids));
  }

  seenCount(): number {
    return (
      this.#db.prepare<[], { count: number }>('SELECT count(*) AS count FROM walk_seen').get()
        ?.count ?? 0
    );
  }

  forgetSeen(): void {
    this.#db.prepare('DELETE FROM walk_seen').run();
  }
}
