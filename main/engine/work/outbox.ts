import { DeskError } from '#shared/desk/errors.ts';
import type { QueueStep, RetryDecision } from '#shared/desk/queue.ts';
import type { StoredAttachment } from './attachment-rows.ts';
import { DeliveryOutbox } from './delivery-outbox.ts';
import { isPut, type Act, type OutboxRow } from './outbox-records.ts';
import { decidedAct, isDecidable, rebaseBehind, rebaseOnto } from './conflicts.ts';

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
export class Outbox extends DeliveryOutbox {
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
          this.now(),
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
          this.newKey(),
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
    if (next) this.setAct(next.id, rebaseOnto(next.act, row));
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
      } else if (step.state === 'unknown') this.setRow(id, 'unknown', row.problem, null);
      // The server remembers its refusal under the old key and would repeat it.
      else if (row.state === 'attention') {
        this.startAnew(step);
        this.setAct(id, decidedAct(rebaseOnto(row.act, row), decision));
      } else this.setRow(id, row.state, row.problem, null);
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
      this.setAct(id, rebaseOnto(act, row));
      const next = this.#nextOfKind(row);
      if (next) this.setAct(next.id, rebaseBehind(next.act, act));
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
}
