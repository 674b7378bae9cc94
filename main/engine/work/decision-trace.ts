import {
  decisionRules,
  storedDecisionSchema,
  type Decision,
  type StoredDecision,
} from '#shared/desk/delivery/decisions.ts';
import type { Database } from '../database/sqlite.ts';
import type { OutboxStep } from './outbox-records.ts';
import type { StepEvent, StepState } from './outbox-states.ts';

/** The number of decisions that are stored. Older ones are deleted. */
export const decisionsMax = 10_000;

/** A decision in the form of the delivery. */
export type NewDecision = Pick<StoredDecision, 'action' | 'question' | 'failure' | 'rule'>;

interface OpenDecision extends StoredDecision {
  readonly rowId: number;
}

/**
 * The last decisions about the queue, which show why an entry was sent, was sent twice, or was not
 * sent. They contain nothing of a case. They wait in memory and are stored in the transaction that
 * carries them out, so that none needs a separate write. Decisions that a crash loses had no
 * effect.
 */
export class DecisionTrace {
  readonly #db: Database;
  readonly #now: () => string;
  #open: OpenDecision[] = [];

  /** @param options.now the time in ISO 8601 */
  constructor({ db, now }: { db: Database; now: () => string }) {
    this.#db = db;
    this.#now = now;
  }

  /** Notes a decision about a step. */
  decided(step: OutboxStep, decision: NewDecision): void {
    this.#open.push({ ...this.#about(step), ...decision, answer: null, next: null });
  }

  /** Notes the answer to the last question about the row. */
  answered(rowId: number, answer: string): void {
    const at = this.#open.findLastIndex((one) => one.rowId === rowId);
    const asked = this.#open[at];
    if (asked) this.#open[at] = { ...asked, answer };
  }

  /**
   * Stores the decisions about the row, with the resulting state. It is called within the
   * transaction that changes the state.
   */
  moved(step: OutboxStep, event: StepEvent, next: StepState): void {
    const own = this.#open.filter(({ rowId }) => rowId === step.rowId);
    this.#open = this.#open.filter(({ rowId }) => rowId !== step.rowId);
    const last = own.at(-1);
    const isDecided = last?.stepId === step.id && last.question === null;
    const { attempts, state } = step;
    if (isDecided) own[own.length - 1] = { ...last, attempts, state, next };
    else {
      const happened = { failure: null, action: event, question: null, answer: null, rule: null };
      own.push({ ...this.#about(step), ...happened, next });
    }
    const insert = this.#db.prepare('INSERT INTO decisions (row_id, content) VALUES (?, ?)');
    for (const { rowId, ...decision } of own)
      insert.run(rowId, JSON.stringify(storedDecisionSchema.parse(decision)));
    this.#db
      .prepare('DELETE FROM decisions WHERE id <= (SELECT max(id) FROM decisions) - ?')
      .run(decisionsMax);
  }

  /** All stored decisions as JSON, oldest first. */
  stored(): string[] {
    return this.#db
      .prepare<[], string>(`SELECT json_insert(content, '$.id', row_id) FROM decisions ORDER BY id`)
      .pluck()
      .all();
  }

  /** The stored decisions about an entry, oldest first. */
  list(rowId: number): Decision[] {
    return this.#db
      .prepare<[number], { row_id: number; content: string }>(
        'SELECT row_id, content FROM decisions WHERE row_id = ? ORDER BY id',
      )
      .all(rowId)
      .flatMap(({ row_id: id, content }) => {
        // A decision of an earlier version may name a rule that no longer exists. It is skipped,
        // and the others are returned.
        const { data } = storedDecisionSchema.safeParse(JSON.parse(content));
        if (!data) return [];
        const { rule } = data;
        return [{ id, ...data, reason: rule === null ? '' : decisionRules[rule].because }];
      });
  }

  #about({ id, rowId, kind, attempts, state }: OutboxStep) {
    return { rowId, at: this.#now(), stepId: id, step: kind, attempts, state };
  }
}
