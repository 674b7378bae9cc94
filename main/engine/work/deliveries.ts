import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { DeliveryProof } from '#shared/desk/delivery/queue.ts';
import { timeOf } from '#shared/lib/timestamps.ts';
import type { Database } from '../database/sqlite.ts';
import { openStates, type OutboxReader } from './outbox-reader.ts';
import type { Act, OutboxRow, ServerFindings } from './outbox-records.ts';
import { currentStep } from './outbox-states.ts';
import type { RowStates, StepRef } from './row-states.ts';

/** The time of a delivery is from a Date header, which has whole seconds. */
const wholeSecondsMs = 1000;

/** A step that the partner has carried out, with its proof. */
export interface ProvenStep {
  readonly step: StepRef;
  readonly proof: DeliveryProof;
  /** Whether another program carried it out, so that its content is not known. */
  readonly isTakenOver?: boolean;
}

/** Stores the progress of deliveries. Eight of its methods change states. */
export class Deliveries {
  readonly #db: Database;
  readonly #rows: OutboxReader;
  readonly #states: RowStates;
  readonly #now: () => string;

  /** @param options.now the time in ISO 8601 */
  constructor(options: { db: Database; rows: OutboxReader; states: RowStates; now: () => string }) {
    this.#db = options.db;
    this.#rows = options.rows;
    this.#states = options.states;
    this.#now = options.now;
  }

