import { z } from 'zod';
import type { Attachment } from '#shared/desk/reports.ts';
import {
  attachmentDetailsSchema,
  originalSchema,
  type AttachmentDetails,
} from '#shared/photos/details.ts';
import type { Database } from '../database/sqlite.ts';

const storedOriginalSchema = originalSchema.extend({ blobId: z.string(), sha256: z.string() });

/** Details with the place of the original, as the work store has them (JSON). */
const storedDetailsSchema = attachmentDetailsSchema.extend({
  original: storedOriginalSchema.nullable().default(null),
});
export type StoredDetails = z.infer<typeof storedDetailsSchema>;

export const parseDetails = (details: z.input<typeof storedDetailsSchema>): StoredDetails =>
  storedDetailsSchema.parse(details);
const readDetails = (text: string): StoredDetails => storedDetailsSchema.parse(JSON.parse(text));

export interface StoredAttachment extends Omit<Attachment, 'details'> {
  readonly blobId: string;
  readonly details: StoredDetails;
}

/**
 * Whether a picture may contain more than its picture: no window made it ready, and it could not be
 * stripped. It is not sent.
 */
export const isUnready = ({ contentType, details }: StoredAttachment): boolean =>
  contentType.startsWith('image/') && details.renderedVersion === null && !details.isBare;

/** Whether hidden data of a picture are not sent, and no window did anything else to it. */
export const isStripped = ({ details }: Pick<Attachment, 'details'>): boolean =>
  details.isBare && details.renderedVersion === null && details.original !== null;

/** A file whose bytes are in the store. */
export type StoredFile = Omit<StoredAttachment, 'id' | 'details'>;

/** The same as it was taken in, with what was found in it. */
export interface TakenFile extends StoredFile {
  readonly found?: Partial<Pick<StoredDetails, 'isBare' | 'takenAt' | 'original' | 'isProtected'>>;
}

interface AttachmentColumns {
  id: string;
  draft_id: string;
  file_name: string;
  content_type: string;
  size_bytes: number;
  sha256: string;
  blob_id: string;
  is_salvage_sale: number;
  details: string;
}

