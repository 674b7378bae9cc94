import type { Handlers } from '../engine.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { findCase } from './case-view.ts';

/** Private notes on cases. */
export function noteCalls(opened: () => OpenWorkspace): Handlers['notes'] {
  return {
    get({ id }) {
      const workspace = opened();
      return { text: workspace.work.local.note(findCase(workspace, id).record.id) };
    },
    set({ id, text }) {
      const workspace = opened();
      workspace.work.local.setNote(findCase(workspace, id).record.id, text);
      workspace.backUpSoon();
      return {};
    },
  };
}

/** Text blocks and checklists. */
export function textCalls(opened: () => OpenWorkspace): Handlers['texts'] {
  const changed = (workspace: OpenWorkspace) => {
    workspace.backUpSoon();
    workspace.emit({ type: 'texts.changed' });
    return workspace.work.texts.all();
  };
  return {
    list: () => opened().work.texts.all(),
    save(change) {
      const workspace = opened();
      workspace.work.texts.save(change);
      return changed(workspace);
    },
    removeBlock({ id }) {
      const workspace = opened();
      workspace.work.texts.remove(id);
      return changed(workspace);
    },
    ticks({ id }) {
      const workspace = opened();
      return { ids: workspace.work.texts.ticks(findCase(workspace, id).record.id) };
    },
    tick({ id, entry, isDone }) {
      const workspace = opened();
      const caseId = findCase(workspace, id).record.id;
      workspace.work.texts.tick(caseId, entry, isDone);
      changed(workspace);
      return { ids: workspace.work.texts.ticks(caseId) };
    },
  };
}

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
