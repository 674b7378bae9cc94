import type { QueueState } from '#shared/desk/queue.ts';
import type { Attachment } from '#shared/desk/reports.ts';
import { commentMaxLength } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import type { Database } from '../database/sqlite.ts';

export interface StoredAttachment extends Attachment {
  readonly blobId: string;
}

export interface Draft {
  readonly id: string;
  readonly caseId: string;
  readonly comment: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly queueId: number | null;
  /** Server time (ms) from which another laptop may hold the same report; null: never. */
  readonly sharedSinceMs: number | null;
  /** The partner's submission that this is a copy of; null for a draft of this laptop. */
  readonly copyOf: string | null;
  /** In the order in which they will be uploaded. */
  readonly attachments: readonly StoredAttachment[];
}

interface DraftColumns {
  id: string;
  case_id: string;
  comment: string;
  created_at: string;
  updated_at: string;
  queue_id: number | null;
  shared_since_ms: number | null;
  copy_of: string | null;
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
}

/** Reports that are being put together. A queued one no longer changes. */
export class Drafts {
  readonly #db: Database;
  readonly #now: () => string;
  readonly #newId: () => string;

  constructor(options: { db: Database; now: () => string; newId: () => string }) {
    this.#db = options.db;
    this.#now = options.now;
    this.#newId = options.newId;
  }

  create(caseId: string): Draft {
    const id = this.#newId();
    const now = this.#now();
    this.#db
      .prepare(
        `INSERT INTO drafts (id, case_id, comment, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?)`,
      )
      .run(id, caseId, '', now, now);
    return this.get(id);
  }

  /** @throws {DeskError} draft_not_found */
  get(id: string): Draft {
    const row = this.#db
      .prepare<[string], DraftColumns>('SELECT * FROM drafts WHERE id = ?')
      .get(id);
    const draft = row && this.#withAttachments([row])[0];
    if (!draft) throw new DeskError('draft_not_found');
    return draft;
  }

