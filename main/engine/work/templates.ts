import { type Appraiser, appraiserSchema, type Template } from '#shared/desk/reports/templates.ts';
import { categories } from '#shared/api/case-words.ts';
import { languages } from '#shared/i18n/language.ts';
import { z } from 'zod';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Database } from '../database/sqlite.ts';
import { jsonValue, StoredValues } from '../database/stored-values.ts';
import type { TakenFile } from './attachment-rows.ts';

const appraiserValue = jsonValue('appraiser', appraiserSchema);
/** The appraiser's signature: a picture of at most 2 MB. */
const storedSignatureSchema = z.object({
  format: z.enum(['image/jpeg', 'image/png']),
  base64: z.base64(),
});
export type StoredSignature = z.infer<typeof storedSignatureSchema>;
const signatureValue = jsonValue('signature', storedSignatureSchema);

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
  version: z.int(),
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
  /** Counts the files that the template had. */
  readonly version: number;
}

/** An earlier file of a template. */
export type EarlierFile = Pick<
  StoredTemplate,
  'id' | 'version' | 'fileName' | 'sizeBytes' | 'sha256' | 'blobId' | 'addedAt'
>;
type Choices = Pick<StoredTemplate, 'name' | 'language' | 'category'>;

/** The user's own templates, and the author of the reports. */
export class Templates {
  readonly #db: Database;
  readonly #values: StoredValues;
  readonly #now: () => string;
  readonly #newId: () => string;
  /** The removed templates, for as long as their contents stay. */
  readonly #removed = new Map<string, { template: StoredTemplate; earlier: EarlierFile[] }>();

  constructor(options: { db: Database; now: () => string; newId: () => string }) {
    this.#db = options.db;
    this.#values = new StoredValues(options.db, 'local_values');
    this.#now = options.now;
    this.#newId = options.newId;
  }

  list(): StoredTemplate[] {
    const rows = this.#db.prepare('SELECT * FROM templates ORDER BY name COLLATE NOCASE, id').all();
    return rows.map((row) => templateOf(row));
  }

  /** A template. @throws {DeskError} template_not_found */
  get(id: string): StoredTemplate {
    const row = this.#db.prepare('SELECT * FROM templates WHERE id = ?').get(id);
    if (row === undefined) throw new DeskError('template_not_found');
    return templateOf(row);
  }

  add({ fileName, sizeBytes, sha256, blobId }: TakenFile, choices: Choices): StoredTemplate {
    const id = this.#newId();
    const addedAt = this.#now();
    this.#insert({ id, ...choices, fileName, sizeBytes, sha256, blobId, addedAt, version: 1 });
    return this.get(id);
  }

  /**
   * The next version of the template with this file name; the earlier file stays. Null if there is
   * no such template.
   */
  addVersion(file: TakenFile): StoredTemplate | null {
    const before = this.list().find(
      ({ fileName }) => fileName.toLowerCase() === file.fileName.toLowerCase(),
    );
    return before ? this.setFile(before.id, file) : null;
  }

  /** The next version of a template; the same file again is none. */
  setFile(id: string, file: Pick<TakenFile, 'sizeBytes' | 'sha256' | 'blobId'>): StoredTemplate {
    const before = this.get(id);
    if (before.sha256 === file.sha256) return before;
    return this.#db.transaction(() => {
      this.#insertEarlier(before);
      const { sizeBytes, sha256, blobId } = file;
      this.#db
        .prepare(
          `UPDATE templates SET size_bytes = ?, sha256 = ?, blob_id = ?, added_at = ?, version = ?
           WHERE id = ?`,
        )
        .run(sizeBytes, sha256, blobId, this.#now(), before.version + 1, before.id);
      return this.get(before.id);
    })();
  }

  /** The earlier files of a template, the newest first. */
  earlier(id: string): EarlierFile[] {
    return this.#db
      .prepare<[string], EarlierFile>(
        `SELECT template_id AS id, version, file_name AS fileName, size_bytes AS sizeBytes, sha256,
           blob_id AS blobId, added_at AS addedAt
         FROM template_versions WHERE template_id = ? ORDER BY version DESC`,
      )
      .all(id);
  }

  #insertEarlier({ id, version, fileName, sizeBytes, sha256, blobId, addedAt }: EarlierFile): void {
    this.#db
      .prepare('INSERT INTO template_versions VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(id, version, fileName, sizeBytes, sha256, blobId, addedAt);
  }

  #insert(template: StoredTemplate): void {
    this.#db
      .prepare(
        `INSERT INTO templates (id, name, language, category, file_name, size_bytes, sha256,
           blob_id, added_at, version)
         VALUES (@id, @name, @language, @category, @fileName, @sizeBytes, @sha256,
           @blobId, @addedAt, @version)`,
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

  /** Removes a template. Its content stays until the next start (see `removeOrphans`). */
  remove(id: string): void {
    this.#removed.set(id, { template: this.get(id), earlier: this.earlier(id) });
    this.#db.prepare('DELETE FROM templates WHERE id = ?').run(id);
  }

  /**
   * Restores a template. @throws {DeskError} template_not_found if it was not removed since the
   * last start
   */
  restore(id: string): void {
    const removed = this.#removed.get(id);
    if (!removed) throw new DeskError('template_not_found');
    this.#insert(removed.template);
    for (const file of removed.earlier) this.#insertEarlier(file);
    this.#removed.delete(id);
  }

  /** The contents of the templates, also of those that can be restored. */
  blobIds(): string[] {
    const listed = this.list().map((template) => ({
      template,
      earlier: this.earlier(template.id),
    }));
    return [...listed, ...this.#removed.values()].flatMap(({ template, earlier }) =>
      [template, ...earlier].map(({ blobId }) => blobId),
    );
  }

  appraiser(): Appraiser {
    return this.#values.get(appraiserValue) ?? appraiserSchema.parse({});
  }

  setAppraiser(appraiser: Appraiser): void {
    this.#values.set(appraiserValue, appraiser);
  }

  signature(): StoredSignature | null {
    return this.#values.get(signatureValue);
  }

  /** @param signature null removes it */
  setSignature(signature: StoredSignature | null): void {
    if (signature) this.#values.set(signatureValue, signature);
    else this.#values.remove(signatureValue);
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
    version: row.version,
  };
}
