import { DeskError, type DeskErrorCode } from '#shared/desk/errors.ts';
import type { QueueState, QueueStep } from '#shared/desk/queue.ts';
import { addDays, zurichMidnight } from '#shared/lib/zurich-day.ts';
import type { Database } from '../database/sqlite.ts';
import {
  rowOf,
  stepOf,
  type OutboxRow,
  type RowColumns,
  type StepColumns,
} from './outbox-records.ts';

/** A sent request of a report that was discarded. */
export interface LeftBehind {
  readonly kind: QueueStep['kind'];
  /** Null if no answer came. */
  readonly serverId: string | null;
  readonly keyUsedAtMs: number | null;
  readonly comment: string;
  readonly fileName: string | null;
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
}

/** What has still to leave. */
export interface OpenRequests {
  readonly standard: number;
  readonly documents: number;
  readonly bytes: number;
}

/** How far an open row is. */
export interface RowProgress extends OpenRequests {
  readonly id: number;
  readonly caseId: string;
  readonly state: QueueState;
  /** Its files that have arrived, of all; without files the act itself. */
  readonly done: number;
  readonly total: number;
}

/**
 * Requests that an act takes, without the uploads: before a report's draft is made the case's
 * reports are listed, and before it is submitted its documents are.
 */
export const requestsOf = {
  report: { standard: 3, documents: 1 },
  value: { standard: 2 },
} as const;

/** Problems of what was delivered, or answered, and then read otherwise. */
const disputes: readonly DeskErrorCode[] = [
  'server_has_other',
  'report_still_draft',
  'report_not_listed',
  'reopening_without_effect',
  'answer_mismatch',
];

/** States of a row that has not ended. */
export const openStates = `('waiting', 'sending', 'unknown', 'attention')`;

/** Whether the row has ended. */
export function isAtEnd(state: QueueState): boolean {
  return state === 'delivered' || state === 'discarded';
}

/** Reads the outbox; nothing here changes it. */
export class OutboxReader {
  protected readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** @throws {DeskError} queue_row_not_found */
  get(id: number): OutboxRow {
    const row = this.db.prepare<[number], RowColumns>('SELECT * FROM outbox WHERE id = ?').get(id);
    if (!row) throw new DeskError('queue_row_not_found', { id });
    return this.#withSteps([row])[0] ?? rowOf(row, []);
  }

  /** Newest first. A limit leaves out what has ended before anything that is open. */
  list(input: {
    caseId?: string | undefined;
    includeDone: boolean;
    /** A day in Zurich, YYYY-MM-DD: only what was delivered on it, at least in part. */
    deliveredOn?: string | undefined;
    limit: number;
  }): { rows: OutboxRow[]; total: number } {
    const { caseId = null, deliveredOn } = input;
    const where = `
      WHERE (@caseId IS NULL OR case_id = @caseId)
      ${input.includeDone ? '' : `AND state IN ${openStates}`}
      AND (@from IS NULL OR state = 'delivered' AND id IN (
        SELECT row_id FROM outbox_steps
        WHERE unixepoch(delivered_at) >= @from AND unixepoch(delivered_at) < @to))`;
    const seconds = (day: string) => zurichMidnight(day) / 1000;
    const params =
      deliveredOn === undefined
        ? { caseId, from: null, to: null }
        : { caseId, from: seconds(deliveredOn), to: seconds(addDays(deliveredOn, 1)) };
    const rows = this.db
      .prepare<[typeof params & { limit: number }], RowColumns>(
        `SELECT * FROM outbox WHERE id IN (
           SELECT id FROM outbox ${where} ORDER BY state IN ${openStates} DESC, id DESC LIMIT @limit
         ) ORDER BY id DESC`,
      )
      .all({ ...params, limit: input.limit });
    const total = this.db
      .prepare<[typeof params], { count: number }>(`SELECT count(*) AS count FROM outbox ${where}`)
      .get(params);
    return { rows: this.#withSteps(rows), total: total?.count ?? 0 };
  }

  /** Cases with a report that is queued and not yet delivered. */
  reportedCases(): string[] {
    return this.db
      .prepare<[], string>(
        `SELECT DISTINCT case_id FROM outbox WHERE kind = 'report' AND state IN ${openStates}`,
      )
      .pluck()
      .all();
  }

  /** Open rows of a case, oldest first. */
  openRows(caseId: string): OutboxRow[] {
    return this.#withSteps(
      this.db
        .prepare<[string], RowColumns>(
          `SELECT * FROM outbox WHERE case_id = ? AND state IN ${openStates} ORDER BY id`,
        )
        .all(caseId),
    );
  }

