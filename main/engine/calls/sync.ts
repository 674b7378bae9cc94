import type { Handlers } from '../engine.ts';
import type { CurrentWorkspace } from '../workspace/current-workspace.ts';

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
