import { DeskError, type DeskProblem } from '#shared/desk/errors.ts';
import type { DeliveryProof, QueueState } from '#shared/desk/queue.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import type { Database } from '../database/sqlite.ts';
import { isAtEnd, openStates, OutboxReader } from './outbox-reader.ts';
import type { Act, OutboxRow, OutboxStep, ServerFindings } from './outbox-records.ts';

/** A delivery is dated by a Date header, which has whole seconds. */
const wholeSecondsMs = 1000;

/** What the delivery records of the acts. The states are drawn above `Outbox`. */
export class DeliveryOutbox extends OutboxReader {
  protected readonly now: () => string;
  protected readonly newKey: () => string;

  /** @param options.now ISO 8601 */
  constructor(options: { db: Database; now: () => string; newKey: () => string }) {
    super(options.db);
    this.now = options.now;
    this.newKey = options.newKey;
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
        .run({ id: step.id, now: this.now(), serverNowMs: Math.round(serverNowMs) });
      this.setRow(step.rowId, 'sending', null, null);
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
      this.setRow(step.rowId, next?.state ?? 'delivered', null, null);
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
      if (row.ownFailures + 1 >= failuresMax) this.setRow(id, 'attention', row.problem, null);
    })();
  }

  /** Refused: only the user can continue. */
  refuse(step: OutboxStep, problem: DeskProblem): void {
    this.#fail(step, 'attention', problem, null);
  }

  /** The server has another value than the user saw (`act.found`): the user chooses. */
  contest(step: OutboxStep, act: Act, problem: DeskProblem): void {
    this.db.transaction(() => {
      this.setAct(step.rowId, act);
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
      this.setRow(step.rowId, state, problem, notBeforeMs);
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
        .run(step.attempts === 0 ? step.idempotencyKey : this.newKey(), step.id);
      this.setRow(step.rowId, 'waiting', null, null);
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
   * @param caseId of the acts; null for those of every case
   * @returns the cases of the acts
   */
  compareAgain(caseId: string | null, lastChangedAt: string): string[] {
    const since = new Date(timeOf(lastChangedAt) - wholeSecondsMs).toISOString();
    return this.db
      .prepare<{ caseId: string | null; since: string }, string>(
        `UPDATE outbox SET is_compared = 0
         WHERE (@caseId IS NULL OR case_id = @caseId) AND state = 'delivered' AND id IN (
           SELECT row_id FROM outbox_steps WHERE delivered_at >= @since AND laptop_at IS NOT NULL)
         RETURNING case_id`,
      )
      .pluck()
      .all({ caseId, since });
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
      this.setAct(id, difference.act);
      this.db
        .prepare('UPDATE outbox_steps SET state = ?, ever_unknown = 1 WHERE id = ?')
        .run(difference.isMendable ? 'attention' : 'unknown', last.id);
      this.setRow(id, 'attention', difference.problem, null);
      this.db
        .prepare('UPDATE outbox SET is_compared = 1, lays_over = ? WHERE id = ?')
        .run(kind === 'report' ? 0 : 1, id);
    })();
  }

  /** A later reading has what was delivered: nothing needs the user any more. */
  settle({ id, steps }: OutboxRow, seenAt: string): void {
    const last = steps.at(-1);
    if (!last?.delivered) return;
    this.db.transaction(() => {
      this.db.prepare(`UPDATE outbox_steps SET state = 'delivered' WHERE id = ?`).run(last.id);
      this.setRow(id, 'delivered', null, null);
      this.db.prepare('UPDATE outbox SET lays_over = 0 WHERE id = ?').run(id);
      this.markSeen(id, seenAt);
    })();
  }

  /** A later reading has what an answer denied: the step is looked up again. */
  lookAgain({ id, steps, problem }: OutboxRow): void {
    const step = steps.find(({ state }) => state !== 'delivered');
    if (!step) return;
    this.db.transaction(() => {
      this.db
        .prepare(`UPDATE outbox_steps SET state = 'unknown', ever_unknown = 1 WHERE id = ?`)
        .run(step.id);
      // The problem makes the delivery look up what a PUT would only repeat.
      this.setRow(id, 'unknown', problem, null);
    })();
  }

  protected setAct(id: number, act: Act): void {
    this.db.prepare('UPDATE outbox SET act = ? WHERE id = ?').run(JSON.stringify(act), id);
  }

  protected setRow(
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
    if (act.kind === 'report') this.setAct(id, { ...act, found });
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
