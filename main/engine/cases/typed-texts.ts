import { amountMaxRappen } from '#shared/api/limits.ts';
import { type EditPart, editParts } from '#shared/desk/cases/case-choices.ts';
import type { EditInput } from '#shared/desk/cases/cases.ts';
import type { StoredText, TypedBy, TypedText } from '#shared/desk/cases/typed-text.ts';
import { parseAmount } from '#shared/lib/money.ts';
import type { Edits } from '../work/edits.ts';
import type { Act } from '../work/outbox-records.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { findCase } from './case-view.ts';

/**
 * Stores a typed text and shows it in every window. If another window has a later key, nothing is
 * stored, and that window's text stays.
 */
export function storeTyped(
  { lastKeys, emit }: Pick<OpenWorkspace, 'lastKeys' | 'emit'>,
  text: Omit<TypedText, 'window'>,
  by: TypedBy | undefined,
  store: () => void,
): StoredText {
  const { place, id, fileId = '' } = text;
  if (!lastKeys.take(`${place} ${id} ${fileId}`, by)) return { isLate: true };
  store();
  emit({ type: 'typed.changed', ...text, window: by?.window ?? null });
  return { isLate: false };
}

/** Stores the private note of a case. */
export function saveNote(
  workspace: OpenWorkspace,
  { id: ref, text, by }: { id: string; text: string; by?: TypedBy | undefined },
): StoredText {
  const { id } = findCase(workspace, ref).record;
  return storeTyped(workspace, { place: 'note', id, text }, by, () => {
    workspace.work.local.setNote(id, text);
    workspace.backUpSoon();
  });
}

/**
 * Stores the texts that are typed into a case and not queued. A text that the case shows anyway is
 * nothing unfinished: it may come just after the act that queued it.
 * @returns late if another window has a later key for one of the texts
 */
export function saveEdits(workspace: OpenWorkspace, input: EditInput): StoredText {
  const { work, emit } = workspace;
  const { record, seen, overlay } = findCase(workspace, input.id);
  const target = { caseId: record.id, externalKey: record.externalKey };
  const shown = {
    estimate: seen.amounts.costEstimateRappen,
    approved: seen.amounts.approvedRappen,
    comment: seen.comment,
    reason: null,
  };
  const isShown = (place: EditPart, text: string): boolean => {
    if (place === 'comment') return text === shown.comment;
    if (place === 'reason') return false;
    const amount = parseAmount(text, amountMaxRappen);
    return amount.ok && amount.rappen === shown[place];
  };
  const given = editParts.flatMap((place) => {
    const text = input[place];
    return text === undefined ? [] : [{ place, id: record.id, text }];
  });
  const stored = given.map((typed) =>
    storeTyped(workspace, typed, input.by, () => {
      const { place, text } = typed;
      if (text === null || isShown(place, text)) work.edits.forget(record.id, place);
      else work.edits.save(target, place, text, shown[place]);
    }),
  );
  workspace.backUpSoon();
  const before = overlay?.unsentEdits ?? [];
  const after = work.overlays.of([record.id]).get(record.id)?.unsentEdits ?? [];
  // A list shows only whether something is typed, so it is not read again at every letter.
  if (before.join() !== after.join()) emit({ type: 'cases.changed', caseIds: [record.id] });
  return { isLate: stored.some(({ isLate }) => isLate) };
}

/** Removes the texts that an act of the case sets. */
export function takeEdits({ work }: OpenWorkspace, caseId: string, act: Act) {
  const began = work.edits.take(caseId, act);
  const parts = editParts.filter((part) => began[part] !== undefined);
  return { act: overBegun(act, began), parts };
}

/**
 * The act, based on the values that the user saw at the first letter. They may be older than the
 * values that the case shows now.
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
