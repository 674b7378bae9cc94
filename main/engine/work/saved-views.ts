import { caseViewSchema, type CaseView, type CaseViewInput } from '#shared/desk/cases/cases.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Database } from '../database/sqlite.ts';

/** A saved view in its stored form, with the content as JSON. */
export interface StoredView {
  readonly id: string;
  readonly name: string;
  readonly content: string;
}

export function readStoredViews(db: Database): StoredView[] {
  return db
    .prepare<[], StoredView>(
      'SELECT id, name, content FROM saved_views ORDER BY name COLLATE NOCASE, id',
    )
    .all();
}

/** Adds views of a backup. A view whose name or id exists here is left out. */
export function insertStoredViews(db: Database, views: readonly StoredView[]): void {
  const insert = db.prepare<[StoredView]>(
    `INSERT INTO saved_views (id, name, content)
     SELECT @id, @name, @content WHERE NOT EXISTS
       (SELECT 1 FROM saved_views WHERE id = @id OR name = @name COLLATE NOCASE)`,
  );
  for (const view of views) insert.run(view);
}

const contentSchema = caseViewSchema.omit({ id: true, name: true });

/** The views of the case list that the user saved, sorted by their names. */
export class SavedViews {
  readonly #db: Database;
  readonly #newId: () => string;

  constructor(parts: { db: Database; newId: () => string }) {
    this.#db = parts.db;
    this.#newId = parts.newId;
  }

  list(): CaseView[] {
    return readStoredViews(this.#db).flatMap(({ id, name, content }) => {
      // A view that this version cannot read stays stored and is not shown.
      const read = contentSchema.safeParse(JSON.parse(content));
      return read.success ? [{ id, name, ...read.data }] : [];
    });
  }

  /**
   * Stores a new view; with an id it changes a view.
   * @throws {DeskError} view_name_taken; view_not_found if another window deleted the view
   */
  save({ id: known, name, ...content }: CaseViewInput): CaseView {
    if (known !== undefined && !this.#has(known)) throw new DeskError('view_not_found', { name });
    const id = known ?? this.#newId();
    const taken = this.#db
      .prepare<[string, string]>(
        'SELECT 1 FROM saved_views WHERE name = ? COLLATE NOCASE AND id <> ?',
      )
      .get(name, id);
    if (taken !== undefined) throw new DeskError('view_name_taken', { name });
    this.#db
      .prepare<[string, string, string]>(
        `INSERT INTO saved_views (id, name, content) VALUES (?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, content = excluded.content`,
      )
      .run(id, name, JSON.stringify(content));
    return { id, name, ...content };
  }

  #has(id: string): boolean {
    return (
      this.#db.prepare<[string]>('SELECT 1 FROM saved_views WHERE id = ?').get(id) !== undefined
    );
  }

  /** Removing a view that is missing is not an error. */
  remove(id: string): void {
    this.#db.prepare<[string]>('DELETE FROM saved_views WHERE id = ?').run(id);
  }
}
