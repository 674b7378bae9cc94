import { DeskError, type DeskProblem } from '#shared/desk/contract/errors.ts';
import type { QueueStep } from '#shared/desk/delivery/queue.ts';
import type { Database } from '../database/sqlite.ts';
import type { StoredAttachment } from './attachment-rows.ts';
import type { DecisionTrace } from './decision-trace.ts';
import type { OutboxReader } from './outbox-reader.ts';
import type { Act, OutboxRow, OutboxStep } from './outbox-records.ts';
import {
  currentStep,
  nextState,
  rowState,
  type StepEvent,
  type StepState,
} from './outbox-states.ts';

type Columns = Readonly<Record<string, string | number | null>>;

/** The data that are stored with a change of state. */
interface Change {
  readonly step?: Columns;
  readonly row?: Columns;
  /** The reason why the row is not delivered; null if there is none. */
  readonly problem?: DeskProblem | null;
  /** The earliest time of the next attempt (ms). */
  readonly notBeforeMs?: number | null;
}

/**
 * The ids of a step. They are passed alone, because the rest of the caller's step may be out of
 * date.
 */
export type StepRef = Pick<OutboxStep, 'id' | 'rowId'>;

export interface NewStep {
  readonly kind: QueueStep['kind'];
  readonly idempotencyKey: string;
  /** The file that a `document` step uploads. */
  readonly attachment?: StoredAttachment;
}

const noProof = {
  delivered_at: null,
  status: null,
  correlation_id: null,
  server_id: null,
  size_bytes: null,
  sha256: null,
  laptop_at: null,
  seen_at: null,
};

/**
 * Changes the states of rows and steps, only by the table of `outbox-states.ts`. The state of a row
 * follows from its steps.
 */
export class RowStates {
  readonly #db: Database;
  readonly #rows: OutboxReader;
  readonly #trace: DecisionTrace;

  readonly #newKey: () => string;

  constructor(parts: {
    db: Database;
    rows: OutboxReader;
    trace: DecisionTrace;
    newKey: () => string;
  }) {
    this.#db = parts.db;
    this.#rows = parts.rows;
    this.#trace = parts.trace;
    this.#newKey = parts.newKey;
  }

  /**
   * Stores a row whose steps wait, within the caller's transaction.
   * @returns its id
   */
  add(
    row: { caseId: string; externalKey: string; act: Act; createdAt: string },
    steps: readonly NewStep[],
  ): number {
    const { caseId, externalKey, act, createdAt } = row;
    const { lastInsertRowid } = this.#db
      .prepare(
        `INSERT INTO outbox (case_id, external_key, kind, state, act, created_at, lays_over)
         VALUES (?, ?, ?, 'waiting', ?, ?, ?)`,
      )
      .run(caseId, externalKey, act.kind, JSON.stringify(act), createdAt, laysOver(act));
    const insertStep = this.#db.prepare(
      `INSERT INTO outbox_steps (row_id, position, kind, state, idempotency_key, attachment_id,
         file_name, file_size_bytes, is_salvage_sale)
       VALUES (?, ?, ?, 'waiting', ?, ?, ?, ?, ?)`,
    );
    steps.forEach(({ kind, idempotencyKey, attachment }, position) => {
      insertStep.run(
        lastInsertRowid,
        position,
        kind,
        idempotencyKey,
        attachment?.id ?? null,
        attachment?.fileName ?? null,
        attachment?.sizeBytes ?? null,
        Number(attachment?.isSalvageSale ?? false),
      );
    });
    return Number(lastInsertRowid);
  }

  /**
   * Moves a step to its next state, and its row with it.
   * @param changeOf the data that are stored with it, computed from the stored step and row
   * @throws {DeskError} queue_row_state if the event is not possible in the step's present state
   */
  move(
    { id, rowId }: StepRef,
    event: StepEvent,
    changeOf: (step: OutboxStep, row: OutboxRow) => Change,
  ): void {
    this.#db.transaction(() => {
      const row = this.#rows.get(rowId);
      const step = row.steps.find((one) => one.id === id);
      const state = step && nextState(step.state, event);
      if (!step || !state) throw new DeskError('queue_row_state', { id: rowId, state: row.state });
      const { problem = null, notBeforeMs = null, ...change } = changeOf(step, row);
      this.#update('outbox_steps', id, { state, ...change.step });
      const steps = row.steps.map((one) => (one === step ? { ...one, state } : one));
      this.#update('outbox', rowId, {
        state: rowState(steps),
        problem: problem === null ? null : JSON.stringify(problem),
        not_before_ms: notBeforeMs === null ? null : Math.round(notBeforeMs),
        ...change.row,
      });
      // In a discarded row, the other steps do not matter any more.
      if (event !== 'discard' || step === currentStep(row.steps))
        this.#trace.moved(step, event, state);
    })();
  }

  /**
   * Moves a step that starts again. It gets a new key, because the partner may remember a refusal
   * or a lost answer under the old one. A key that this laptop never used stays, because another
   * laptop with the same work may use it.
   */
  moveAnew(ref: StepRef, event: 'startAnew' | 'retry' | 'edit'): void {
    this.move(ref, event, ({ attempts, idempotencyKey }) => ({
      step: {
        idempotency_key: attempts === 0 ? idempotencyKey : this.#newKey(),
        key_used_at_ms: null,
        ...noProof,
      },
      row: { is_compared: 0 },
    }));
  }

  /** Changes a row but not its state. */
  change(rowId: number, columns: Columns): void {
    this.#update('outbox', rowId, columns);
  }

  setAct(rowId: number, act: Act): void {
    this.change(rowId, { act: JSON.stringify(act) });
  }

  #update(table: 'outbox' | 'outbox_steps', id: number, columns: Columns): void {
    const places = Object.keys(columns).map((name) => `${name} = @${name}`);
    this.#db
      .prepare(`UPDATE ${table} SET ${places.join(', ')} WHERE id = @id`)
      .run({ ...columns, id });
  }
}

/** Whether the cache does not show the act yet. A report is never shown there. */
const laysOver = ({ kind }: Act): number => (kind === 'report' ? 0 : 1);

/** Computes the state of a row again, which was stored with its steps. */
export function restate(db: Database, rowId: number): void {
  const steps = db
    .prepare<[number], { state: StepState }>(
      'SELECT state FROM outbox_steps WHERE row_id = ? ORDER BY position',
    )
    .all(rowId);
  db.prepare('UPDATE outbox SET state = ? WHERE id = ?').run(rowState(steps), rowId);
}
