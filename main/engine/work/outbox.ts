import { DeskError, type DeskProblem } from '#shared/desk/errors.ts';
import type { DeliveryProof, QueueState, QueueStep, RetryDecision } from '#shared/desk/queue.ts';
import type { Database } from '../database/sqlite.ts';
import type { StoredAttachment } from './drafts.ts';
import {
  rowOf,
  stepOf,
  type Act,
  type Held,
  type OutboxRow,
  type OutboxStep,
  type RowColumns,
  type StepColumns,
} from './outbox-records.ts';
import { decidedAct, isDecidable } from './held-decisions.ts';
import { behind, withSeenOf } from './value-conflicts.ts';

export interface OutboxOptions {
  readonly db: Database;
  /** ISO 8601 now. */
  readonly now: () => string;
  readonly newKey: () => string;
}

interface NewStep {
  readonly kind: QueueStep['kind'];
  /** The file that a `document` step uploads. */
  readonly attachment?: StoredAttachment;
}

/** A request of a report that was given up after it was sent. */
export interface LeftBehind {
  readonly kind: QueueStep['kind'];
  /** Null where no answer came. */
  readonly serverId: string | null;
  readonly keyUsedAtMs: number | null;
  readonly comment: string;
  readonly fileName: string | null;
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
}

export interface Enqueued {
  readonly id: number;
  /** Rows whose place this one took. */
  readonly superseded: readonly number[];
}

/** States of a row that is not at its end. */
const openStates = `('waiting', 'sending', 'unknown', 'attention')`;

/** Whether nothing becomes of the row any more. */
export function isAtEnd(state: QueueState): boolean {
  return state === 'delivered' || state === 'discarded';
}

/**
 * The acts of the person and what became of them. Every change of state is one transaction.
 *
 * ```
 *             begin               confirm
 *   waiting ----------> sending ----------> delivered
 *      ^  ^                | | \  doubt
 *      |  |   postpone     | |  `---------> unknown ---> (looked up) sending, delivered, waiting
 *      |  `----------------' | refuse
 *      |      retry          `------------> attention
 *      `------------------------------------'   discard: waiting, unknown, attention -> discarded
 * ```
 * A row is in the state of its first step that is not delivered.
 */
export class Outbox {
  readonly #db: Database;
  readonly #now: () => string;
  readonly #newKey: () => string;

  constructor(options: OutboxOptions) {
    this.#db = options.db;
    this.#now = options.now;
    this.#newKey = options.newKey;
  }

