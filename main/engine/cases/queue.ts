import { DeskError } from '#shared/desk/contract/errors.ts';
import type { QueueItem, QueueList } from '#shared/desk/delivery/queue.ts';
import type { ReportDraft } from '#shared/desk/reports/reports.ts';
import type { Handlers } from '../engine.ts';
import { deliveryMs, goingRequests } from '../sync/sync-status.ts';
import { requestsOf } from '../work/outbox-reader.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { queueItem } from '../workspace/queue-view.ts';
import { afterAct, editedAct } from './acts.ts';
import { draftView } from './report-drafts.ts';

type QueueInput<Name extends keyof Handlers['queue']> = Parameters<Handlers['queue'][Name]>[0];

/** The rows of the outbox as the user sees them. */
export function listQueue(workspace: OpenWorkspace, input: QueueInput<'list'>): QueueList {
  const { rows, total } = workspace.work.outbox.rows.list(input);
  return { items: rows.map((row) => queueItem(workspace, row)), total };
}

/** Sends a row that needs the user again. @throws {DeskError} queue_row_state */
export function retryRow(
  workspace: OpenWorkspace,
  { id, decision }: QueueInput<'retry'>,
): QueueItem {
  assertIdle(workspace, id);
  workspace.work.outbox.retry(id, decision);
  return afterAct(workspace, [id]);
}

/** Discards a row. @throws {DeskError} queue_row_state */
export function discardRow(workspace: OpenWorkspace, id: number): QueueItem {
  assertIdle(workspace, id);
  const { caseId } = workspace.work.outbox.discard(id);
  workspace.emit({ type: 'reports.changed', caseId });
  return afterAct(workspace, [id]);
}

/** Changes the values of a row. @throws {DeskError} queue_row_state, invalid_input */
export function editRow(workspace: OpenWorkspace, input: QueueInput<'edit'>): QueueItem {
  assertIdle(workspace, input.id);
  const { outbox } = workspace.work;
  outbox.edit(input.id, editedAct(outbox.rows.get(input.id).act, input));
  return afterAct(workspace, [input.id]);
}

/** Makes a queued report a draft again. @throws {DeskError} queue_row_state */
export function takeReportBack(workspace: OpenWorkspace, id: number): ReportDraft {
  assertIdle(workspace, id);
  const { act, state } = workspace.work.outbox.rows.get(id);
  if (act.kind !== 'report' || (state !== 'waiting' && state !== 'attention')) {
    throw new DeskError('queue_row_state', { id, state });
  }
  discardRow(workspace, id);
  return draftView(workspace, workspace.work.drafts.get(act.draftId));
}

/** A row that is being delivered or looked up must not change. */
function assertIdle({ sync }: OpenWorkspace, id: number): void {
  if (sync.delivery.isDelivering(id)) {
    throw new DeskError('queue_row_state', { id, state: 'sending' });
  }
}

/** When all outgoing work, including the work that is to be queued, would be delivered. */
export function forecast(
  { work, cache, client, clock, sync }: OpenWorkspace,
  { reports, files, bytes, values }: QueueInput<'forecast'>,
): { doneAt: string | null } {
  const { network, paused } = sync.state;
  if (paused || network !== 'online') return { doneAt: null };
  const waiting = goingRequests({ work, cache });
  const ms = deliveryMs(
    { client, progress: sync.progress },
    {
      standard:
        waiting.standard +
        reports * requestsOf.report.standard +
        values * requestsOf.value.standard,
      documents: waiting.documents + files + reports * requestsOf.report.documents,
      bytes: waiting.bytes + bytes,
    },
  );
  return { doneAt: new Date(clock.now() + ms).toISOString() };
}
