import { DeskError } from '#shared/desk/contract/errors.ts';
import type { RetryDecision } from '#shared/desk/delivery/queue.ts';
import type { Database } from '../database/sqlite.ts';
import { DecisionTrace } from './decision-trace.ts';
import { Deliveries } from './deliveries.ts';
import { OutboxReader } from './outbox-reader.ts';
import { currentStep } from './outbox-states.ts';
import { type NewStep, RowStates } from './row-states.ts';
import { isPut, type Act, type OutboxRow } from './outbox-records.ts';
import { decidedAct, isDecidable, rebaseBehind, rebaseOnto } from './conflicts.ts';

/**
 * The acts of the user. Rows and steps change their states by the table of `outbox-states.ts`. Each
 * change and the data that belong to it are one transaction.
 */
export class Outbox {
  readonly rows: OutboxReader;
  /** The deliveries of the acts. */
  readonly deliveries: Deliveries;
  readonly trace: DecisionTrace;
  readonly #db: Database;
  readonly #states: RowStates;
  readonly #now: () => string;
  readonly #newKey: () => string;

  /** @param options.now the time in ISO 8601 */
  constructor(options: { db: Database; now: () => string; newKey: () => string }) {
    const { db, now, newKey } = options;
    this.#db = db;
    this.#now = now;
    this.#newKey = newKey;
    this.rows = new OutboxReader(db);
    this.trace = new DecisionTrace({ db, now });
    this.#states = new RowStates({ db, newKey, rows: this.rows, trace: this.trace });
    this.deliveries = new Deliveries({ db, now, rows: this.rows, states: this.#states });
  }

  /**
   * Queues an act. Amounts or a comment replace an older act of the same kind on the same case that
   * is certainly not being sent: one that needs attention, or one that waits and has no later act
   * behind it (otherwise the order of the user's acts would change).
   * @param isDelivering whether a row is being delivered: before it is marked as sent, its case is
   *   read, or it waits for a slot
   * @returns its id, and those of the rows that it replaces
   */
  enqueue(
    target: { caseId: string; externalKey: string },
    act: Act,
    steps: readonly Omit<NewStep, 'idempotencyKey'>[],
    isDelivering: (rowId: number) => boolean = () => false,
  ): { id: number; superseded: number[] } {
    return this.#db.transaction(() => {
      const row = { ...target, act, createdAt: this.#now() };
      const id = this.#states.add(
        row,
        steps.map((step) => ({ ...step, idempotencyKey: this.#newKey() })),
      );
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
    const before = this.rows.openRows(caseId).filter((row) => row.id !== id);
    for (const row of before) {
      const isFree = row.state === 'waiting' && row === before.at(-1) && !isDelivering(row.id);
      const isReplaced = row.kind === act.kind && (row.state === 'attention' || isFree);
      if (!isReplaced) continue;
      // The row is read again, because closing the earlier row may have changed its base.
      this.#close(this.rows.get(row.id));
      this.#states.change(row.id, { superseded_by: id });
      superseded.push(row.id);
    }
    return superseded;
  }

  /**
   * Closes a row whose act will not be sent. The next act of its kind gets the base of this one.
   */
  #close(row: OutboxRow): void {
    const next = this.#nextOfKind(row);
    if (next) this.#states.setAct(next.id, rebaseOnto(next.act, row));
    for (const step of row.steps)
      if (step.state !== 'delivered')
        this.#states.move(step, 'discard', () => ({
          row: { lays_over: 0 },
          problem: row.problem,
        }));
  }

  #nextOfKind({ id, caseId, kind }: OutboxRow): OutboxRow | undefined {
    return this.rows.openRows(caseId).find((later) => later.id > id && later.kind === kind);
  }

  /**
   * Tries a row now, at the user's request. If a value has changed at the server, the user's value
   * wins.
   * @param decision about what the server has in addition to a report: submit with it or in spite
   *   of it, or remove its documents first
   * @throws {DeskError} queue_row_state
   */
  retry(id: number, decision?: RetryDecision): void {
    this.#db.transaction(() => {
      const row = this.rows.get(id);
      const step = currentStep(row.steps);
      if (!step || (decision !== undefined && !isDecidable(row)))
        throw new DeskError('queue_row_state', { id, state: row.state });
      if (step.state === 'attention') {
        // The server remembers its refusal under the old key and would repeat it.
        this.#states.moveAnew(step, 'retry');
        if (row.problem?.code === 'server_draft_gone')
          this.deliveries.startAnew(...row.steps.filter((other) => other !== step));
        else this.#states.setAct(id, decidedAct(rebaseOnto(row.act, row), decision));
        // The problem tells the delivery what to look up.
      } else this.#states.move(step, 'retry', () => ({ problem: row.problem }));
      this.#states.change(id, { failures: 0, own_failures: 0 });
    })();
  }

  /**
   * Changes an act that is certainly not being sent. Its position among the acts of its case stays,
   * and so does the value that the user saw at the first time.
   * @throws {DeskError} queue_row_state
   */
  edit(id: number, act: Exclude<Act, { kind: 'report' }>): void {
    this.#db.transaction(() => {
      const row = this.rows.get(id);
      const [step] = row.steps;
      if (!step || row.kind !== act.kind)
        throw new DeskError('queue_row_state', { id, state: row.state });
      // The server may remember a refusal of the old content under the old key.
      this.#states.moveAnew(step, 'edit');
      this.#states.change(id, { failures: 0, own_failures: 0 });
      this.#states.setAct(id, rebaseOnto(act, row));
      const next = this.#nextOfKind(row);
      if (next) this.#states.setAct(next.id, rebaseBehind(next.act, act));
    })();
  }

  /**
   * Discards an act. The draft of a report can be changed again.
   * @throws {DeskError} queue_row_state
   */
  discard(id: number): OutboxRow {
    return this.#db.transaction(() => {
      const row = this.rows.get(id);
      if (!currentStep(row.steps)) throw new DeskError('queue_row_state', { id, state: row.state });
      this.#close(row);
      this.#db.prepare('UPDATE drafts SET queue_id = NULL WHERE queue_id = ?').run(id);
      return this.rows.get(id);
    })();
  }
}