  /**
   * Queues an act. Amounts or a comment take the place of an older act of the same kind on the same
   * case that is certainly not on its way: one that needs attention, or one that waits with nothing
   * queued behind it (else the order of the person's acts would change).
   * @param isDelivering whether a row is in a lane right now: its case is read, or it waits for a
   * slot, before it is marked as sent
   */
  enqueue(
    target: { caseId: string; externalKey: string },
    act: Act,
    steps: readonly NewStep[],
    isDelivering: (rowId: number) => boolean = () => false,
  ): Enqueued {
    return this.#db.transaction(() => {
      const { lastInsertRowid } = this.#db
        .prepare(
          `INSERT INTO outbox (case_id, external_key, kind, state, act, created_at, lays_over)
           VALUES (?, ?, ?, 'waiting', ?, ?, ?)`,
        )
        .run(
          target.caseId,
          target.externalKey,
          act.kind,
          JSON.stringify(act),
          this.#now(),
          act.kind === 'report' ? 0 : 1,
        );
      const id = Number(lastInsertRowid);
      const insertStep = this.#db.prepare(
        `INSERT INTO outbox_steps (row_id, position, kind, state, idempotency_key, attachment_id,
           file_name, file_size_bytes, is_salvage_sale)
         VALUES (?, ?, ?, 'waiting', ?, ?, ?, ?, ?)`,
      );
      steps.forEach((step, position) => {
        insertStep.run(
          id,
          position,
          step.kind,
          this.#newKey(),
          step.attachment?.id ?? null,
          step.attachment?.fileName ?? null,
          step.attachment?.sizeBytes ?? null,
          Number(step.attachment?.isSalvageSale ?? false),
        );
      });
      const isReplacing = act.kind === 'amounts' || act.kind === 'comment';
      return {
        id,
        superseded: isReplacing ? this.#supersede(target.caseId, id, act, isDelivering) : [],
      };
    })();
  }

  #supersede(
    caseId: string,
    id: number,
    act: Act,
    isDelivering: (rowId: number) => boolean,
  ): number[] {
    const superseded: number[] = [];
    const before = this.openRows(caseId).filter((row) => row.id !== id);
    for (const row of before) {
      const isFree = row.state === 'waiting' && row === before.at(-1) && !isDelivering(row.id);
      const isReplaced = row.kind === act.kind && (row.state === 'attention' || isFree);
      if (!isReplaced) continue;
      // Read anew: it may just have taken over what the one before it met.
      this.#close(this.get(row.id));
      this.#db.prepare('UPDATE outbox SET superseded_by = ? WHERE id = ?').run(id, row.id);
      superseded.push(row.id);
    }
    return superseded;
  }

  /** The act will not be sent, so the next of its kind meets what this one would have met. */
  #close(row: OutboxRow): void {
    const { id } = row;
    const next = this.#nextOfKind(row);
    if (next) this.#setAct(next.id, withSeenOf(next.act, row));
    this.#db
      .prepare(
        `UPDATE outbox SET state = 'discarded', lays_over = 0, not_before_ms = NULL WHERE id = ?`,
      )
      .run(id);
    this.#db
      .prepare(
        `UPDATE outbox_steps SET state = 'discarded' WHERE row_id = ? AND state != 'delivered'`,
      )
      .run(id);
  }

  #nextOfKind({ id, caseId, kind }: OutboxRow): OutboxRow | undefined {
    return this.openRows(caseId).find((later) => later.id > id && later.kind === kind);
  }

  #setAct(id: number, act: Act): void {
    this.#db.prepare('UPDATE outbox SET act = ? WHERE id = ?').run(JSON.stringify(act), id);
  }

  /** @throws {DeskError} queue_row_not_found */
  get(id: number): OutboxRow {
    const row = this.#db.prepare<[number], RowColumns>('SELECT * FROM outbox WHERE id = ?').get(id);
    if (!row) throw new DeskError('queue_row_not_found', { id });
    return this.#withSteps([row])[0] ?? rowOf(row, []);
  }

  /** Newest first. */
  list(input: { caseId?: string; includeDone: boolean; limit: number }): {
    rows: OutboxRow[];
    total: number;
  } {
    const where = `
      WHERE (@caseId IS NULL OR case_id = @caseId)
      ${input.includeDone ? '' : `AND state IN ${openStates}`}`;
    const params = { caseId: input.caseId ?? null };
    const rows = this.#db
      .prepare<[{ caseId: string | null; limit: number }], RowColumns>(
        `SELECT * FROM outbox ${where} ORDER BY id DESC LIMIT @limit`,
      )
      .all({ ...params, limit: input.limit });
    const total = this.#db
      .prepare<[{ caseId: string | null }], { count: number }>(
        `SELECT count(*) AS count FROM outbox ${where}`,
      )
      .get(params);
    return { rows: this.#withSteps(rows), total: total?.count ?? 0 };
  }

  /** Rows of a case that are not at their end, oldest first. */
  openRows(caseId: string): OutboxRow[] {
    return this.#withSteps(
      this.#db
        .prepare<[string], RowColumns>(
          `SELECT * FROM outbox WHERE case_id = ? AND state IN ${openStates} ORDER BY id`,
        )
        .all(caseId),
    );
  }

  /** Whether no older row of the case is open: only then may it be delivered. */
  isHead(row: OutboxRow): boolean {
    const head = this.#db
      .prepare<[string], { id: number | null }>(
        `SELECT min(id) AS id FROM outbox WHERE case_id = ? AND state IN ${openStates}`,
      )
      .get(row.caseId);
    return head?.id === row.id;
  }

  /** The first open row of every case, oldest first: only it may be delivered. */
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

  /** Rows by what a person asks of them. */
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

  /** Requests that have still to leave, at least, by the bucket that they draw on. */
  openRequests(): { standard: number; documents: number } {
    const found = this.#db
      .prepare<[], { standard: number | null; documents: number | null }>(
        `SELECT sum(s.kind != 'document') AS standard, sum(s.kind = 'document') AS documents
         FROM outbox o JOIN outbox_steps s ON s.row_id = o.id
         WHERE o.state IN ('waiting', 'sending', 'unknown')
           AND s.state IN ('waiting', 'unknown')`,
      )
      .get();
    return { standard: found?.standard ?? 0, documents: found?.documents ?? 0 };
  }

  /**
   * The request has a slot and is about to leave; committed before its first byte.
   * @throws {DeskError} queue_row_state where the row has come to its end meanwhile
   */
  begin(step: OutboxStep, serverNowMs: number): void {
    this.#db.transaction(() => {
      const { state } = this.get(step.rowId);
      if (isAtEnd(state)) throw new DeskError('queue_row_state', { id: step.rowId, state });
      this.#db
        .prepare(
          `UPDATE outbox_steps SET state = 'sending', attempts = attempts + 1,
             first_attempt_at = coalesce(first_attempt_at, @now),
             key_used_at_ms = coalesce(key_used_at_ms, @serverNowMs)
           WHERE id = @id`,
        )
        .run({ id: step.id, now: this.#now(), serverNowMs: Math.round(serverNowMs) });
      this.#setRow(step.rowId, 'sending', null, null);
    })();
  }

  /** The server has it: keeps the proof; the row is delivered with its last step. */
  confirm(step: OutboxStep, proof: DeliveryProof): void {
    this.#db.transaction(() => {
      this.#db
        .prepare(
          `UPDATE outbox_steps SET state = 'delivered', delivered_at = @at, status = @status,
             correlation_id = @correlationId, server_id = @serverId, size_bytes = @sizeBytes,
             sha256 = @sha256
           WHERE id = @id`,
        )
        .run({ ...proof, id: step.id });
      const next = this.get(step.rowId).steps.find(({ state }) => state !== 'delivered');
      this.#setRow(step.rowId, next?.state ?? 'delivered', null, null);
      this.#db.prepare('UPDATE outbox SET failures = 0 WHERE id = ?').run(step.rowId);
    })();
  }

  /**
   * The server's draft of a report that was given up becomes this report's; what else is in it is
   * not known.
   */
  takeOver(step: OutboxStep, proof: DeliveryProof): void {
    this.#db.transaction(() => {
      this.#db.prepare('UPDATE outbox_steps SET ever_unknown = 1 WHERE id = ?').run(step.id);
      this.confirm(step, proof);
    })();
  }

  /** What reports that were given up may have left on the server for this case. */
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

  /** Certainly not carried out; tried again by itself, not before the moment (ms) given. */
  postpone(step: OutboxStep, problem: DeskProblem, notBeforeMs: number): void {
    this.#fail(step, step.state === 'unknown' ? 'unknown' : 'waiting', problem, notBeforeMs);
  }

  /** Sent, and no answer came. */
  doubt(step: OutboxStep, problem: DeskProblem, notBeforeMs: number): void {
    this.#fail(step, 'unknown', problem, notBeforeMs);
  }

  /** Refused: only a person can go on. */
  refuse(step: OutboxStep, problem: DeskProblem): void {
    this.#fail(step, 'attention', problem, null);
  }

  /** The server holds another value than the person saw (`act.found`): theirs to choose. */
  contest(step: OutboxStep, act: Act, problem: DeskProblem): void {
    this.#db.transaction(() => {
      this.#setAct(step.rowId, act);
      this.#fail(step, 'attention', problem, null);
    })();
  }

  #fail(
    step: OutboxStep,
    state: QueueState,
    problem: DeskProblem,
    notBeforeMs: number | null,
  ): void {
    this.#db.transaction(() => {
      this.#db
        .prepare(
          `UPDATE outbox_steps SET state = @state, ever_unknown = max(ever_unknown, @unknown)
           WHERE id = @id`,
        )
        .run({ id: step.id, state, unknown: Number(state === 'unknown') });
      this.#setRow(step.rowId, state, problem, notBeforeMs);
      this.#db.prepare('UPDATE outbox SET failures = failures + 1 WHERE id = ?').run(step.rowId);
    })();
  }

  /**
   * The server was asked and does not have it: the step starts anew. A new key, because the old one
   * may be remembered by the server with the answer of the attempt that was lost; one that this
   * laptop never used is kept, for another that has the same work may be using it right now.
   */
  startAnew(step: OutboxStep): void {
    this.#db.transaction(() => {
      this.#db
        .prepare(
          `UPDATE outbox_steps SET state = 'waiting', idempotency_key = ?, key_used_at_ms = NULL,
             delivered_at = NULL, status = NULL, correlation_id = NULL, server_id = NULL,
             size_bytes = NULL, sha256 = NULL
           WHERE id = ?`,
        )
        .run(step.attempts === 0 ? step.idempotencyKey : this.#newKey(), step.id);
      this.#setRow(step.rowId, 'waiting', null, null);
    })();
  }

  #setRow(
    id: number,
    state: QueueState,
    problem: DeskProblem | null,
    notBeforeMs: number | null,
  ): void {
    this.#db
      .prepare('UPDATE outbox SET state = ?, problem = ?, not_before_ms = ? WHERE id = ?')
      .run(
        state,
        problem === null ? null : JSON.stringify(problem),
        notBeforeMs === null ? null : Math.round(notBeforeMs),
        id,
      );
  }

  /** After a crash nobody knows what became of a request that was on its way. */
  doubtAllSending(): void {
    this.#db.transaction(() => {
      this.#db.exec(`
        UPDATE outbox_steps SET state = 'unknown', ever_unknown = 1 WHERE state = 'sending';
        UPDATE outbox SET state = 'unknown', not_before_ms = NULL WHERE state = 'sending';
      `);
    })();
  }

  /** Keeps what the server holds beside a report, for the person who has to decide about it. */
  noteHeld(id: number, found: Held): void {
    const { act } = this.get(id);
    if (act.kind === 'report') this.#setAct(id, { ...act, found });
  }

  /** Whether a submission of the server is that of any report of this laptop. */
  knowsSubmission(serverId: string): boolean {
    const step = this.#db
      .prepare(`SELECT 1 FROM outbox_steps WHERE server_id = ? AND kind IN ('draft', 'submit')`)
      .get(serverId);
    return step !== undefined;
  }

  /** Another laptop delivered the row whole: every step that is left has its proof there. */
  settle(proofs: readonly { step: OutboxStep; proof: DeliveryProof }[]): void {
    this.#db.transaction(() => {
      for (const { step, proof } of proofs) this.confirm(step, proof);
    })();
  }

  /**
   * A person wants it tried now; where a value had changed at the server, they want their own.
   * @param decision about what the server holds beside a report: submit with it or in spite of it,
   * or remove its documents first
   * @throws {DeskError} queue_row_state
   */
  retry(id: number, decision?: RetryDecision): OutboxRow {
    return this.#db.transaction(() => {
      const row = this.get(id);
      const step = row.steps.find(({ state }) => state !== 'delivered');
      const isUndecidable = decision !== undefined && !isDecidable(row);
      if (!step || !['waiting', 'unknown', 'attention'].includes(row.state) || isUndecidable) {
        throw new DeskError('queue_row_state', { id, state: row.state });
      }
      // The server remembers its refusal under the old key and would repeat it unread.
      if (row.state === 'attention') {
        this.startAnew(step);
        this.#setAct(id, decidedAct(withSeenOf(row.act, row), decision));
      } else this.#setRow(id, row.state, row.problem, null);
      this.#db.prepare('UPDATE outbox SET failures = 0 WHERE id = ?').run(id);
      return this.get(id);
    })();
  }

  /**
   * A person changes an act that is certainly not on its way. It keeps its place among the acts of
   * its case, and what the person saw when they first did it.
   * @throws {DeskError} queue_row_state
   */
  edit(id: number, act: Exclude<Act, { kind: 'report' }>): OutboxRow {
    return this.#db.transaction(() => {
      const row = this.get(id);
      const [step] = row.steps;
      const isFree = row.state === 'waiting' || row.state === 'attention';
      if (!step || !isFree || row.kind !== act.kind) {
        throw new DeskError('queue_row_state', { id, state: row.state });
      }
      // Under the old key the server may remember a refusal of the old content.
      this.startAnew(step);
      this.#setAct(id, withSeenOf(act, row));
      const next = this.#nextOfKind(row);
      if (next) this.#setAct(next.id, behind(next.act, act));
      this.#db.prepare('UPDATE outbox SET failures = 0 WHERE id = ?').run(id);
      return this.get(id);
    })();
  }

  /**
   * A person gives an act up. The draft of a report is theirs to change again.
   * @throws {DeskError} queue_row_state
   */
  discard(id: number): OutboxRow {
    return this.#db.transaction(() => {
      const row = this.get(id);
      if (!['waiting', 'unknown', 'attention'].includes(row.state)) {
        throw new DeskError('queue_row_state', { id, state: row.state });
      }
      this.#close(row);
      this.#db.prepare('UPDATE drafts SET queue_id = NULL WHERE queue_id = ?').run(id);
      return this.get(id);
    })();
  }

  /** Nothing waits any more for its moment: a person asked for a round, or the network is back. */
  forgetDelays(): void {
    this.#db.exec(
      `UPDATE outbox SET not_before_ms = NULL
       WHERE not_before_ms IS NOT NULL AND state IN ${openStates}`,
    );
  }
}
