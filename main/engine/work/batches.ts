import { z } from 'zod';
import {
  batchMatchSchema,
  batchSheetSchema,
  batchTemplateSchema,
  type BatchMatch,
  type BatchTemplate,
} from '#shared/desk/reports/batch.ts';
import { type DeskProblem, storedProblemSchema } from '#shared/desk/contract/errors.ts';
import type { Database } from '../database/sqlite.ts';
import { isFurtherPage, type StoredAttachment } from './attachment-rows.ts';
import type { Drafts } from './drafts.ts';

/** A sheet with amounts and comments, with the result of its last reading. */
const storedSheetSchema = z.object({
  fileName: z.string(),
  contentBase64: z.string(),
  read: batchSheetSchema,
});
export type StoredSheet = z.infer<typeof storedSheetSchema>;

const pathsSchema = z.array(z.string());

export interface StoredBatch {
  /** The id of the batch, and of the draft that contains its files. */
  readonly id: string;
  readonly startedAt: string;
  /** The folder that the command line reads; null if the files were dropped into a window. */
  readonly folder: string | null;
  readonly comment: string;
  /** The number of files of the system that were dropped, too, and are left out. */
  readonly leftOut: number;
  readonly sheet: StoredSheet | null;
  /** The template that is filled for each of the cases. */
  readonly template: BatchTemplate | null;
}

/** The user's decisions about a file. An absent value stays. */
interface Decided {
  readonly caseId: string | null;
  readonly typed: string;
  readonly isCorrected: boolean;
  readonly isSalvageSale: boolean;
  readonly comment: string;
  readonly sendsAgain: boolean;
  readonly isRemoved: boolean;
}
export type FileChange = { readonly [Name in keyof Decided]?: Decided[Name] | undefined };

export interface BatchFile extends Decided {
  readonly path: string;
  readonly sizeBytes: number;
  readonly match: BatchMatch;
  /** The reason why the bytes were refused. */
  readonly problem: DeskProblem | null;
  /** The attachments: several for the pages of a scan; empty until the bytes have arrived. */
  readonly attachments: readonly StoredAttachment[];
  /** The report that contains the file. */
  readonly draftId: string | null;
  readonly queueId: number | null;
}

interface BatchColumns {
  id: string;
  started_at: string;
  folder: string | null;
  comment: string;
  left_out: string;
  sheet: string | null;
  template: string | null;
}

interface FileColumns {
  path: string;
  size_bytes: number;
  attachment_id: string | null;
  problem: string | null;
  match: string;
  case_id: string | null;
  typed: string;
  is_corrected: number;
  is_salvage_sale: number;
  comment: string;
  sends_again: number;
  is_removed: number;
  draft_id: string | null;
  queue_id: number | null;
}

const columnOf = {
  caseId: 'case_id',
  typed: 'typed',
  isCorrected: 'is_corrected',
  isSalvageSale: 'is_salvage_sale',
  comment: 'comment',
  sendsAgain: 'sends_again',
  isRemoved: 'is_removed',
} as const satisfies Record<keyof Decided, string>;

/**
 * The batches: their files, the matched cases, and the user's corrections. The bytes are
 * attachments of a draft without a case, from which each report takes its files.
 */
export class Batches {
  readonly #db: Database;
  readonly #drafts: Drafts;
  readonly #now: () => string;

  constructor(options: { db: Database; drafts: Drafts; now: () => string }) {
    this.#db = options.db;
    this.#drafts = options.drafts;
    this.#now = options.now;
  }

  /**
   * The batch of the windows, or that of a folder; null if it does not exist. If a backup brought a
   * second one, the later one is first, and the other follows after that one is removed.
   */
  current(folder: string | null): StoredBatch | null {
    const row = this.#db
      .prepare<[string | null], BatchColumns>(
        'SELECT * FROM batches WHERE folder IS ? AND is_discarded = 0 ORDER BY started_at DESC',
      )
      .get(folder);
    return row ? batchOf(row) : null;
  }

  /** The batch of the windows, if a file or its sheet is still to be queued. */
  unfinished(): { files: number; startedAt: string } | null {
    const found = this.#db
      .prepare<[], { files: number; startedAt: string; hasSheet: number }>(
        `SELECT b.started_at AS startedAt, b.sheet IS NOT NULL AS hasSheet, (
           SELECT count(*) FROM batch_files f
           WHERE f.batch_id = b.id AND f.queue_id IS NULL AND f.is_removed = 0) AS files
         FROM batches b WHERE b.folder IS NULL AND b.is_discarded = 0
         ORDER BY b.started_at DESC LIMIT 1`,
      )
      .get();
    if (!found || (found.files === 0 && found.hasSheet === 0)) return null;
    return { files: found.files, startedAt: found.startedAt };
  }

