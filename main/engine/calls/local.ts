import { wholeList } from '#shared/lib/whole-list.ts';
import { findCase } from '../cases/case-view.ts';
import { saveEdits, saveNote } from '../cases/typed-texts.ts';
import type { Handlers } from '../engine.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';

/** Private notes on cases. */
export function noteCalls(opened: () => OpenWorkspace): Handlers['notes'] {
  return {
    get({ id }) {
      const workspace = opened();
      return { text: workspace.work.local.note(findCase(workspace, id).record.id) };
    },
    set: (input) => saveNote(opened(), input),
  };
}

/** Text blocks and checklists. */
export function textCalls(opened: () => OpenWorkspace): Handlers['texts'] {
  const change = (act: (workspace: OpenWorkspace) => void) => {
    const workspace = opened();
    act(workspace);
    workspace.backUpSoon();
    workspace.emit({ type: 'texts.changed' });
    return workspace.work.texts.all();
  };
  return {
    list: () => opened().work.texts.all(),
    save: (input) => change(({ work }) => work.texts.save(input)),
    removeBlock: ({ id }) => change(({ work }) => work.texts.remove(id)),
    ticks({ id }) {
      const workspace = opened();
      return { ids: workspace.work.texts.ticks(findCase(workspace, id).record.id) };
    },
    tick({ id, entry, isDone }) {
      const workspace = opened();
      const caseId = findCase(workspace, id).record.id;
      change(({ work }) => work.texts.tick(caseId, entry, isDone));
      return { ids: workspace.work.texts.ticks(caseId) };
    },
  };
}

/** Saved views of the case list. */
export function viewCalls(opened: () => OpenWorkspace): Handlers['views'] {
  return {
    list: () => wholeList(opened().work.views.list()),
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

/** The texts that are typed into cases and not queued. */
export function editCalls(opened: () => OpenWorkspace): Handlers['edits'] {
  return {
    list: () => wholeList(opened().work.edits.list()),
    save: (input) => saveEdits(opened(), input),
  };
}
