import type { Handlers } from '../engine.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';

/** Saved views of the case list. */
export function viewCalls(opened: () => OpenWorkspace): Handlers['views'] {
  return {
    list() {
      const items = opened().work.views.list();
      return { items, total: items.length };
    },
    save(input) {
      const { work, emit } = opened();
      const view = work.views.save(input);
      emit({ type: 'views.changed' });
      return view;
    },
    remove({ id }) {
      const { work, emit } = opened();
      work.views.remove(id);
      emit({ type: 'views.changed' });
      return {};
    },
  };
}
