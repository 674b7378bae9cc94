import { DeskError, type DeskProblem } from '#shared/desk/errors.ts';
import type { DeliveryProof, QueueState, QueueStep, RetryDecision } from '#shared/desk/queue.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import type { Database } from '../database/sqlite.ts';
import type { StoredAttachment } from './attachment-rows.ts';
import { isAtEnd, openStates, OutboxReader } from './outbox-reader.ts';
import {
  isPut,
  type Act,
  type ServerFindings,
  type OutboxRow,
  type OutboxStep,
} from './outbox-records.ts';
import { decidedAct, isDecidable, rebaseBehind, rebaseOnto } from './conflicts.ts';

/** A delivery is dated by a Date header, which has whole seconds. */
const wholeSecondsMs = 1000;

interface NewStep {
  readonly kind: QueueStep['kind'];
  /** The file that a `document` step uploads. */
  readonly attachment?: StoredAttachment;
}

/**
 * The acts of the user and their outcome. Every change of state is one transaction.
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
export class Outbox extends OutboxReader {
  readonly #now: () => string;
  readonly #newKey: () => string;

  /** @param options.now ISO 8601 */
  constructor(options: { db: Database; now: () => string; newKey: () => string }) {
    super(options.db);
    this.#now = options.now;
    this.#newKey = options.newKey;
  }

  /**
   * Queues an act. Amounts or a comment replace an older act of the same kind on the same case that
   * is certainly not on its way: one that needs attention, or one that waits with nothing queued
   * behind it (else the order of the user's acts would change).
   * @param isDelivering whether a row is being delivered: its case is read, or it waits for a slot,
   * before it is marked as sent
   * @returns its id, and those of the rows that it replaces
   */
  enqueue(
    target: { caseId: string; externalKey: string },
    act: Act,
    steps: readonly NewStep[],
    isDelivering: (rowId: number) => boolean = () => false,
  ): { id: number; superseded: number[] } {
    return this.db.transaction(() => {
      const { lastInsertRowid } = this.db
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
      const insertStep = this.db.prepare(
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
      return {
        id,
        superseded: isPut(act) ? this.#supersede(target.caseId, id, act, isDelivering) : [],
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
      // Read again: closing the row before it may have rebased this one.
      this.#close(this.get(row.id));
      this.db.prepare('UPDATE outbox SET superseded_by = ? WHERE id = ?').run(id, row.id);
      superseded.push(row.id);
    }
    return superseded;
  }

  /** The act will not be sent, so the next one of its kind is rebased onto what it was based on. */
  #close(row: OutboxRow): void {
    const { id } = row;
    const next = this.#nextOfKind(row);
    if (next) this.#setAct(next.id, rebaseOnto(next.act, row));
    this.db
      .prepare(
        `UPDATE outbox SET state = 'discarded', lays_over = 0, not_before_ms = NULL WHERE id = ?`,
      )
      .run(id);
    this.db
      .prepare(
        `UPDATE outbox_steps SET state = 'discarded' WHERE row_id = ? AND state != 'delivered'`,
      )
      .run(id);
  }

  #nextOfKind({ id, caseId, kind }: OutboxRow): OutboxRow | undefined {
    return this.openRows(caseId).find((later) => later.id > id && later.kind === kind);
  }

  #setAct(id: number, act: Act): void {
    this.db.prepare('UPDATE outbox SET act = ? WHERE id = ?').run(JSON.stringify(act), id);
  }

  /**
   * Tries a row now on the user's request; if a value had changed at the server, the user's wins.
   * @param decision about what the server has in addition to a report: submit with it or in spite
   * of it, or remove its documents first
   * @throws {DeskError} queue_row_state
   */
  retry(id: number, decision?: RetryDecision): void {
    this.db.transaction(() => {
      const row = this.get(id);
      const step = row.steps.find(({ state }) => state !== 'delivered');
      const isUndecidable = decision !== undefined && !isDecidable(row);
      if (!step || !['waiting', 'unknown', 'attention'].includes(row.state) || isUndecidable) {
        throw new DeskError('queue_row_state', { id, state: row.state });
      }
      if (row.problem?.code === 'server_draft_gone') {
        this.startReportAnew(row);
        // An outcome that is unknown stays so until it is looked up.
      } else if (step.state === 'unknown') this.#setRow(id, 'unknown', row.problem, null);
      // The server remembers its refusal under the old key and would repeat it.
      else if (row.state === 'attention') {
        this.startAnew(step);
        this.#setAct(id, decidedAct(rebaseOnto(row.act, row), decision));
      } else this.#setRow(id, row.state, row.problem, null);
      this.db.prepare('UPDATE outbox SET failures = 0, own_failures = 0 WHERE id = ?').run(id);
    })();
  }

  /**
   * Changes an act that is certainly not on its way. Its place among the acts of its case stays,
   * and what the user saw when they first did it.
   * @throws {DeskError} queue_row_state
   */
  edit(id: number, act: Exclude<Act, { kind: 'report' }>): void {
    this.db.transaction(() => {
      const row = this.get(id);
      const [step] = row.steps;
      const isFree = row.state === 'waiting' || row.state === 'attention';
      if (!step || !isFree || row.kind !== act.kind) {
        throw new DeskError('queue_row_state', { id, state: row.state });
      }
      // Under the old key the server may remember a refusal of the old content.
      this.startAnew(step);
      this.#setAct(id, rebaseOnto(act, row));
      const next = this.#nextOfKind(row);
      if (next) this.#setAct(next.id, rebaseBehind(next.act, act));
      this.db.prepare('UPDATE outbox SET failures = 0, own_failures = 0 WHERE id = ?').run(id);
    })();
  }

  /**
   * Gives an act up. The draft of a report can be changed again.
   * @throws {DeskError} queue_row_state
   */
  discard(id: number): OutboxRow {
    return this.db.transaction(() => {
      const row = this.get(id);
      if (!['waiting', 'unknown', 'attention'].includes(row.state)) {
        throw new DeskError('queue_row_state', { id, state: row.state });
      }
      this.#close(row);
      this.db.prepare('UPDATE drafts SET queue_id = NULL WHERE queue_id = ?').run(id);
      return this.get(id);
    })();
  }

  /**
   * The request has a slot and is about to leave; committed before its first byte.
   * @throws {DeskError} queue_row_state if the row has ended in the meantime
   */
  begin(step: OutboxStep, serverNowMs: number): void {
    this.db.transaction(() => {
      const { state } = this.get(step.rowId);
      if (isAtEnd(state)) throw new DeskError('queue_row_state', { id: step.rowId, state });
      this.db
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

  /** The server has it: stores the proof. The row is delivered with its last step. */
  confirm(step: OutboxStep, proof: DeliveryProof): void {
    this.db.transaction(() => {
      this.db
        .prepare(
          `UPDATE outbox_steps SET state = 'delivered', delivered_at = @at, status = @status,
             correlation_id = @correlationId, server_id = @serverId, size_bytes = @sizeBytes,
             sha256 = @sha256, laptop_at = @laptopAt, seen_at = NULL
           WHERE id = @id`,
        )
        .run({ ...proof, laptopAt: proof.laptopAt ?? null, id: step.id });
      const next = this.get(step.rowId).steps.find(({ state }) => state !== 'delivered');
      this.#setRow(step.rowId, next?.state ?? 'delivered', null, null);
      this.db
        .prepare('UPDATE outbox SET failures = 0, own_failures = 0 WHERE id = ?')
        .run(step.rowId);
    })();
  }

  /** The server's draft of a discarded report becomes this report's; its content is not known. */
  takeOver(step: OutboxStep, proof: DeliveryProof): void {
    this.db.transaction(() => {
      this.db.prepare('UPDATE outbox_steps SET ever_unknown = 1 WHERE id = ?').run(step.id);
      this.confirm(step, proof);
    })();
  }

  /** Certainly not carried out; retried automatically, not before the given moment (ms). */
  postpone(step: OutboxStep, problem: DeskProblem, notBeforeMs: number): void {
    this.#fail(step, step.state === 'unknown' ? 'unknown' : 'waiting', problem, notBeforeMs);
  }

  /** Sent, and no answer came. */
  doubt(step: OutboxStep, problem: DeskProblem, notBeforeMs: number): void {
    this.#fail(step, 'unknown', problem, notBeforeMs);
  }

  /**
   * The row failed while other requests got through.
   * @param failuresMax failures after which it needs the user
   */
  blame(id: number, failuresMax: number): void {
    this.db.transaction(() => {
      const row = this.get(id);
      if (row.state !== 'waiting' && row.state !== 'unknown') return;
      this.db.prepare('UPDATE outbox SET own_failures = own_failures + 1 WHERE id = ?').run(id);
      // The step stays as it is: one of unknown outcome is looked up at the user's retry.
      if (row.ownFailures + 1 >= failuresMax) this.#setRow(id, 'attention', row.problem, null);
    })();
  }

  /** Refused: only the user can continue. */
  refuse(step: OutboxStep, problem: DeskProblem): void {
    this.#fail(step, 'attention', problem, null);
  }

  /** The server has another value than the user saw (`act.found`): the user chooses. */
  contest(step: OutboxStep, act: Act, problem: DeskProblem): void {
    this.db.transaction(() => {
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
    this.db.transaction(() => {
      this.db
        .prepare(
          `UPDATE outbox_steps SET state = @state, ever_unknown = max(ever_unknown, @unknown)
           WHERE id = @id`,
        )
        .run({ id: step.id, state, unknown: Number(state === 'unknown') });
      this.#setRow(step.rowId, state, problem, notBeforeMs);
      this.db.prepare('UPDATE outbox SET failures = failures + 1 WHERE id = ?').run(step.rowId);
    })();
  }

  /**
   * The server does not have it: the step starts again. It gets a new key, because the server may
   * remember the old one with the lost answer; a key that this laptop never used stays, because
   * another laptop with the same work may use it.
   */
  startAnew(step: OutboxStep): void {
    this.db.transaction(() => {
      this.db
        .prepare(
          `UPDATE outbox_steps SET state = 'waiting', idempotency_key = ?, key_used_at_ms = NULL,
             delivered_at = NULL, status = NULL, correlation_id = NULL, server_id = NULL,
             size_bytes = NULL, sha256 = NULL, laptop_at = NULL, seen_at = NULL
           WHERE id = ?`,
        )
        .run(step.attempts === 0 ? step.idempotencyKey : this.#newKey(), step.id);
      this.#setRow(step.rowId, 'waiting', null, null);
      this.db.prepare('UPDATE outbox SET is_compared = 0 WHERE id = ?').run(step.rowId);
    })();
  }

  /** The server has no trace of the report: all of it is sent again. */
  startReportAnew({ steps }: OutboxRow): void {
    this.db.transaction(() => steps.forEach((step) => this.startAnew(step)))();
  }

  /** The partner was read after the delivery and has what was sent. */
  markSeen(id: number, seenAt: string): void {
    this.db.transaction(() => {
      this.db.prepare('UPDATE outbox SET is_compared = 1 WHERE id = ?').run(id);
      this.db
        .prepare(`UPDATE outbox_steps SET seen_at = ? WHERE row_id = ? AND state = 'delivered'`)
        .run(seenAt, id);
    })();
  }

  /**
   * The partner was restored from a backup, in which a case has this LastChangedAt: what was delivered
   * since then is compared again.
   */
  compareAgain(caseId: string, lastChangedAt: string): void {
    const since = new Date(timeOf(lastChangedAt) - wholeSecondsMs).toISOString();
    this.db
      .prepare(
        `UPDATE outbox SET is_compared = 0 WHERE case_id = ? AND state = 'delivered' AND id IN (
           SELECT row_id FROM outbox_steps WHERE delivered_at >= ? AND laptop_at IS NOT NULL)`,
      )
      .run(caseId, since);
  }

  /**
   * The partner was read after the delivery and has something else: the user decides.
   * @param difference.isMendable whether the user's retry sends it again; else it only looks it up
   */
  dispute(
    { id, kind, steps }: OutboxRow,
    difference: { act: Act; problem: DeskProblem; isMendable: boolean },
  ): void {
    const last = steps.at(-1);
    if (!last) return;
    this.db.transaction(() => {
      this.#setAct(id, difference.act);
      this.db
        .prepare('UPDATE outbox_steps SET state = ?, ever_unknown = 1 WHERE id = ?')
        .run(difference.isMendable ? 'attention' : 'unknown', last.id);
      this.#setRow(id, 'attention', difference.problem, null);
      this.db
        .prepare('UPDATE outbox SET is_compared = 1, lays_over = ? WHERE id = ?')
        .run(kind === 'report' ? 0 : 1, id);
    })();
  }

  #setRow(
    id: number,
    state: QueueState,
    problem: DeskProblem | null,
    notBeforeMs: number | null,
  ): void {
    this.db
      .prepare('UPDATE outbox SET state = ?, problem = ?, not_before_ms = ? WHERE id = ?')
      .run(
        state,
        problem === null ? null : JSON.stringify(problem),
        notBeforeMs === null ? null : Math.round(notBeforeMs),
        id,
      );
  }

  /** After a crash the outcome of a request that was on its way is unknown. */
  doubtAllSending(): void {
    this.db.transaction(() => {
      this.db.exec(`
        UPDATE outbox_steps SET state = 'unknown', ever_unknown = 1 WHERE state = 'sending';
        UPDATE outbox SET state = 'unknown', not_before_ms = NULL WHERE state = 'sending';
      `);
    })();
  }

  /** Stores what the server has in addition to a report, for the user's decision. */
  saveServerFindings(id: number, found: ServerFindings): void {
    const { act } = this.get(id);
    if (act.kind === 'report') this.#setAct(id, { ...act, found });
  }

  /** Another laptop delivered the whole row: every step that is left has its proof there. */
  resolve(proofs: readonly { step: OutboxStep; proof: DeliveryProof }[]): void {
    this.db.transaction(() => {
      for (const { step, proof } of proofs) this.confirm(step, proof);
    })();
  }

  /** Ends every backoff: the user asked for a round, or the network is back. */
  forgetDelays(): void {
    this.db.exec(
      `UPDATE outbox SET not_before_ms = NULL
       WHERE not_before_ms IS NOT NULL AND state IN ${openStates}`,
    );
  }
}