  /** Whether no older row of the case is open: only then may it be delivered. */
  isHead(row: OutboxRow): boolean {
    const head = this.db
      .prepare<[string], { id: number | null }>(
        `SELECT min(id) AS id FROM outbox WHERE case_id = ? AND state IN ${openStates}`,
      )
      .get(row.caseId);
    return head?.id === row.id;
  }

  /** The first open row of every case, oldest first: only it may be delivered. */
  heads(): OutboxRow[] {
    return this.#withSteps(
      this.db
        .prepare<[], RowColumns>(
          `SELECT * FROM outbox WHERE id IN (
             SELECT min(id) FROM outbox WHERE state IN ${openStates} GROUP BY case_id
           ) ORDER BY id`,
        )
        .all(),
    );
  }

  #withSteps(rows: readonly RowColumns[]): OutboxRow[] {
    const steps = this.db
      .prepare<[string], StepColumns>(
        `SELECT s.* FROM json_each(?) wanted JOIN outbox_steps s ON s.row_id = wanted.value
         ORDER BY s.row_id, s.position`,
      )
      .all(JSON.stringify(rows.map(({ id }) => id)));
    const byRow = Map.groupBy(steps.map(stepOf), ({ rowId }) => rowId);
    return rows.map((row) => rowOf(row, byRow.get(row.id) ?? []));
  }

  /** Open rows, by whether they need the user. */
  counts(): { waiting: number; attention: number } {
    const rows = this.db
      .prepare<[], { state: QueueState; count: number }>(
        `SELECT state, count(*) AS count FROM outbox WHERE state IN ${openStates} GROUP BY state`,
      )
      .all();
    const sum = (isCounted: (state: QueueState) => boolean) =>
      rows.reduce((total, { state, count }) => total + (isCounted(state) ? count : 0), 0);
    return {
      waiting: sum((state) => state !== 'attention'),
      attention: sum((state) => state === 'attention'),
    };
  }

  /**
   * Least number of requests that have still to leave, by bucket, and the bytes of their files.
   * Amounts, a comment and a draft take two each, because something is read before them. So does a
   * submission, whose documents are listed.
   * @param upTo only rows that are no newer than this one
   */
  openRequests(upTo?: number): OpenRequests {
    const found = this.db
      .prepare<[{ upTo: number | null }], { [Name in keyof OpenRequests]: number | null }>(
        `SELECT sum((s.kind != 'document') + (s.kind IN ('amounts', 'comment', 'draft'))) AS standard,
           sum(s.kind IN ('document', 'submit')) AS documents,
           sum(iif(s.kind = 'document', s.file_size_bytes, 0)) AS bytes
         FROM outbox o JOIN outbox_steps s ON s.row_id = o.id
         WHERE o.state IN ('waiting', 'sending', 'unknown')
           AND s.state IN ('waiting', 'unknown') AND (@upTo IS NULL OR o.id <= @upTo)`,
      )
      .get({ upTo: upTo ?? null });
    return {
      standard: found?.standard ?? 0,
      documents: found?.documents ?? 0,
      bytes: found?.bytes ?? 0,
    };
  }

  /** Rows that are open and do not need the user, oldest first. */
  progress(): RowProgress[] {
    return this.db
      .prepare<[], RowProgress>(
        `SELECT o.id, o.case_id AS caseId, o.state,
           sum(s.kind = 'document' AND s.state = 'delivered') AS done,
           max(1, sum(s.kind = 'document')) AS total,
           sum(s.state IN ('waiting', 'unknown')
             * ((s.kind != 'document') + (s.kind IN ('amounts', 'comment', 'draft')))) AS standard,
           sum(s.state IN ('waiting', 'unknown') AND s.kind IN ('document', 'submit')) AS documents,
           sum(iif(s.state IN ('waiting', 'unknown') AND s.kind = 'document', s.file_size_bytes, 0))
             AS bytes
         FROM outbox o JOIN outbox_steps s ON s.row_id = o.id
         WHERE o.state IN ('waiting', 'sending', 'unknown') GROUP BY o.id ORDER BY o.id`,
      )
      .all();
  }

  /** The oldest row that is open in any way; null if none is. */
  oldestOpen(): number | null {
    return (
      this.db
        .prepare<[], number | null>(`SELECT min(id) FROM outbox WHERE state IN ${openStates}`)
        .pluck()
        .get() ?? null
    );
  }

  /** Files, and acts without files, of rows that were delivered since then. */
  deliveredSince({ since, fromId }: { since: string; fromId: number }): number {
    return (
      this.db
        .prepare<[{ since: string; fromId: number }], number>(
          `SELECT coalesce(sum(things), 0) FROM (
             SELECT max(1, sum(s.kind = 'document')) AS things
             FROM outbox o JOIN outbox_steps s ON s.row_id = o.id
             WHERE o.id >= @fromId AND o.state = 'delivered' GROUP BY o.id
             HAVING max(coalesce(s.laptop_at, s.delivered_at)) >= @since)`,
        )
        .pluck()
        .get({ since, fromId }) ?? 0
    );
  }

  /** What discarded reports may have left on the server for this case. */
  leftBehind(caseId: string): LeftBehind[] {
    return this.db
      .prepare<[string], LeftBehind>(
        `SELECT s.kind, s.server_id AS serverId, s.key_used_at_ms AS keyUsedAtMs,
           o.act ->> 'comment' AS comment, s.file_name AS fileName,
           coalesce(s.size_bytes, a.size_bytes) AS sizeBytes, coalesce(s.sha256, a.sha256) AS sha256
         FROM outbox o JOIN outbox_steps s ON s.row_id = o.id
           LEFT JOIN attachments a ON a.id = s.attachment_id
         WHERE o.case_id = ? AND o.kind = 'report' AND o.state = 'discarded' AND s.attempts > 0`,
      )
      .all(caseId);
  }

  /** Delivered rows that were read back and not compared yet, oldest first. */
  uncompared(): OutboxRow[] {
    return this.#withSteps(
      this.db
        .prepare<[], RowColumns>(
          `SELECT * FROM outbox WHERE state = 'delivered' AND is_compared = 0 AND lays_over = 0
           ORDER BY id`,
        )
        .all(),
    );
  }

  /** Rows that need the user because the partner was seen to have something else, oldest first. */
  disputed(): OutboxRow[] {
    return this.#withSteps(
      this.db
        .prepare<[string], RowColumns>(
          `SELECT * FROM outbox WHERE state = 'attention' AND problem ->> 'code' IN
             (SELECT value FROM json_each(?)) ORDER BY id`,
        )
        .all(JSON.stringify(disputes)),
    );
  }

  /** Whether a later act of the same kind on the case was sent. */
  isReplaced({ id, caseId, kind }: OutboxRow): boolean {
    const later = this.db
      .prepare(
        `SELECT 1 FROM outbox o JOIN outbox_steps s ON s.row_id = o.id
         WHERE o.case_id = ? AND o.kind = ? AND o.kind != 'report' AND o.id > ? AND s.attempts > 0`,
      )
      .get(caseId, kind, id);
    return later !== undefined;
  }

  /** Whether a submission of the server is that of any report of this laptop. */
  knowsSubmission(serverId: string): boolean {
    const step = this.db
      .prepare(`SELECT 1 FROM outbox_steps WHERE server_id = ? AND kind IN ('draft', 'submit')`)
      .get(serverId);
    return step !== undefined;
  }
}
