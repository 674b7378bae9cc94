import { caseViewSchema, type CaseView, type CaseViewInput } from '#shared/desk/views.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { Database } from '../database/sqlite.ts';

const contentSchema = caseViewSchema.omit({ id: true, name: true });

/** Views of the case list that a person keeps under a name, sorted by it. */
export class SavedViews {
  readonly #db: Database;
  readonly #newId: () => string;

  constructor(parts: { db: Database; newId: () => string }) {
    this.#db = parts.db;
    this.#newId = parts.newId;
  }

  list(): CaseView[] {
    return this.#db
      .prepare<[], { id: string; name: string; content: string }>(
        'SELECT id, name, content FROM saved_views ORDER BY name COLLATE NOCASE, id',
      )
      .all()
      .flatMap(({ id, name, content }) => {
        // One that an earlier version wrote and this one cannot read is kept and not shown.
        const read = contentSchema.safeParse(JSON.parse(content));
        return read.success ? [{ id, name, ...read.data }] : [];
      });
  }

  /**
   * Keeps a new view, or, with an id, what a view is to be from now on.
   * @throws {DeskError} view_name_taken; view_not_found where another window deleted it meanwhile
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

  /** One that is not there any more is as good as removed. */
  remove(id: string): void {
    this.#db.prepare<[string]>('DELETE FROM saved_views WHERE id = ?').run(id);
  }
}
