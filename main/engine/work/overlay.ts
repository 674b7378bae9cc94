import { type Amounts, amountsOf } from '#shared/desk/cases/amounts.ts';
import type { EditPart } from '#shared/desk/cases/case-choices.ts';
import type { Database } from '../database/sqlite.ts';
import { openStates } from './outbox-reader.ts';
import { actSchema } from './outbox-records.ts';

/** The changes of a case by the user's unsent (or just delivered) work. */
export interface CaseOverlay {
  /** The amounts; absent if no act sets them. */
  amounts?: Amounts;
  comment?: string;
  reopened?: boolean;
  pendingCount: number;
  needsAttention: boolean;
  /** Whether a report is in the queue. */
  reportQueued: boolean;
  /** The fields with typed text that is not queued. */
  unsentEdits: EditPart[];
}

/** The acts that the cache does not show yet. They overlay the cache until it does. */
export class Overlays {
  readonly #statements;

  constructor(db: Database) {
    this.#statements = {
      open: db.prepare<
        [string],
        { case_id: string; pending: number; attention: number; reports: number }
      >(
        `SELECT o.case_id, count(*) AS pending, sum(o.state = 'attention') AS attention,
           sum(o.kind = 'report') AS reports
         FROM json_each(?) wanted JOIN outbox o ON o.case_id = wanted.value
         WHERE o.state IN ${openStates} GROUP BY o.case_id`,
      ),
      acts: db.prepare<[string], { case_id: string; act: string }>(
        `SELECT o.case_id, o.act FROM json_each(?) wanted JOIN outbox o ON o.case_id = wanted.value
         WHERE o.lays_over = 1 ORDER BY o.id`,
      ),
      edits: db.prepare<[string], { case_id: string; part: EditPart }>(
        `SELECT e.case_id, e.part FROM json_each(?) wanted JOIN edits e ON e.case_id = wanted.value
         ORDER BY e.case_id, e.part`,
      ),
      delivered: db.prepare<[], { id: number; caseId: string }>(
        `SELECT id, case_id AS caseId FROM outbox WHERE lays_over = 1 AND state = 'delivered'`,
      ),
      lift: db.prepare<[string]>(
        `UPDATE outbox SET lays_over = 0
         WHERE state = 'delivered' AND id IN (SELECT value FROM json_each(?))`,
      ),
    };
  }

  /** The overlays by case id. A case without unsent work is absent. */
  of(caseIds: readonly string[]): Map<string, CaseOverlay> {
    const overlays = new Map<string, CaseOverlay>();
    const overlayOf = (caseId: string) => {
      const found = overlays.get(caseId) ?? {
        pendingCount: 0,
        needsAttention: false,
        reportQueued: false,
        unsentEdits: [],
      };
      overlays.set(caseId, found);
      return found;
    };
    const wanted = JSON.stringify(caseIds);
    for (const { case_id, pending, attention, reports } of this.#statements.open.all(wanted)) {
      const overlay = overlayOf(case_id);
      overlay.pendingCount = pending;
      overlay.needsAttention = attention > 0;
      overlay.reportQueued = reports > 0;
    }
    for (const { case_id, act: text } of this.#statements.acts.all(wanted)) {
      const overlay = overlayOf(case_id);
      const act = actSchema.parse(JSON.parse(text));
      if (act.kind === 'amounts') overlay.amounts = amountsOf(act);
      else if (act.kind === 'comment') overlay.comment = act.text;
      else if (act.kind === 'reopen') overlay.reopened = true;
    }
    for (const { case_id, part } of this.#statements.edits.all(wanted)) {
      overlayOf(case_id).unsentEdits.push(part);
    }
    return overlays;
  }

  /** The delivered rows whose effect was not read back yet. */
  delivered(): { id: number; caseId: string }[] {
    return this.#statements.delivered.all();
  }

  /** Removes the overlay of these rows, because the cache now contains their effect. */
  lift(ids: readonly number[]): void {
    if (ids.length === 0) return;
    this.#statements.lift.run(JSON.stringify(ids));
  }
}