/** The files of drafts as they are stored; what may be done with them when is the drafts' matter. */
export class AttachmentRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** By draft, in the order in which they will be uploaded. */
  of(draftIds: readonly string[]): Map<string, StoredAttachment[]> {
    const rows = this.#db
      .prepare<[string], AttachmentColumns>(
        `SELECT a.* FROM json_each(?) wanted JOIN attachments a ON a.draft_id = wanted.value
         ORDER BY a.draft_id, a.position`,
      )
      .all(JSON.stringify(draftIds));
    const byDraft = new Map<string, StoredAttachment[]>();
    for (const [id, ofDraft] of Map.groupBy(rows, ({ draft_id }) => draft_id))
      byDraft.set(id, ofDraft.map(attachmentOf));
    return byDraft;
  }

  find(id: string): { draftId: string; attachment: StoredAttachment } | null {
    const row = this.#db
      .prepare<[string], AttachmentColumns>('SELECT * FROM attachments WHERE id = ?')
      .get(id);
    return row ? { draftId: row.draft_id, attachment: attachmentOf(row) } : null;
  }

  /** Files from the position on move down by one. */
  insert(draftId: string, file: StoredAttachment, position: number): void {
    this.#db
      .prepare(
        'UPDATE attachments SET position = position + 1 WHERE draft_id = ? AND position >= ?',
      )
      .run(draftId, position);
    this.#db
      .prepare(
        `INSERT INTO attachments (id, draft_id, position, file_name, content_type, size_bytes,
           sha256, blob_id, is_salvage_sale, details)
         VALUES (@id, @draftId, @position, @fileName, @contentType, @sizeBytes,
           @sha256, @blobId, @isSalvageSale, @details)`,
      )
      .run({ ...columnsOf(file), draftId, position });
  }

  /** Everything of a file but its place. */
  put(file: StoredAttachment): void {
    this.#db
      .prepare(
        `UPDATE attachments SET file_name = @fileName, content_type = @contentType,
           size_bytes = @sizeBytes, sha256 = @sha256, blob_id = @blobId,
           is_salvage_sale = @isSalvageSale, details = @details
         WHERE id = @id`,
      )
      .run(columnsOf(file));
  }

  /** @param ids all of a draft, in their new order */
  place(ids: readonly string[]): void {
    const place = this.#db.prepare('UPDATE attachments SET position = ? WHERE id = ?');
    ids.forEach((id, position) => place.run(position, id));
  }

  /** Behind the last file of a draft. */
  nextPosition(draftId: string): number {
    const next = this.#db
      .prepare<[string], number>(
        'SELECT coalesce(max(position) + 1, 0) FROM attachments WHERE draft_id = ?',
      )
      .pluck();
    return next.get(draftId) ?? 0;
  }

  /** Into another draft. */
  move(
    { id, isSalvageSale }: { readonly id: string; readonly isSalvageSale: boolean },
    draftId: string,
    position: number,
  ): void {
    this.#db
      .prepare(
        'UPDATE attachments SET draft_id = ?, position = ?, is_salvage_sale = ? WHERE id = ?',
      )
      .run(draftId, position, Number(isSalvageSale), id);
  }

  remove(id: string): void {
    this.#db.prepare('DELETE FROM attachments WHERE id = ?').run(id);
  }

  /** How many contents there are, originals too, and their bytes; equal ones are one file. */
  contents(): { count: number; bytes: number } {
    const found = this.#db
      .prepare<[], { count: number; bytes: number }>(
        `SELECT count(*) AS count, coalesce(sum(size_bytes), 0) AS bytes
         FROM (
           SELECT blob_id, size_bytes FROM attachments
           UNION SELECT details ->> '$.original.blobId', details ->> '$.original.sizeBytes'
             FROM attachments WHERE details ->> '$.original.blobId' IS NOT NULL)`,
      )
      .get();
    return found ?? { count: 0, bytes: 0 };
  }

  blobIds(): Set<string> {
    const rows = this.#db
      .prepare<[], { blob_id: string }>(
        `SELECT blob_id FROM attachments
         UNION SELECT details ->> '$.original.blobId' FROM attachments
           WHERE details ->> '$.original.blobId' IS NOT NULL`,
      )
      .all();
    return new Set(rows.map(({ blob_id }) => blob_id));
  }
}

/** Without the name of its encrypted file. */
export function attachmentView(attachment: StoredAttachment): Attachment {
  const { id, fileName, contentType, sizeBytes, sha256, isSalvageSale, details } = attachment;
  const shown = { id, fileName, contentType, sizeBytes, sha256, isSalvageSale };
  return { ...shown, details: detailsView(details) };
}

const columnsOf = (file: StoredAttachment) => ({
  id: file.id,
  fileName: file.fileName,
  contentType: file.contentType,
  sizeBytes: file.sizeBytes,
  sha256: file.sha256,
  blobId: file.blobId,
  isSalvageSale: Number(file.isSalvageSale),
  details: JSON.stringify(file.details),
});

function attachmentOf(row: AttachmentColumns): StoredAttachment {
  return {
    id: row.id,
    fileName: row.file_name,
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    isSalvageSale: row.is_salvage_sale === 1,
    blobId: row.blob_id,
    details: readDetails(row.details),
  };
}

/** Without the name of the original's encrypted file. */
function detailsView({ original, ...details }: StoredDetails): AttachmentDetails {
  if (original === null) return { ...details, original };
  const { fileName, contentType, sizeBytes, page } = original;
  return { ...details, original: { fileName, contentType, sizeBytes, page } };
}

/** The originals of packed attachments: contents that travel with what is sent. */
export function originalOf(details: unknown): StoredDetails['original'] {
  return typeof details === 'string' ? readDetails(details).original : null;
}

/** The same details, with the original under the name that another store gave it. */
export function withOriginalBlob(details: unknown, blobIdOf: (sha256: string) => string): string {
  if (typeof details !== 'string') return '{}';
  const stored = readDetails(details);
  const { original } = stored;
  return JSON.stringify({
    ...stored,
    original: original && { ...original, blobId: blobIdOf(original.sha256) },
  });
}
