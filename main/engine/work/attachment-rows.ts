import { z } from 'zod';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Attachment } from '#shared/desk/reports/reports.ts';
import {
  attachmentDetailsSchema,
  originalSchema,
  type AttachmentDetails,
} from '#shared/photos/details.ts';
import { isPictureType } from '#shared/photos/picture-kinds.ts';
import type { Database } from '../database/sqlite.ts';

const storedOriginalSchema = originalSchema.extend({ blobId: z.string(), sha256: z.string() });

/**
 * The details with the name of the original's encrypted file, as the work store has them (JSON).
 */
const storedDetailsSchema = attachmentDetailsSchema.extend({
  original: storedOriginalSchema.nullable().default(null),
});
export type StoredDetails = z.infer<typeof storedDetailsSchema>;

export const parseDetails = (details: z.input<typeof storedDetailsSchema>): StoredDetails =>
  storedDetailsSchema.parse(details);
export const readDetails = (text: string): StoredDetails =>
  storedDetailsSchema.parse(JSON.parse(text));

/** Whether a file is a further page of a scan. It follows the first one. */
export const isFurtherPage = ({ original }: StoredDetails): boolean => (original?.page ?? 0) > 0;

export interface StoredAttachment extends Omit<Attachment, 'details'> {
  readonly blobId: string;
  readonly details: StoredDetails;
}

/**
 * Whether a picture may contain hidden data: no window prepared it, and it could not be stripped.
 * Such a picture is not sent.
 */
export const isUnready = ({ contentType, details }: StoredAttachment): boolean =>
  isPictureType(contentType) && details.renderedVersion === null && !details.isBare;

/**
 * Refuses a file that no window shows before it is sent, although a window would show it.
 * @throws {DeskError} photo_unready, pdf_looks_damaged
 */
export function assertSentUnseen(attachment: StoredAttachment): void {
  const { fileName, contentType, details } = attachment;
  if (isUnready(attachment)) throw new DeskError('photo_unready', { fileName });
  if (contentType === 'application/pdf' && details.looksDamaged)
    throw new DeskError('pdf_looks_damaged', { fileName });
}

type SentPicture = Pick<Attachment, 'contentType' | 'details'>;

const isPreparedHere = ({ details }: SentPicture): boolean =>
  details.isBare && details.renderedVersion === null && details.original !== null;

/** Whether a picture is sent as a JPEG that no window made. */
export const isConverted = (picture: SentPicture): boolean =>
  isPreparedHere(picture) && picture.details.original?.contentType !== picture.contentType;

/** Whether hidden data of a picture are not sent, and nobody did anything else to it. */
export const isStripped = (picture: SentPicture): boolean =>
  isPreparedHere(picture) && !isConverted(picture);

/** A file whose bytes are in the store. */
export type StoredFile = Omit<StoredAttachment, 'id' | 'details'>;

/** A stored file with what its check found. */
export interface TakenFile extends StoredFile {
  readonly found?: Partial<
    Pick<
      StoredDetails,
      | 'isBare'
      | 'takenAt'
      | 'original'
      | 'isProtected'
      | 'looksDamaged'
      | 'hidesAnswers'
      | 'innerFiles'
    >
  >;
  /** Of a mail that has one. It is not stored. */
  readonly subject?: string | null;
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

/** The rows of the drafts' files. Which changes are allowed, and when, is decided in the drafts. */
export class AttachmentRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The files by draft, in the order in which they will be uploaded. */
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

  /** Inserts a file. The files from the position on move down by one. */
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

  /** Replaces everything of a file except its position. */
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

  /** Sets the order. @param ids the ids of all files of a draft, in their new order */
  place(ids: readonly string[]): void {
    const place = this.#db.prepare('UPDATE attachments SET position = ? WHERE id = ?');
    ids.forEach((id, position) => place.run(position, id));
  }

  /** The position after the last file of a draft. */
  nextPosition(draftId: string): number {
    const next = this.#db
      .prepare<[string], number>(
        'SELECT coalesce(max(position) + 1, 0) FROM attachments WHERE draft_id = ?',
      )
      .pluck();
    return next.get(draftId) ?? 0;
  }

  /** Moves a file into another draft. */
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

  /** The number of contents, including originals, and their bytes. Equal contents count once. */
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

/** The attachment without the name of its encrypted file. */
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

/** The details without the name of the original's encrypted file. */
function detailsView({ original, ...details }: StoredDetails): AttachmentDetails {
  if (original === null) return { ...details, original };
  const { fileName, contentType, sizeBytes, page } = original;
  return { ...details, original: { fileName, contentType, sizeBytes, page } };
}

/** The contents of an attachment: what is sent, and the original of which it was made. */
export function contentsOf({ blobId, details: { original } }: StoredAttachment): string[] {
  return original === null ? [blobId] : [blobId, original.blobId];
}

/** The originals of packed attachments. They are packed together with the sent contents. */
export const originalOf = (details: string): StoredDetails['original'] =>
  readDetails(details).original;

/** The same details, with the name that another store gave to the original. */
export function withOriginalBlob(details: string, blobIdOf: (sha256: string) => string): string {
  const stored = readDetails(details);
  const { original } = stored;
  return JSON.stringify({
    ...stored,
    original: original && { ...original, blobId: blobIdOf(original.sha256) },
  });
}
