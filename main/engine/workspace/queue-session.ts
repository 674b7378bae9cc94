import { DeskError } from '#shared/desk/errors.ts';
import type { DeskEvent } from '#shared/desk/events.ts';
import type { QueueEdit, QueueItem, QueueList, RetryDecision } from '#shared/desk/queue.ts';
import type { ReportDraft } from '#shared/desk/reports.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { editedAct } from './acts.ts';
import { draftView } from './draft-view.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import { queueItem } from './queue-view.ts';

/** What a person did in one workspace, and what they can still do about it. */
export class QueueSession {
  readonly #workspace: OpenWorkspace;
  readonly #clock: Clock;
  readonly #emit: (event: DeskEvent) => void;

  constructor(parts: { workspace: OpenWorkspace; clock: Clock; emit: (event: DeskEvent) => void }) {
    this.#workspace = parts.workspace;
    this.#clock = parts.clock;
    this.#emit = parts.emit;
  }

  /** Tells the windows and sends what waits; answers with the last of the rows. */
  afterAct(rowIds: readonly number[]): QueueItem {
    const items = rowIds.map((id) => this.getQueueItem(id));
    for (const item of items) this.#emit({ type: 'queue.changed', item });
    const last = items.at(-1);
    if (!last) throw new Error('an act made no row');
    this.#emit({ type: 'cases.changed', caseIds: [last.caseId] });
    this.#emit({ type: 'sync.changed', status: this.#workspace.sync.status() });
    this.#workspace.schedule.deliverSoon();
    return last;
  }

  listQueue(input: { caseId?: string; includeDone?: boolean; limit?: number }): QueueList {
    const { caseId, includeDone = true, limit = 1000 } = input;
    const { rows, total } = this.#workspace.work.outbox.list({
      ...(caseId !== undefined && { caseId }),
      includeDone,
      limit,
    });
    return { items: rows.map((row) => queueItem(this.#queueContext(), row)), total };
  }

  getQueueItem(id: number): QueueItem {
    return queueItem(this.#queueContext(), this.#workspace.work.outbox.get(id));
  }

  #queueContext() {
    const { work, client, sync, nameOf } = this.#workspace;
    return { outbox: work.outbox, client, sync, clock: this.#clock, nameOf };
  }

  retryQueueItem(id: number, decision?: RetryDecision): QueueItem {
    this.#assertIdle(id);
    this.#workspace.work.outbox.retry(id, decision);
    return this.afterAct([id]);
  }

  discardQueueItem(id: number): QueueItem {
    this.#assertIdle(id);
    const { caseId } = this.#workspace.work.outbox.discard(id);
    this.#emit({ type: 'reports.changed', caseId });
    return this.afterAct([id]);
  }

  /**
   * Changes what an act sets, where it is certainly not on its way.
   * @throws {DeskError} queue_row_state, and what the act itself may throw
   */
  editQueueItem(input: QueueEdit): QueueItem {
    this.#assertIdle(input.id);
    const { outbox } = this.#workspace.work;
    outbox.edit(input.id, editedAct(outbox.get(input.id).act, input));
    return this.afterAct([input.id]);
  }

  /**
   * Takes a report out of the queue; its draft can be changed again.
   * @throws {DeskError} queue_row_state where it is no report, or may be on its way
   */
  takeReportBack(id: number): ReportDraft {
    this.#assertIdle(id);
    const { act, state } = this.#workspace.work.outbox.get(id);
    if (act.kind !== 'report' || (state !== 'waiting' && state !== 'attention')) {
      throw new DeskError('queue_row_state', { id, state });
    }
    this.discardQueueItem(id);
    return draftView(this.#workspace.work.drafts.get(act.draftId));
  }

  /** A row that is being delivered, or looked up, is nobody's to change. */
  #assertIdle(id: number): void {
    if (this.#workspace.sync.isDelivering(id)) {
      throw new DeskError('queue_row_state', { id, state: 'sending' });
    }
  }
}
