import { isSameId } from '#shared/api/conventions.ts';
import { DeskError, type DeskErrorCode, type DeskProblem } from '#shared/desk/contract/errors.ts';
import type { QueueKind, QueueState, QueueStep } from '#shared/desk/delivery/queue.ts';
import { addDays, zurichMidnight } from '#shared/lib/zurich-day.ts';
import type { Database } from '../database/sqlite.ts';
import {
  problemOf,
  rowOf,
  stepOf,
  type OutboxRow,
  type OutboxStep,
  type RowColumns,
  type StepColumns,
} from './outbox-records.ts';

/** A sent request of a report that was discarded. */
export interface LeftBehind {
  readonly kind: QueueStep['kind'];
  /** The id at the server; null if no answer arrived. */
  readonly serverId: string | null;
  readonly keyUsedAtMs: number | null;
  readonly comment: string;
  readonly fileName: string | null;
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
}

/** The requests that are still to be sent. */
export interface OpenRequests {
  readonly standard: number;
  readonly documents: number;
  readonly bytes: number;
}

/** The number of delivered rows, and of their files; an act without files counts as one. */
export interface Delivered {
  readonly entries: number;
  readonly parts: number;
}

/** The progress of an open row. */
export interface RowProgress extends OpenRequests {
  readonly id: number;
  readonly caseId: string;
  readonly state: QueueState;
  /**
   * The number of its files that have arrived, and of all its files. An act without files counts as
   * one.
   */
  readonly done: number;
  readonly total: number;
}

/**
 * The number of requests of an act without the uploads. Before a report's draft is created, the
 * case's reports are listed, and before it is submitted, its documents are.
 */
export const requestsOf = {
  report: { standard: 3, documents: 1 },
  value: { standard: 2 },
} as const;

/**
 * The problems of acts that were delivered or answered, and for which a reading found another
 * value.
 */
const disputes: readonly DeskErrorCode[] = [
  'server_has_other',
  'report_still_draft',
  'report_not_listed',
  'report_cancelled',
  'reopening_without_effect',
  'answer_mismatch',
];

/** The states of a row that has not ended. */
export const openStates = `('waiting', 'sending', 'unknown', 'attention')`;

/** Whether the row has ended. */
export function isAtEnd(state: QueueState): boolean {
  return state === 'delivered' || state === 'discarded';
}

/** Reads the outbox and changes nothing. */
export class OutboxReader {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** A row of the outbox. @throws {DeskError} queue_row_not_found */
  get(id: number): OutboxRow {
    const row = this.#db.prepare<[number], RowColumns>('SELECT * FROM outbox WHERE id = ?').get(id);
    if (!row) throw new DeskError('queue_row_not_found', { id });
    return this.#withSteps([row])[0] ?? rowOf(row, []);
  }

