import { editParts } from '#shared/desk/case-choices.ts';
import type { EditInput } from '#shared/desk/cases.ts';
import type { StoredText } from '#shared/desk/typed-text.ts';
import type { Handlers } from '../engine.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { findCase, wholeList } from './case-view.ts';
import { storeTyped } from './typed.ts';
import type { Edits } from '../work/edits.ts';
import type { Act } from '../work/outbox-records.ts';

/** Private notes on cases. */
export function noteCalls(opened: () => OpenWorkspace): Handlers['notes'] {
  return {
    get({ id }) {
      const workspace = opened();
      return { text: workspace.work.local.note(findCase(workspace, id).record.id) };
    },
    set({ id: ref, text, by }) {
      const workspace = opened();
      const { id } = findCase(workspace, ref).record;
      return storeTyped(workspace, { place: 'note', id, text }, by, () => {
        workspace.work.local.setNote(id, text);
        workspace.backUpSoon();
      });
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
    save: (input) => save(opened(), input),
  };
}

/** @returns late if one of the texts is */
function save(workspace: OpenWorkspace, input: EditInput): StoredText {
  const { work, emit } = workspace;
  const { record, seen, overlay } = findCase(workspace, input.id);
  const target = { caseId: record.id, externalKey: record.externalKey };
  const shown = {
    estimate: seen.amounts.costEstimateRappen,
    approved: seen.amounts.approvedRappen,
    comment: seen.comment,
    reason: null,
  };
  const given = editParts.flatMap((place) => {
    const text = input[place];
    return text === undefined ? [] : [{ place, id: record.id, text }];
  });
  const stored = given.map((typed) =>
    storeTyped(workspace, typed, input.by, () => {
      const { place, text } = typed;
      if (text === null) work.edits.forget(record.id, place);
      else work.edits.save(target, place, text, shown[place]);
    }),
  );
  workspace.backUpSoon();
  const before = overlay?.unsentEdits ?? [];
  const after = work.overlays.of([record.id]).get(record.id)?.unsentEdits ?? [];
  // A list shows only whether something is typed, and need not read again at every letter.
  if (before.join() !== after.join()) emit({ type: 'cases.changed', caseIds: [record.id] });
  return { isLate: stored.some(({ isLate }) => isLate) };
}

/** Forgets the texts that an act of the case sets. */
export function takeEdits({ work }: OpenWorkspace, caseId: string, act: Act) {
  const began = work.edits.take(caseId, act);
  const parts = editParts.filter((part) => began[part] !== undefined);
  return { act: overBegun(act, began), parts };
}

/**
 * The act over what the user saw when they began to type it, which may be older than what the case
 * shows now.
 */
function overBegun(act: Act, began: ReturnType<Edits['take']>): Act {
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
