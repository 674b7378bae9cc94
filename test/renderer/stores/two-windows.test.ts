import { flushPromises } from '@vue/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { nextTick } from 'vue';
import CaseComment from '#renderer/pages/case/CaseComment.vue';
import { caretIn } from '#renderer/composables/steady-caret.ts';
import { useCaptionsStore } from '#renderer/stores/captions-store.ts';
import { useDraftFilesStore } from '#renderer/stores/draft-files-store.ts';
import { useEditsStore } from '#renderer/stores/edits-store.ts';
import { useNotesStore } from '#renderer/stores/notes-store.ts';
import { useReportsStore } from '#renderer/stores/reports-store.ts';
import { useUndoStore } from '#renderer/stores/undo-store.ts';
import { useUnsavedStore } from '#renderer/stores/unsaved-store.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

/** A text is stored after a while, and a busy machine takes longer. */
const eventually = (check: () => unknown) => vi.waitFor(check);
let desk: ReturnType<typeof createDesk>;
let other: ReturnType<typeof desk.openWindow>;
let id: string;

beforeEach(async () => {
  desk = createDesk({ count: 1 });
  other = desk.openWindow();
  [id = ''] = desk.cases.keys();
  await linked(desk);
  await linked(other);
});

test('what is typed into a case appears in the other window, which writes nothing back', async () => {
  const edits = useEditsStore(desk.pinia);
  const there = useEditsStore(other.pinia);
  const saved = vi.spyOn(desk.handlers.edits, 'save');
  edits.change(id, 'comment', 'Schweller');
  edits.change(id, 'estimate', '4200');
  await eventually(() =>
    expect(there.edits.get(id)).toEqual({ comment: 'Schweller', estimate: '4200' }),
  );
  edits.discard(id, ['estimate']);
  await eventually(() => expect(there.edits.get(id)).toEqual({ comment: 'Schweller' }));
  there.change(id, 'comment', 'Schweller verbogen');
  await eventually(() => expect(edits.edits.get(id)?.comment).toBe('Schweller verbogen'));
  // It goes on from the text of this window: nothing of it is lost.
  expect(useUndoStore(desk.pinia).shown?.key).toBe('undo.text');
  // Also after the time in which a window stores what is typed in it.
  for (const pinia of [desk.pinia, other.pinia])
    await eventually(() => expect(useUnsavedStore(pinia).any).toBe(false));
  expect(saved).toHaveBeenCalledTimes(4);
});

test('the text that another window replaced can be taken back, in the window in which it was typed', async () => {
  const edits = useEditsStore(desk.pinia);
  const there = useEditsStore(other.pinia);
  const undos = useUndoStore(desk.pinia);
  edits.change(id, 'comment', 'Schweller verbogen');
  await eventually(() => expect(there.edits.get(id)?.comment).toBe('Schweller verbogen'));
  there.change(id, 'comment', 'Kotflügel');
  await eventually(() => expect(edits.edits.get(id)?.comment).toBe('Kotflügel'));
  expect(undos.shown?.key).toBe('undo.otherWindow');
  await undos.undo();
  await eventually(() => expect(there.edits.get(id)?.comment).toBe('Schweller verbogen'));
  expect((await desk.client.edits.list()).items).toMatchObject([{ comment: 'Schweller verbogen' }]);
});

test('notes, comments of reports and captions follow in the other window, too', async () => {
  const notes = useNotesStore(other.pinia);
  await notes.load(id);
  useNotesStore(desk.pinia).change(id, 'Hund');
  await eventually(() => expect(notes.texts.get(id)).toBe('Hund'));

  const reports = useReportsStore(desk.pinia);
  const { id: draftId } = await reports.createDraft(id);
  const added = await desk.transport.files.addAttachment(draftId, new File(['x'], 'a.txt'), {
    isSalvageSale: false,
    isSeen: true,
  });
  const there = useDraftFilesStore(other.pinia);
  await there.openDraft(draftId);
  await useDraftFilesStore(desk.pinia).openDraft(draftId);
  reports.setComment(draftId, 'Totalschaden');
  const captions = useCaptionsStore(desk.pinia);
  captions.setCaption(draftId, [added.id], 'Tür links');
  const captionsThere = useCaptionsStore(other.pinia);
  await eventually(() => {
    expect(useReportsStore(other.pinia).commentOf(draftId)).toBe('Totalschaden');
    expect(captionsThere.captionOf(draftId, added.id)).toBe('Tür links');
  });
});

test('what a backup brought is shown without a reload', async () => {
  const edits = useEditsStore(desk.pinia);
  await edits.load();
  const { handlers } = desk;
  vi.spyOn(handlers.edits, 'list').mockReturnValue({
    items: [{ caseId: id, externalKey: 'X', updatedAt: '', comment: 'gesichert' }],
    total: 1,
  });
  desk.emit({ type: 'work.restored' });
  await eventually(() => expect(edits.edits.get(id)?.comment).toBe('gesichert'));
});

test('a text of another window leaves the caret where the user is typing', async () => {
  const detail = await desk.client.cases.get({ id });
  const { wrapper } = mountPage(CaseComment, desk, { detail, locked: false });
  await flushPromises();
  const field = wrapper.get('textarea').element;
  field.focus();
  await wrapper.get('textarea').setValue('Tür links');
  await eventually(() =>
    expect(useEditsStore(other.pinia).edits.get(id)?.comment).toBe('Tür links'),
  );
  field.setSelectionRange(3, 3);
  useEditsStore(other.pinia).change(id, 'comment', 'Tür links hinten');
  await eventually(() => expect(field.value).toBe('Tür links hinten'));
  await nextTick();
  expect([field.selectionStart, field.selectionEnd]).toEqual([3, 3]);
});

test.each([
  ['abc', 'abcd', 2, 2],
  ['abc', 'xabc', 2, 3],
  ['abc', 'a', 3, 1],
  ['abc', 'xyz', 2, 2],
  ['abc', '', 1, 0],
  ['ab cd', 'ab xx cd', 5, 8],
])('in %j that becomes %j the caret of %i is at %i', (before, after, caret, expected) => {
  expect(caretIn(after, before, caret)).toBe(expected);
});