  /**
   * Notes that the request has a slot and is about to be sent; committed before its first byte.
   * @throws {DeskError} queue_row_state if the row has ended, or needs the user, in the meantime
   */
  begin(step: StepRef, serverNowMs: number): void {
    this.#states.move(step, 'begin', ({ attempts, firstAttemptAt, keyUsedAtMs }) => ({
      step: {
        attempts: attempts + 1,
        first_attempt_at: firstAttemptAt ?? this.#now(),
        key_used_at_ms: keyUsedAtMs ?? Math.round(serverNowMs),
      },
    }));
  }

  /**
   * Notes that the partner has carried out these steps of a row. With its last step the row is
   * delivered.
   */
  confirm(...proven: readonly ProvenStep[]): void {
    this.#db.transaction(() => {
      for (const { step, proof, isTakenOver = false } of proven)
        this.#states.move(step, 'confirm', ({ everUnknown }) => ({
          step: {
            delivered_at: proof.at,
            status: proof.status,
            correlation_id: proof.correlationId,
            server_id: proof.serverId,
            size_bytes: proof.sizeBytes,
            sha256: proof.sha256,
            laptop_at: proof.laptopAt ?? null,
            seen_at: null,
            ever_unknown: Number(everUnknown || isTakenOver),
          },
          row: { failures: 0, own_failures: 0 },
        }));
    })();
  }

  /**
   * Notes that the attempt at the row has failed.
   * - `postpone`: it was certainly not carried out and is retried automatically
   * - `doubt`: it was sent, and no answer arrived
   * - `refuse`: only the user can continue, for instance with the partner's value (`act`)
   * @param more.notBeforeMs the earliest time of the next attempt
   */
  fail(
    rowId: number,
    how: 'postpone' | 'doubt' | 'refuse',
    problem: DeskProblem,
    more: { readonly notBeforeMs?: number; readonly act?: Act } = {},
  ): void {
    const { notBeforeMs = null, act } = more;
    this.#db.transaction(() => {
      this.#states.move(this.#current(rowId), how, ({ everUnknown }, { failures }) => ({
        step: { ever_unknown: Number(everUnknown || how === 'doubt') },
        row: { failures: failures + 1 },
        problem,
        notBeforeMs,
      }));
      if (act) this.#states.setAct(rowId, act);
    })();
  }

  /**
   * Notes that the row failed while other requests succeeded.
   * @param weightMax the weight of such failures at which it needs the user
   */
  blame(id: number, weight: number, weightMax: number): void {
    this.#db.transaction(() => {
      const { state, problem, ownFailures } = this.#rows.get(id);
      if (state !== 'waiting' && state !== 'unknown') return;
      this.#states.change(id, { own_failures: ownFailures + weight });
      if (ownFailures + weight >= weightMax)
        this.#states.move(this.#current(id), 'blame', () => ({ problem }));
    })();
  }

  /** Starts these steps of a row again, because the partner does not have their results. */
  startAnew(...steps: readonly StepRef[]): void {
    this.#db.transaction(() => {
      for (const step of steps) this.#states.moveAnew(step, 'startAnew');
    })();
  }

  /**
   * Notes that a reading after the delivery found another value, so that the user must decide.
   * @param difference.isMendable whether the user's retry sends it again; otherwise the retry only
   *   looks it up
   */
  dispute(
    { kind, steps }: OutboxRow,
    { act, problem, isMendable }: { act: Act; problem: DeskProblem; isMendable: boolean },
  ): void {
    const last = steps.at(-1);
    if (!last) return;
    this.#db.transaction(() => {
      this.#states.move(last, isMendable ? 'dispute' : 'disputeForGood', () => ({
        step: { ever_unknown: 1 },
        row: { is_compared: 1, lays_over: kind === 'report' ? 0 : 1 },
        problem,
      }));
      this.#states.setAct(last.rowId, act);
    })();
  }

  /**
   * Notes that a reading found the sent value. A disputed row is then delivered. If only an answer
   * contradicted the request, the outcome is looked up again.
   */
  see(id: number, seenAt: string): void {
    this.#db.transaction(() => {
      const { steps, problem } = this.#rows.get(id);
      const step = currentStep(steps);
      if (step && (problem?.code === 'answer_mismatch' || !step.delivered)) {
        // With this problem the delivery looks up the outcome, where it would otherwise only repeat
        // a PUT.
        this.#states.move(step, 'lookAgain', () => ({ step: { ever_unknown: 1 }, problem }));
        return;
      }
      if (step) this.#states.move(step, 'see', () => ({ row: { lays_over: 0 } }));
      this.#states.change(id, { is_compared: 1 });
      this.#db
        .prepare(`UPDATE outbox_steps SET seen_at = ? WHERE row_id = ? AND state = 'delivered'`)
        .run(seenAt, id);
    })();
  }

  /** Marks requests that were running at a crash as unknown. */
  doubtAllSending(): void {
    const sending = this.#rows.sending();
    if (sending.length === 0) return;
    this.#db.transaction(() => {
      for (const step of sending)
        this.#states.move(step, 'restart', () => ({ step: { ever_unknown: 1 } }));
    })();
  }

  /**
   * Puts deliveries in doubt, because the partner was restored from a backup in which a case has
   * this LastChangedAt. Everything that was delivered since then is compared again.
   * @param caseId the case of the acts; null for every case
   * @returns the cases of the acts
   */
  compareAgain(caseId: string | null, lastChangedAt: string): string[] {
    const since = new Date(timeOf(lastChangedAt) - wholeSecondsMs).toISOString();
    return this.#db
      .prepare<{ caseId: string | null; since: string }, string>(
        `UPDATE outbox SET is_compared = 0
         WHERE (@caseId IS NULL OR case_id = @caseId) AND state = 'delivered' AND id IN (
           SELECT row_id FROM outbox_steps WHERE delivered_at >= @since AND laptop_at IS NOT NULL)
         RETURNING case_id`,
      )
      .pluck()
      .all({ caseId, since });
  }

  /** Stores what the server has in addition to a report, for the user's decision. */
  saveServerFindings(id: number, found: ServerFindings): void {
    const { act } = this.#rows.get(id);
    if (act.kind === 'report') this.#states.setAct(id, { ...act, found });
  }

  /** Ends every delay, because the user requested a round or the network is back. */
  forgetDelays(): void {
    this.#db.exec(
      `UPDATE outbox SET not_before_ms = NULL
       WHERE not_before_ms IS NOT NULL AND state IN ${openStates}`,
    );
  }

  /** The current step of the row's delivery; the last step of a delivered row. */
  #current(rowId: number): StepRef {
    const { steps } = this.#rows.get(rowId);
    const step = currentStep(steps) ?? steps.at(-1);
    if (!step) throw new Error(`the row ${String(rowId)} has no steps`);
    return step;
  }
}
