import { DeskError } from '#shared/desk/errors.ts';
import type { QueueItem, QueueList } from '#shared/desk/queue.ts';
import { deliveryMs, goingRequests } from '../sync/sync-state.ts';
import type { Handlers } from '../engine.ts';
import { requestsOf } from '../work/outbox-reader.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { queueItem } from '../workspace/queue-view.ts';
import { afterAct, editedAct } from './acts.ts';
import { draftView } from './reports.ts';
import type { CurrentWorkspace } from '../workspace/current-workspace.ts';

const itemOf = (workspace: OpenWorkspace, id: number): QueueItem =>
  queueItem(workspace, workspace.work.outbox.get(id));

export function listQueue(
  workspace: OpenWorkspace,
  input: Parameters<Handlers['queue']['list']>[0],
): QueueList {
  const { rows, total } = workspace.work.outbox.list(input);
  return { items: rows.map((row) => queueItem(workspace, row)), total };
}

/** What the user did, and what they can still do about it. */
export function queueCalls(opened: () => OpenWorkspace): Handlers['queue'] {
  return {
    list: (input) => listQueue(opened(), input),
    get: ({ id }) => itemOf(opened(), id),
    retry({ id, decision }) {
      const workspace = openedIdle(opened, id);
      workspace.work.outbox.retry(id, decision);
      return afterAct(workspace, [id]);
    },
    discard: ({ id }) => discard(openedIdle(opened, id), id),
    forecast: (input) => forecast(opened(), input),
    edit(input) {
      const workspace = openedIdle(opened, input.id);
      const { outbox } = workspace.work;
      outbox.edit(input.id, editedAct(outbox.get(input.id).act, input));
      return afterAct(workspace, [input.id]);
    },
    takeReportBack({ id }) {
      const workspace = openedIdle(opened, id);
      const { act, state } = workspace.work.outbox.get(id);
      if (act.kind !== 'report' || (state !== 'waiting' && state !== 'attention')) {
        throw new DeskError('queue_row_state', { id, state });
      }
      discard(workspace, id);
      return draftView(workspace, workspace.work.drafts.get(act.draftId));
    },
  };
}

function forecast(
  { work, cache, client, clock, sync }: OpenWorkspace,
  { reports, files, bytes, values }: Parameters<Handlers['queue']['forecast']>[0],
): { doneAt: string | null } {
  const { network, paused } = sync.state;
  if (paused || network !== 'online') return { doneAt: null };
  const waiting = goingRequests({ work, cache });
  const ms = deliveryMs(
    { client, clock, progress: sync.progress },
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

/** A row that is being delivered or looked up cannot be changed. */
function openedIdle(opened: () => OpenWorkspace, id: number): OpenWorkspace {
  const workspace = opened();
  if (workspace.sync.delivery.isDelivering(id)) {
    throw new DeskError('queue_row_state', { id, state: 'sending' });
  }
  return workspace;
}

function discard(workspace: OpenWorkspace, id: number): QueueItem {
  const { caseId } = workspace.work.outbox.discard(id);
  workspace.emit({ type: 'reports.changed', caseId });
  return afterAct(workspace, [id]);
}

export function syncCalls(current: CurrentWorkspace): Handlers['sync'] {
  return {
    status: () => current.workspace.sync.status(),
    async run(options) {
      const { sync, purge } = current.workspace;
      const result = await sync.run(options);
      void purge();
      return result;
    },
    networkChanged() {
      current.open?.workspace.schedule.networkChanged();
      return {};
    },
    setPaused({ paused }) {
      const { schedule, sync } = current.workspace;
      schedule.setPaused(paused);
      return sync.status();
    },
  };
}