  /** Drafts whose report is not delivered, last changed first; of one case or of all. */
  listOpen(caseId: string | null): Draft[] {
    return this.#withAttachments(
      this.#db
        .prepare<[{ caseId: string | null }], DraftColumns>(
          `SELECT d.* FROM drafts d LEFT JOIN outbox o ON o.id = d.queue_id
           WHERE (@caseId IS NULL OR d.case_id = @caseId)
             AND d.copy_of IS NULL AND (d.queue_id IS NULL OR o.state != 'delivered')
           ORDER BY d.updated_at DESC, d.id`,
        )
        .all({ caseId }),
    );
  }

  #withAttachments(rows: readonly DraftColumns[]): Draft[] {
    const attachments = this.#db
      .prepare<[string], AttachmentColumns>(
        `SELECT a.* FROM json_each(?) wanted JOIN attachments a ON a.draft_id = wanted.value
         ORDER BY a.draft_id, a.position`,
      )
      .all(JSON.stringify(rows.map(({ id }) => id)));
    const byDraft = Map.groupBy(attachments, ({ draft_id }) => draft_id);
    return rows.map((row) => ({
      id: row.id,
      caseId: row.case_id,
      comment: row.comment,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      queueId: row.queue_id,
      sharedSinceMs: row.shared_since_ms,
      copyOf: row.copy_of,
      attachments: (byDraft.get(row.id) ?? []).map(attachmentOf),
    }));
  }

  /** The draft of a case that holds this content; a queued or delivered one first. */
  holding(
    caseId: string,
    sha256: string,
  ): { draftId: string; queueId: number | null; queueState: QueueState | null } | null {
    return (
      this.#db
        .prepare<
          [string, string],
          { draftId: string; queueId: number | null; queueState: QueueState | null }
        >(
          `SELECT d.id AS draftId, o.id AS queueId, o.state AS queueState
           FROM drafts d JOIN attachments a ON a.draft_id = d.id
           LEFT JOIN outbox o ON o.id = d.queue_id
           WHERE d.case_id = ? AND a.sha256 = ? AND d.copy_of IS NULL
           ORDER BY o.id IS NULL, d.updated_at DESC LIMIT 1`,
        )
        .get(caseId, sha256) ?? null
    );
  }

  /** @throws {DeskError} draft_not_found (also a copy), queue_row_state (it is queued already) */
  editable(id: string): Draft {
    const draft = this.get(id);
    if (draft.copyOf !== null) throw new DeskError('draft_not_found');
    if (draft.queueId !== null) {
      throw new DeskError('queue_row_state', { id: draft.queueId, state: 'waiting' });
    }
    return draft;
  }

  /**
   * What this laptop holds of a submission at the partner: the draft that it sent, if nothing from
   * elsewhere was submitted with it, else the copy that was fetched.
   */
  ofSubmission(submissionId: string): Draft | null {
    const found = this.#db
      .prepare<[string, string], { id: string }>(
        `SELECT id FROM drafts WHERE copy_of = ?
         UNION ALL
         SELECT d.id FROM outbox_steps s JOIN outbox o ON o.id = s.row_id
           JOIN drafts d ON d.queue_id = o.id
         WHERE s.server_id = ? AND s.kind = 'draft' AND o.state = 'delivered'
           AND coalesce(json_array_length(o.act, '$.decided.submit'), 0) = 0
         LIMIT 1`,
      )
      .get(submissionId, submissionId);
    return found ? this.get(found.id) : null;
  }

  /** Stores a draft with all of its files: a copy of a submission, or what begins as one. */
  createWith(content: {
    caseId: string;
    comment: string;
    copyOf: string | null;
    files: readonly Omit<StoredAttachment, 'id'>[];
  }): Draft {
    return this.#db.transaction(() => {
      const { id } = this.create(content.caseId);
      this.update({ draftId: id, comment: content.comment });
      for (const file of content.files) this.addAttachment(id, file);
      this.#db.prepare('UPDATE drafts SET copy_of = ? WHERE id = ?').run(content.copyOf, id);
      return this.get(id);
    })();
  }

  #touch(id: string): void {
    this.#db.prepare('UPDATE drafts SET updated_at = ? WHERE id = ?').run(this.#now(), id);
  }

  /** @throws {DeskError} comment_too_long, invalid_input, draft_not_found, queue_row_state */
  update(input: {
    draftId: string;
    comment?: string | undefined;
    order?: readonly string[] | undefined;
  }): Draft {
    const { draftId, comment, order } = input;
    assertCommentLength(comment ?? '');
    return this.#db.transaction(() => {
      const draft = this.editable(draftId);
      if (comment !== undefined) {
        this.#db.prepare('UPDATE drafts SET comment = ? WHERE id = ?').run(comment, draftId);
      }
      if (order) {
        const known = new Set(draft.attachments.map(({ id }) => id));
        const isPermutation =
          order.length === known.size &&
          new Set(order).size === known.size &&
          order.every((id) => known.has(id));
        if (!isPermutation) {
          throw new DeskError('invalid_input', { field: 'order', rule: 'every_attachment_once' });
        }
        const place = this.#db.prepare('UPDATE attachments SET position = ? WHERE id = ?');
        order.forEach((id, position) => place.run(position, id));
      }
      this.#touch(draftId);
      return this.get(draftId);
    })();
  }

  addAttachment(draftId: string, file: Omit<StoredAttachment, 'id'>): Attachment {
    return this.#db.transaction(() => {
      const draft = this.editable(draftId);
      const id = this.#newId();
      this.#db
        .prepare('INSERT INTO attachments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
        .run(
          id,
          draftId,
          draft.attachments.length,
          file.fileName,
          file.contentType,
          file.sizeBytes,
          file.sha256,
          file.blobId,
          Number(file.isSalvageSale),
        );
      this.#touch(draftId);
      return attachmentView({ id, ...file });
    })();
  }

  updateAttachment(
    draftId: string,
    attachmentId: string,
    change: { fileName: string; isSalvageSale: boolean },
  ): Draft {
    return this.#db.transaction(() => {
      this.editable(draftId);
      this.#db
        .prepare(
          `UPDATE attachments SET file_name = ?, is_salvage_sale = ?
           WHERE id = ? AND draft_id = ?`,
        )
        .run(change.fileName, Number(change.isSalvageSale), attachmentId, draftId);
      this.#touch(draftId);
      return this.get(draftId);
    })();
  }

  /** Puts another file in the place of one, which keeps its mark. */
  replaceAttachment(
    draftId: string,
    attachmentId: string,
    file: Omit<StoredAttachment, 'id' | 'isSalvageSale'>,
  ): Attachment {
    return this.#db.transaction(() => {
      this.editable(draftId);
      this.attachment(draftId, attachmentId);
      this.#db
        .prepare(
          `UPDATE attachments SET file_name = @fileName, content_type = @contentType,
             size_bytes = @sizeBytes, sha256 = @sha256, blob_id = @blobId
           WHERE id = @attachmentId`,
        )
        .run({ ...file, attachmentId });
      this.#touch(draftId);
      return attachmentView(this.attachment(draftId, attachmentId));
    })();
  }

  /** @throws {DeskError} document_not_found */
  attachment(draftId: string, attachmentId: string): StoredAttachment {
    const found = this.get(draftId).attachments.find(({ id }) => id === attachmentId);
    if (!found) throw new DeskError('document_not_found');
    return found;
  }

  /** The content stays until the next start (see `removeOrphans`). */
  removeAttachment(draftId: string, attachmentId: string): Draft {
    return this.#db.transaction(() => {
      this.editable(draftId);
      this.attachment(draftId, attachmentId);
      this.#db.prepare('DELETE FROM attachments WHERE id = ?').run(attachmentId);
      this.#close(draftId);
      this.#touch(draftId);
      return this.get(draftId);
    })();
  }

  /** Closes gaps in the order. */
  #close(draftId: string): void {
    const place = this.#db.prepare('UPDATE attachments SET position = ? WHERE id = ?');
    this.get(draftId).attachments.forEach(({ id }, position) => place.run(position, id));
  }

  /** The contents stay until the next start (see `removeOrphans`). */
  discard(id: string): void {
    this.#db.transaction(() => {
      this.editable(id);
      this.#db.prepare('DELETE FROM drafts WHERE id = ?').run(id);
    })();
  }

  /** From here on the draft belongs to its row of the outbox. */
  bindToQueue(id: string, queueId: number): void {
    this.editable(id);
    this.#db.prepare('UPDATE drafts SET queue_id = ? WHERE id = ?').run(queueId, id);
  }

  /** Cases with a draft, typed text, or work that is not delivered. */
  casesInWork(): Set<string> {
    const rows = this.#db
      .prepare<[], { id: string }>(
        `SELECT d.case_id AS id FROM drafts d LEFT JOIN outbox o ON o.id = d.queue_id
           WHERE d.copy_of IS NULL AND (d.queue_id IS NULL OR o.state != 'delivered')
         UNION SELECT case_id FROM edits
         UNION SELECT case_id FROM outbox WHERE state NOT IN ('delivered', 'discarded')`,
      )
      .all();
    return new Set(rows.map(({ id }) => id));
  }

  /** How many contents are attached, and their bytes; equal ones are one file. */
  attachedFiles(): { count: number; bytes: number } {
    const found = this.#db
      .prepare<[], { count: number; bytes: number }>(
        `SELECT count(*) AS count, coalesce(sum(size_bytes), 0) AS bytes
         FROM (SELECT DISTINCT blob_id, size_bytes FROM attachments)`,
      )
      .get();
    return found ?? { count: 0, bytes: 0 };
  }

  blobIds(): Set<string> {
    const rows = this.#db
      .prepare<[], { blob_id: string }>('SELECT DISTINCT blob_id FROM attachments')
      .all();
    return new Set(rows.map(({ blob_id }) => blob_id));
  }
}

/** @throws {DeskError} comment_too_long */
export function assertCommentLength(text: string): void {
  if (text.length <= commentMaxLength) return;
  const params = { field: 'comment', max: commentMaxLength, length: text.length };
  throw new DeskError('comment_too_long', params);
}

/** Without the name of its encrypted file. */
export function attachmentView(attachment: StoredAttachment): Attachment {
  const { id, fileName, contentType, sizeBytes, sha256, isSalvageSale } = attachment;
  return { id, fileName, contentType, sizeBytes, sha256, isSalvageSale };
}

function attachmentOf(row: AttachmentColumns): StoredAttachment {
  return {
    id: row.id,
    fileName: row.file_name,
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    isSalvageSale: row.is_salvage_sale === 1,
    blobId: row.blob_id,
  };
}
