import {
  discardRow,
  editRow,
  forecast,
  listQueue,
  retryRow,
  takeReportBack,
} from '../cases/queue.ts';
import type { Handlers } from '../engine.ts';
import type { CurrentWorkspace } from '../workspace/current-workspace.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { queueItem } from '../workspace/queue-view.ts';

/** The acts of the user, and what the user can still change about them. */
export function queueCalls(opened: () => OpenWorkspace): Handlers['queue'] {
  return {
    list: (input) => listQueue(opened(), input),
    get({ id }) {
      const workspace = opened();
      return queueItem(workspace, workspace.work.outbox.rows.get(id));
    },
    retry: (input) => retryRow(opened(), input),
    discard: ({ id }) => discardRow(opened(), id),
    forecast: (input) => forecast(opened(), input),
    edit: (input) => editRow(opened(), input),
    decisions({ id }) {
      const { rows, trace } = opened().work.outbox;
      const items = trace.list(rows.get(id).id);
      return { items, total: items.length };
    },
    takeReportBack: ({ id }) => takeReportBack(opened(), id),
  };
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