  /**
   * The rows, newest first. If there is a limit, rows that have ended are left out before open
   * ones.
   */
  list(input: {
    caseId?: string | undefined;
    includeDone: boolean;
    /**
     * A day in Zurich, YYYY-MM-DD. Only rows of which at least a part was delivered on this day are
     * listed.
     */
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
    const rows = this.#db
      .prepare<[typeof params & { limit: number }], RowColumns>(
        `SELECT * FROM outbox WHERE id IN (
           SELECT id FROM outbox ${where} ORDER BY state IN ${openStates} DESC, id DESC LIMIT @limit
         ) ORDER BY id DESC`,
      )
      .all({ ...params, limit: input.limit });
    const total = this.#db
      .prepare<[typeof params], { count: number }>(`SELECT count(*) AS count FROM outbox ${where}`)
      .get(params);
    return { rows: this.#withSteps(rows), total: total?.count ?? 0 };
  }

  /** The rows that have not ended, without their steps. */
  open(): {
    id: number;
    caseId: string;
    externalKey: string;
    kind: QueueKind;
    state: QueueState;
    createdAt: string;
    problem: DeskProblem | null;
  }[] {
    type Row = ReturnType<OutboxReader['open']>[number];
    const rows = this.#db
      .prepare<[], Omit<Row, 'problem'> & { problem: string | null }>(
        `SELECT id, case_id AS caseId, external_key AS externalKey, kind, state,
           created_at AS createdAt, problem
         FROM outbox WHERE state IN ${openStates} ORDER BY id`,
      )
      .all();
    return rows.map((row) => ({ ...row, problem: problemOf(row.problem) }));
  }

  /**
   * The cases with a delivered act of this kind that was not compared with the partner's answers
   * yet.
   */
  deliveredUnseen(kind: QueueKind): string[] {
    return this.#db
      .prepare<[string], string>(
        `SELECT DISTINCT case_id FROM outbox
         WHERE state = 'delivered' AND is_compared = 0 AND kind = ?`,
      )
      .pluck()
      .all(kind);
  }

  /** The cases with a report that is queued and not delivered yet. */
  reportedCases(): string[] {
    return this.#db
      .prepare<[], string>(
        `SELECT DISTINCT case_id FROM outbox WHERE kind = 'report' AND state IN ${openStates}`,
      )
      .pluck()
      .all();
  }

  /** Whether a report of the case was delivered, as far as its entry is still there. */
  hasDeliveredReport(caseId: string): boolean {
    return (
      this.#db
        .prepare(
          `SELECT 1 FROM outbox WHERE case_id = ? AND kind = 'report' AND state = 'delivered'`,
        )
        .get(caseId) !== undefined
    );
  }

  /** The open rows of a case, oldest first. */
  openRows(caseId: string): OutboxRow[] {
    return this.#withSteps(
      this.#db
        .prepare<[string], RowColumns>(
          `SELECT * FROM outbox WHERE case_id = ? AND state IN ${openStates} ORDER BY id`,
        )
        .all(caseId),
    );
  }

  /** The discarded rows of a report. */
  discardedOf({ caseId, draftId }: { caseId: string; draftId: string }): OutboxRow[] {
    return this.#withSteps(
      this.#db
        .prepare<[string, string], RowColumns>(
          `SELECT * FROM outbox WHERE case_id = ? AND kind = 'report' AND state = 'discarded'
             AND act ->> 'draftId' = ? ORDER BY id`,
        )
        .all(caseId, draftId),
    );
  }

  /** Whether no older row of the case is open. Only then may the row be delivered. */
  isHead(row: OutboxRow): boolean {
    const head = this.#db
      .prepare<[string], { id: number | null }>(
        `SELECT min(id) AS id FROM outbox WHERE case_id = ? AND state IN ${openStates}`,
      )
      .get(row.caseId);
    return head?.id === row.id;
  }