  begin(folder: string | null): StoredBatch {
    return this.#db.transaction(() => {
      const { id } = this.#drafts.create('');
      this.#db
        .prepare('INSERT INTO batches (id, started_at, folder) VALUES (?, ?, ?)')
        .run(id, this.#now(), folder);
      return this.get(id);
    })();
  }

  get(id: string): StoredBatch {
    const row = this.#db
      .prepare<[string], BatchColumns>('SELECT * FROM batches WHERE id = ?')
      .get(id);
    if (!row) throw new Error('a batch that is removed was asked for');
    return batchOf(row);
  }

  has(id: string): boolean {
    return this.#db.prepare('SELECT 1 FROM batches WHERE id = ?').get(id) !== undefined;
  }

  /**
   * Adds paths to a batch. A known path retains the user's decisions; a path that was removed is
   * restored.
   */
  announce(
    id: string,
    files: readonly { readonly sizeBytes: number; readonly match: BatchMatch }[],
    leftOut: readonly string[],
  ): void {
    const last = this.#db
      .prepare<[string], number>(
        'SELECT coalesce(max(position), -1) FROM batch_files WHERE batch_id = ?',
      )
      .pluck();
    const insert = this.#db.prepare(
      `INSERT INTO batch_files (batch_id, path, position, size_bytes, match, case_id, typed,
         is_salvage_sale)
       VALUES (@id, @path, @position, @sizeBytes, @match, @caseId, @typed, @isSalvageSale)
       ON CONFLICT (batch_id, path) DO UPDATE SET is_removed = 0`,
    );
    this.#db.transaction(() => {
      let position = last.get(id) ?? -1;
      for (const { sizeBytes, match } of files) {
        const { path, caseId, externalKey } = match;
        position += 1;
        insert.run({
          id,
          path,
          position,
          sizeBytes,
          caseId,
          match: JSON.stringify(match),
          typed: externalKey ?? '',
          isSalvageSale: Number(match.isSalvageSale),
        });
      }
      // The same folder may be dropped again: each path counts once.
      this.#db
        .prepare(
          `UPDATE batches SET left_out = (
             SELECT json_group_array(path) FROM (
               SELECT value AS path FROM json_each(left_out)
               UNION SELECT value FROM json_each(@leftOut)))
           WHERE id = @id`,
        )
        .run({ id, leftOut: JSON.stringify(leftOut) });
    })();
  }

  /**
   * The files in the order in which they were dropped. @param caseId if given, only the files of
   * this case
   */
  files(id: string, caseId: string | null = null): BatchFile[] {
    const rows = this.#db
      .prepare<{ id: string; caseId: string | null }, FileColumns>(
        `SELECT * FROM batch_files WHERE batch_id = @id AND (@caseId IS NULL OR case_id = @caseId)
         ORDER BY position`,
      )
      .all({ id, caseId });
    const first = new Set(rows.flatMap(({ attachment_id }) => attachment_id ?? []));
    const byFirst = new Map<string, StoredAttachment[]>();
    const drafts = new Set([id, ...rows.flatMap(({ draft_id }) => draft_id ?? [])]);
    let pages: StoredAttachment[] = [];
    for (const attachment of this.#drafts.attachmentsOf([...drafts])) {
      if (isFurtherPage(attachment.details)) pages.push(attachment);
      else pages = [attachment];
      if (first.has(attachment.id)) byFirst.set(attachment.id, pages);
    }
    return rows.map((row) => fileOf(row, byFirst.get(row.attachment_id ?? '') ?? []));
  }

  /**
   * The hash of a file as the user added it; null until its bytes have arrived, undefined if it was
   * not announced.
   */
  hashOf(id: string, path: string): string | null | undefined {
    return this.#db
      .prepare<[string, string], string | null>(
        `SELECT coalesce(a.details ->> '$.original.sha256', a.sha256) FROM batch_files f
         LEFT JOIN attachments a ON a.id = f.attachment_id
         WHERE f.batch_id = ? AND f.path = ?`,
      )
      .pluck()
      .get(id, path);
  }

  /** The first attachment of a file, and the draft that contains it; null without bytes. */
  attachment(id: string, path: string): { draftId: string; attachment: StoredAttachment } | null {
    const attachmentId = this.#db
      .prepare<[string, string], string | null>(
        'SELECT attachment_id FROM batch_files WHERE batch_id = ? AND path = ?',
      )
      .pluck()
      .get(id, path);
    return attachmentId ? this.#drafts.findAttachment(attachmentId) : null;
  }

  /** Sets the bytes of a file. Its earlier problem and its earlier report no longer count. */
  setTaken(id: string, path: string, attachmentId: string): void {
    this.#db
      .prepare(
        `UPDATE batch_files SET attachment_id = @attachmentId, problem = NULL, draft_id = NULL,
           queue_id = NULL WHERE batch_id = @id AND path = @path`,
      )
      .run({ id, path, attachmentId });
  }

  /** By the names of a file; null if it was not announced. */
  matchOf(id: string, path: string): BatchMatch | null {
    const match = this.#db
      .prepare<[string, string], string>(
        'SELECT match FROM batch_files WHERE batch_id = ? AND path = ?',
      )
      .pluck()
      .get(id, path);
    return match === undefined ? null : batchMatchSchema.parse(JSON.parse(match));
  }

  /** What the user has corrected stays. */
  setMatch(id: string, match: BatchMatch): void {
    const { path, caseId, externalKey } = match;
    this.#db
      .prepare(
        `UPDATE batch_files SET match = @match, case_id = @caseId, typed = @typed
         WHERE batch_id = @id AND path = @path AND is_corrected = 0`,
      )
      .run({ id, path, caseId, match: JSON.stringify(match), typed: externalKey ?? '' });
  }

  /** @param problem null if the file is not refused any more */
  setRefused(id: string, path: string, problem: DeskProblem | null): void {
    this.#db
      .prepare('UPDATE batch_files SET problem = ? WHERE batch_id = ? AND path = ?')
      .run(problem && JSON.stringify(problem), id, path);
  }

  change(id: string, paths: readonly string[], change: FileChange): void {
    const set = Object.entries(change).flatMap(([name, value]) =>
      value === undefined || !isColumn(name) ? [] : [[columnOf[name], value] as const],
    );
    if (set.length === 0) return;
    this.#db
      .prepare(
        `UPDATE batch_files SET ${set.map(([column]) => `${column} = ?`).join()}
         WHERE batch_id = ? AND queue_id IS NULL AND path IN (SELECT value FROM json_each(?))`,
      )
      .run(
        ...set.map(([, value]) => (typeof value === 'boolean' ? Number(value) : value)),
        id,
        JSON.stringify(paths),
      );
  }

  setComment(id: string, comment: string): void {
    this.#db.prepare('UPDATE batches SET comment = ? WHERE id = ?').run(comment, id);
  }

  setSheet(id: string, sheet: StoredSheet | null): void {
    this.#db
      .prepare('UPDATE batches SET sheet = ? WHERE id = ?')
      .run(sheet && JSON.stringify(sheet), id);
  }

  setTemplate(id: string, template: BatchTemplate | null): void {
    this.#db
      .prepare('UPDATE batches SET template = ? WHERE id = ?')
      .run(template && JSON.stringify(template), id);
  }

  /** Notes that these files are in a report now. */
  setReported(
    id: string,
    paths: readonly string[],
    { draftId, queueId }: { draftId: string; queueId: number | null },
  ): void {
    this.#db
      .prepare(
        `UPDATE batch_files SET draft_id = ?, queue_id = ?
         WHERE batch_id = ? AND path IN (SELECT value FROM json_each(?))`,
      )
      .run(draftId, queueId, id, JSON.stringify(paths));
  }

  /** Removes the files that are in a report from the batch. They stay in the report. */
  forgetReported(id: string): void {
    this.#db.prepare('DELETE FROM batch_files WHERE batch_id = ? AND queue_id IS NOT NULL').run(id);
  }

  /** Discards the batch. Its files stay until the next start. */
  discard(id: string): void {
    this.#db.prepare('UPDATE batches SET is_discarded = 1 WHERE id = ?').run(id);
  }

  /**
   * Restores the batch of the windows that was discarded last, unless another one was begun since.
   */
  takeBack(): void {
    this.#db
      .prepare(
        `UPDATE batches SET is_discarded = 0 WHERE id = (
           SELECT id FROM batches WHERE folder IS NULL AND is_discarded = 1
           ORDER BY started_at DESC LIMIT 1)
         AND NOT EXISTS (SELECT 1 FROM batches WHERE folder IS NULL AND is_discarded = 0)`,
      )
      .run();
  }

  remove(id: string): void {
    this.#db.prepare('DELETE FROM drafts WHERE id = ?').run(id);
  }

  /** Removes discarded batches, and batches without open files. */
  removeEnded(): void {
    this.#db.exec(
      `DELETE FROM drafts WHERE id IN (
         SELECT b.id FROM batches b WHERE b.is_discarded = 1 OR (b.sheet IS NULL AND NOT EXISTS (
           SELECT 1 FROM batch_files f
           WHERE f.batch_id = b.id AND f.queue_id IS NULL AND f.is_removed = 0)))`,
    );
  }
}

const isColumn = (name: string): name is keyof typeof columnOf => Object.hasOwn(columnOf, name);

const batchOf = (row: BatchColumns): StoredBatch => ({
  id: row.id,
  startedAt: row.started_at,
  folder: row.folder,
  comment: row.comment,
  leftOut: pathsSchema.parse(JSON.parse(row.left_out)).length,
  sheet: row.sheet === null ? null : storedSheetSchema.parse(JSON.parse(row.sheet)),
  template: row.template === null ? null : batchTemplateSchema.parse(JSON.parse(row.template)),
});

const fileOf = (row: FileColumns, attachments: readonly StoredAttachment[]): BatchFile => ({
  path: row.path,
  sizeBytes: row.size_bytes,
  match: batchMatchSchema.parse(JSON.parse(row.match)),
  problem: row.problem === null ? null : storedProblemSchema.parse(JSON.parse(row.problem)),
  attachments,
  caseId: row.case_id,
  typed: row.typed,
  isCorrected: row.is_corrected === 1,
  isSalvageSale: row.is_salvage_sale === 1,
  comment: row.comment,
  sendsAgain: row.sends_again === 1,
  isRemoved: row.is_removed === 1,
  draftId: row.draft_id,
  queueId: row.queue_id,
});
