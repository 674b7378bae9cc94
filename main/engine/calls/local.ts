import { editParts } from '#shared/desk/case-choices.ts';
import type { EditInput } from '#shared/desk/cases.ts';
import type { Handlers } from '../engine.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { findCase, wholeList } from './case-view.ts';
import type { Act } from '../work/outbox-records.ts';

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

/** What is typed into cases and not queued. */
export function editCalls(opened: () => OpenWorkspace): Handlers['edits'] {
  return {
    list: () => wholeList(opened().work.edits.list()),
    save(input) {
      save(opened(), input);
      return {};
    },
  };
}

function save(workspace: OpenWorkspace, input: EditInput): void {
  const { work, emit } = workspace;
  const { record, seen, overlay } = findCase(workspace, input.id);
  const target = { caseId: record.id, externalKey: record.externalKey };
  const shown = {
    estimate: seen.amounts.costEstimateRappen,
    approved: seen.amounts.approvedRappen,
    comment: seen.comment,
    reason: null,
  };
  work.together(() => {
    for (const part of editParts) {
      const text = input[part];
      if (text === null) work.edits.forget(record.id, part);
      else if (text !== undefined) work.edits.save(target, part, text, shown[part]);
    }
  });
  workspace.backUpSoon();
  const before = overlay?.unsentEdits ?? [];
  const after = work.overlays.of([record.id]).get(record.id)?.unsentEdits ?? [];
  // A list shows only whether something is typed, and need not read again at every letter.
  if (before.join() !== after.join()) emit({ type: 'cases.changed', caseIds: [record.id] });
}

/**
 * The act over what the user saw when they began to type it, which may be older than what the case
 * shows now. Forgets the texts that the act sets.
 */
export function takeEdits({ work }: OpenWorkspace, caseId: string, act: Act): Act {
  const began = work.edits.take(caseId, act);
  if (act.kind === 'comment' && typeof began.comment === 'string') {
    return { ...act, seen: began.comment };
  }
  if (act.kind !== 'amounts') return act;
  const { estimate = act.seen.costEstimateRappen, approved = act.seen.approvedRappen } = began;
  const rappen = (value: string | number | null) => (typeof value === 'string' ? null : value);
  return {
    ...act,
    seen: { costEstimateRappen: rappen(estimate), approvedRappen: rappen(approved) },
  };
}