  /** The first open row of every case, oldest first. Only these may be delivered. */
  heads(): OutboxRow[] {
    return this.#withSteps(
      this.#db
        .prepare<[], RowColumns>(
          `SELECT * FROM outbox WHERE id IN (
             SELECT min(id) FROM outbox WHERE state IN ${openStates} GROUP BY case_id
           ) ORDER BY id`,
        )
        .all(),
    );
  }

  #withSteps(rows: readonly RowColumns[]): OutboxRow[] {
    const steps = this.#db
      .prepare<[string], StepColumns>(
        `SELECT s.* FROM json_each(?) wanted JOIN outbox_steps s ON s.row_id = wanted.value
         ORDER BY s.row_id, s.position`,
      )
      .all(JSON.stringify(rows.map(({ id }) => id)));
    const byRow = Map.groupBy(steps.map(stepOf), ({ rowId }) => rowId);
    return rows.map((row) => rowOf(row, byRow.get(row.id) ?? []));
  }

  /** The numbers of open rows that wait, and of those that need the user. */
  counts(): { waiting: number; attention: number } {
    const rows = this.#db
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
   * The least number of requests that are still to be sent, by bucket, and the bytes of their
   * files. Amounts, a comment, a draft and a submission take two requests each, because something
   * is read before them.
   * @param upTo if given, only rows that are not newer than this one
   */
  openRequests(upTo?: number): OpenRequests {
    const found = this.#db
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

  /** The rows that are open and do not need the user, oldest first. */
  progress(): RowProgress[] {
    return this.#db
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

  /** The oldest open row, including those that need the user; null if there is none. */
  oldestOpen(): number | null {
    return (
      this.#db
        .prepare<[], number | null>(`SELECT min(id) FROM outbox WHERE state IN ${openStates}`)
        .pluck()
        .get() ?? null
    );
  }

  /** The rows that were delivered since then. */
  deliveredSince({ since, fromId }: { since: string; fromId: number }): Delivered {
    return (
      this.#db
        .prepare<[{ since: string; fromId: number }], Delivered>(
          `SELECT count(*) AS entries, coalesce(sum(things), 0) AS parts FROM (
             SELECT max(1, sum(s.kind = 'document')) AS things
             FROM outbox o JOIN outbox_steps s ON s.row_id = o.id
             WHERE o.id >= @fromId AND o.state = 'delivered' GROUP BY o.id
             HAVING max(coalesce(s.laptop_at, s.delivered_at)) >= @since)`,
        )
        .get({ since, fromId }) ?? { entries: 0, parts: 0 }
    );
  }

  /** The number of delivered rows that were not compared with the partner's answers yet. */
  unseen(): number {
    return (
      this.#db
        .prepare<[], number>(
          `SELECT count(*) FROM outbox WHERE state = 'delivered' AND is_compared = 0`,
        )
        .pluck()
        .get() ?? 0
    );
  }

  /** What discarded reports may have left on the server for this case. */
  leftBehind(caseId: string): LeftBehind[] {
    return this.#db
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

  /** The delivered rows that were read back and not compared yet, oldest first. */
  uncompared(): OutboxRow[] {
    return this.#withSteps(
      this.#db
        .prepare<[], RowColumns>(
          `SELECT * FROM outbox WHERE state = 'delivered' AND is_compared = 0 AND lays_over = 0
           ORDER BY id`,
        )
        .all(),
    );
  }

  /** The steps whose request is running, oldest first. */
  sending(): OutboxStep[] {
    return this.#db
      .prepare<[], StepColumns>(
        `SELECT * FROM outbox_steps WHERE state IN ('sending', 'resending') ORDER BY id`,
      )
      .all()
      .map(stepOf);
  }

  /**
   * The rows that need the user because a reading of the partner found another value, oldest first.
   */
  disputed(): OutboxRow[] {
    return this.#withSteps(
      this.#db
        .prepare<[string], RowColumns>(
          `SELECT * FROM outbox WHERE state = 'attention' AND problem ->> 'code' IN
             (SELECT value FROM json_each(?)) ORDER BY id`,
        )
        .all(JSON.stringify(disputes)),
    );
  }

  /** Whether a later act of the same kind on the case was sent. */
  isReplaced({ id, caseId, kind }: OutboxRow): boolean {
    const later = this.#db
      .prepare(
        `SELECT 1 FROM outbox o JOIN outbox_steps s ON s.row_id = o.id
         WHERE o.case_id = ? AND o.kind = ? AND o.kind != 'report' AND o.id > ? AND s.attempts > 0`,
      )
      .get(caseId, kind, id);
    return later !== undefined;
  }

  /** Whether a submission at the server belongs to a report of this laptop. */
  knowsSubmission(serverId: string): boolean {
    return this.#reportsOf(serverId).length > 0;
  }

  /** Whether it belongs to another report than the row's, which was not given up. */
  isOfOther(rowId: number, serverId: string): boolean {
    return this.#reportsOf(serverId).some(({ id, state }) => id !== rowId && state !== 'discarded');
  }

  #reportsOf(serverId: string): { id: number; state: QueueState }[] {
    return this.#db
      .prepare<[string], { id: number; state: QueueState; serverId: string }>(
        `SELECT o.id, o.state, s.server_id AS serverId
         FROM outbox_steps s JOIN outbox o ON o.id = s.row_id
         WHERE s.server_id = ? COLLATE NOCASE AND s.kind IN ('draft', 'submit')`,
      )
      .all(serverId)
      .filter((known) => isSameId(known.serverId, serverId));
  }
}
