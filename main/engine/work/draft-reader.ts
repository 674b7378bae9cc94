import { isSameId } from '#shared/api/conventions.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { QueueState } from '#shared/desk/delivery/queue.ts';
import type { Database } from '../database/sqlite.ts';
import { AttachmentRows, type StoredAttachment } from './attachment-rows.ts';

export interface Draft {
  readonly id: string;
  readonly caseId: string;
  readonly comment: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly queueId: number | null;
  /** The server time (ms) since which another laptop may have the same report; null if none may. */
  readonly sharedSinceMs: number | null;
  /**
   * The submission at the partner of which this is a copy, with a mark if it lacks files; null for a
   * draft of this laptop.
   */
  readonly copyOf: string | null;
  /** The files in the order in which they will be uploaded. */
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

/** A draft that contains a content, and its first file with it. */
interface ContainingDraft {
  readonly draftId: string;
  readonly attachmentId: string;
  readonly queueId: number | null;
  readonly queueState: QueueState | null;
}

/** Reads the drafts. */
export class DraftReader {
  protected readonly db: Database;
  protected readonly files: AttachmentRows;

  constructor(db: Database) {
    this.db = db;
    this.files = new AttachmentRows(db);
  }

  /** Returns a draft. @throws {DeskError} draft_not_found */
  get(id: string): Draft {
    const row = this.db
      .prepare<[string], DraftColumns>('SELECT * FROM drafts WHERE id = ?')
      .get(id);
    const draft = row && this.#withAttachments([row])[0];
    if (!draft) throw new DeskError('draft_not_found');
    return draft;
  }

  /**
   * The drafts whose report is not delivered, of one case or of all. The last changed comes first.
   */
  listOpen(caseId: string | null): Draft[] {
    return this.#withAttachments(
      this.db
        .prepare<[{ caseId: string | null }], DraftColumns>(
          `SELECT d.* FROM drafts d LEFT JOIN outbox o ON o.id = d.queue_id
           WHERE (@caseId IS NULL OR d.case_id = @caseId)
             AND d.copy_of IS NULL AND (d.queue_id IS NULL OR o.state != 'delivered')
             AND d.case_id != ''
           ORDER BY d.updated_at DESC, d.id`,
        )
        .all({ caseId }),
    );
  }

  /** The drafts of cases that are not queued, with the number and bytes of the files to be sent. */
  begun(): { id: string; caseId: string; createdAt: string; files: number; sizeBytes: number }[] {
    return this.db
      .prepare<[], ReturnType<DraftReader['begun']>[number]>(
        `SELECT d.id, d.case_id AS caseId, d.created_at AS createdAt, count(a.id) AS files,
           coalesce(sum(a.size_bytes), 0) AS sizeBytes
         FROM drafts d LEFT JOIN attachments a ON a.draft_id = d.id
           AND NOT coalesce(a.details ->> '$.isWithheld', 0)
         WHERE d.queue_id IS NULL AND d.copy_of IS NULL AND d.case_id != ''
         GROUP BY d.id ORDER BY d.created_at, d.id`,
      )
      .all();
  }

  #withAttachments(rows: readonly DraftColumns[]): Draft[] {
    const byDraft = this.files.of(rows.map(({ id }) => id));
    return rows.map((row) => ({
      id: row.id,
      caseId: row.case_id,
      comment: row.comment,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      queueId: row.queue_id,
      sharedSinceMs: row.shared_since_ms,
      copyOf: row.copy_of,
      attachments: byDraft.get(row.id) ?? [],
    }));
  }

  /**
   * The draft of a case that contains this content, as the user added it or as it is sent. A queued
   * or delivered draft comes first.
   */
  containing(caseId: string, sha256: string): ContainingDraft | null {
    return (
      this.db
        .prepare<[{ caseId: string; sha256: string }], ContainingDraft>(
          `SELECT d.id AS draftId, a.id AS attachmentId, o.id AS queueId, o.state AS queueState
           FROM drafts d JOIN attachments a ON a.draft_id = d.id
           LEFT JOIN outbox o ON o.id = d.queue_id
           WHERE d.case_id = @caseId AND d.copy_of IS NULL
             AND @sha256 IN (a.sha256, a.details ->> '$.original.sha256')
           ORDER BY o.id IS NULL, d.updated_at DESC, a.position LIMIT 1`,
        )
        .get({ caseId, sha256 }) ?? null
    );
  }

  /**
   * What this laptop has of a submission: the draft that it sent, if no other program's document
   * was submitted with it; otherwise the copy that was fetched.
   */
  ofSubmission(submissionId: string): Draft | null {
    const alike = this.db
      .prepare<[{ submissionId: string }], { id: string; of: string }>(
        `SELECT id, copy_of AS "of" FROM drafts WHERE copy_of = @submissionId COLLATE NOCASE
         UNION ALL
         SELECT d.id, s.server_id FROM outbox_steps s JOIN outbox o ON o.id = s.row_id
           JOIN drafts d ON d.queue_id = o.id
         WHERE s.server_id = @submissionId COLLATE NOCASE AND s.kind = 'draft'
           AND o.state = 'delivered'
           AND coalesce(json_array_length(o.act, '$.decided.submit'), 0) = 0`,
      )
      .all({ submissionId });
    const found = alike.find(({ of }) => isSameId(of, submissionId));
    return found ? this.get(found.id) : null;
  }

  /** The files of these drafts, in their order. */
  attachmentsOf(ids: readonly string[]): StoredAttachment[] {
    const byDraft = this.files.of(ids);
    return ids.flatMap((id) => byDraft.get(id) ?? []);
  }

  /** A file by its id; null if no draft contains it. */
  findAttachment(id: string): { draftId: string; attachment: StoredAttachment } | null {
    return this.files.find(id);
  }

  /** The number of attached contents and their bytes. Equal contents count once. */
  attachedFiles(): { count: number; bytes: number } {
    return this.files.contents();
  }

  /** The contents of the drafts. */
  blobIds(): Set<string> {
    return this.files.blobIds();
  }
}
