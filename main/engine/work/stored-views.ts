import type { Database } from '../database/sqlite.ts';

/** A saved view as it is stored, its content as JSON: what a backup gives back (set-aside.ts). */
export interface StoredView {
  readonly id: string;
  readonly name: string;
  readonly content: string;
}

/** All that a store holds, also one of a version that knew no views. */
export function readStoredViews(db: Database): StoredView[] {
  const isThere = db
    .prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'saved_views'`)
    .get();
  return isThere === undefined
    ? []
    : db.prepare<[], StoredView>('SELECT id, name, content FROM saved_views ORDER BY name').all();
}

/** Puts views in; one whose name or id is taken here stays out. */
export function insertStoredViews(db: Database, views: readonly StoredView[]): void {
  const insert = db.prepare<[StoredView]>(
    `INSERT INTO saved_views (id, name, content)
     SELECT @id, @name, @content WHERE NOT EXISTS
       (SELECT 1 FROM saved_views WHERE id = @id OR name = @name COLLATE NOCASE)`,
  );
  for (const view of views) insert.run(view);
}
