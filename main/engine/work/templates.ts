import { type Appraiser, appraiserSchema, type Template } from '#shared/desk/templates.ts';
import { categories } from '#shared/api/case-words.ts';
import { languages } from '#shared/i18n/language.ts';
import { z } from 'zod';
import { DeskError } from '#shared/desk/errors.ts';
import type { Database } from '../database/sqlite.ts';
import type { TakenFile } from './attachment-rows.ts';

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  language: z.enum(languages),
  category: z.enum(categories).nullable(),
  file_name: z.string(),
  size_bytes: z.int(),
  sha256: z.string(),
  blob_id: z.string(),
  added_at: z.string(),
});

/** A template that the user added; its file is in the store. */
export interface StoredTemplate {
  readonly id: string;
  readonly name: string;
  readonly language: Template['language'];
  readonly category: Template['category'];
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly blobId: string;
  readonly addedAt: string;
}
type Choices = Pick<StoredTemplate, 'name' | 'language' | 'category'>;

/** The office's own templates, and who writes the reports. */
export class Templates {
  readonly #db: Database;
  readonly #now: () => string;
  readonly #newId: () => string;
  /** For as long as their contents stay. */
  readonly #removed = new Map<string, StoredTemplate>();

  constructor(options: { db: Database; now: () => string; newId: () => string }) {
    this.#db = options.db;
    this.#now = options.now;
    this.#newId = options.newId;
  }

  list(): StoredTemplate[] {
    const rows = this.#db.prepare('SELECT * FROM templates ORDER BY name COLLATE NOCASE, id').all();
    return rows.map((row) => templateOf(row));
  }

  /** @throws {DeskError} template_not_found */
  get(id: string): StoredTemplate {
    const row = this.#db.prepare('SELECT * FROM templates WHERE id = ?').get(id);
    if (row === undefined) throw new DeskError('template_not_found');
    return templateOf(row);
  }

  add({ fileName, sizeBytes, sha256, blobId }: TakenFile, choices: Choices): StoredTemplate {
    const id = this.#newId();
    const addedAt = this.#now();
    this.#insert({ id, ...choices, fileName, sizeBytes, sha256, blobId, addedAt });
    return this.get(id);
  }

  #insert(template: StoredTemplate): void {
    this.#db
      .prepare(
        `INSERT INTO templates (id, name, language, category, file_name, size_bytes, sha256,
           blob_id, added_at)
         VALUES (@id, @name, @language, @category, @fileName, @sizeBytes, @sha256,
           @blobId, @addedAt)`,
      )
      .run(template);
  }

  change(id: string, { name, language, category }: Choices): StoredTemplate {
    this.get(id);
    this.#db
      .prepare('UPDATE templates SET name = ?, language = ?, category = ? WHERE id = ?')
      .run(name, language, category, id);
    return this.get(id);
  }

  /** The content stays until the next start (see `removeOrphans`). */
  remove(id: string): void {
    this.#removed.set(id, this.get(id));
    this.#db.prepare('DELETE FROM templates WHERE id = ?').run(id);
  }

  /** @throws {DeskError} template_not_found if it was not removed since the last start */
  restore(id: string): void {
    const removed = this.#removed.get(id);
    if (!removed) throw new DeskError('template_not_found');
    this.#insert(removed);
    this.#removed.delete(id);
  }

  blobIds(): string[] {
    return this.list().map(({ blobId }) => blobId);
  }

  appraiser(): Appraiser {
    const text = this.#db
      .prepare<[], string>(`SELECT value FROM local_values WHERE name = 'appraiser'`)
      .pluck()
      .get();
    return appraiserSchema.parse(text === undefined ? {} : JSON.parse(text));
  }

  setAppraiser(appraiser: Appraiser): void {
    this.#db
      .prepare(`INSERT OR REPLACE INTO local_values (name, value) VALUES ('appraiser', ?)`)
      .run(JSON.stringify(appraiser));
  }
}

function templateOf(value: unknown): StoredTemplate {
  const row = rowSchema.parse(value);
  return {
    id: row.id,
    name: row.name,
    language: row.language,
    category: row.category,
    fileName: row.file_name,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    blobId: row.blob_id,
    addedAt: row.added_at,
  };
}
