import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { nextTick } from 'vue';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { DeskUnreachableError } from '#renderer/lib/problem.ts';
import UndoMessage from '#renderer/pages/UndoMessage.vue';
import { useEditsStore } from '#renderer/stores/edits-store.ts';
import { useQueueStore } from '#renderer/stores/queue-store.ts';
import { useDraftFilesStore } from '#renderer/stores/draft-files-store.ts';
import { useUndoStore } from '#renderer/stores/undo-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { buttonOf, mountPage } from '../fixtures/mount-page.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

function open() {
  const desk = createDesk({ count: 20 });
  const { wrapper } = mountPage(UndoMessage, desk);
  const press = (target: EventTarget = document.body) =>
    target.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }));
  const caseId = [...desk.cases.keys()][0] ?? '';
  const stores = {
    undos: useUndoStore(desk.pinia),
    edits: useEditsStore(desk.pinia),
    queue: useQueueStore(desk.pinia),
    files: useDraftFilesStore(desk.pinia),
  };
  return { ...desk, ...stores, wrapper, press, caseId };
}

test('a message shows for 10 s what was done, with Undo; Ctrl+Z finds it later, too', async () => {
  const { undos, edits, wrapper, press, caseId } = open();
  edits.change(caseId, 'comment', 'Getippt');
  edits.discard(caseId, ['comment']);
  await nextTick();
  expect(wrapper.text()).toContain('Eingabe verworfen.');
  await vi.advanceTimersByTimeAsync(9_900);
  expect(wrapper.text()).toContain('Rückgängig');
  await vi.advanceTimersByTimeAsync(200);
  expect(wrapper.text()).toBe('');
  press();
  await vi.waitFor(() => expect(edits.edits.get(caseId)).toEqual({ comment: 'Getippt' }));
  expect(undos.canUndo).toBe(false);
});

test('a message is closed by its button, and Ctrl+Z still takes the step back', async () => {
  const { undos, wrapper, press } = open();
  const undo = vi.fn(() => Promise.resolve());
  undos.offer({ key: 'undo.draft', params: {}, undo });
  await nextTick();
  await buttonOf(wrapper, 'Schliessen').trigger('click');
  expect(wrapper.text()).toBe('');
  press();
  expect(undo).toHaveBeenCalledOnce();
});

test('on another page Ctrl+Z shows first what it would take back', async () => {
  const { undos, wrapper, press } = open();
  const undo = vi.fn(() => Promise.resolve());
  undos.offer({ key: 'undo.draft', params: {}, undo });
  await vi.advanceTimersByTimeAsync(10_100);
  const before = location.hash;
  onTestFinished(() => void (location.hash = before));
  location.hash = '#/figures';
  press();
  await nextTick();
  expect(undo).not.toHaveBeenCalled();
  expect(wrapper.text()).toContain('Entwurf');
  press();
  expect(undo).toHaveBeenCalledOnce();
});

test('after a step that failed Ctrl+Z takes nothing of another page back unseen', async () => {
  const { undos, wrapper, press } = open();
  const before = location.hash;
  onTestFinished(() => void (location.hash = before));
  const undo = vi.fn(() => Promise.resolve());
  undos.offer({ key: 'undo.draft', params: {}, undo });
  location.hash = '#/figures';
  undos.offer({
    key: 'undo.act',
    params: {},
    undo: () => Promise.reject(new DeskError('internal')),
  });
  press();
  await vi.waitFor(() => expect(undos.problem?.code).toBe('internal'));
  press();
  await nextTick();
  expect(undo).not.toHaveBeenCalled();
  expect(wrapper.text()).toContain('Entwurf');
  press();
  expect(undo).toHaveBeenCalledOnce();
});

test('what the engine was not there to take back can still be taken back', async () => {
  const { undos } = open();
  const undo = vi.fn(() => Promise.resolve());
  undo.mockRejectedValueOnce(new DeskUnreachableError('the engine died'));
  undos.offer({ key: 'undo.draft', params: {}, undo });
  await undos.undo();
  expect(undos.problem?.code).toBe('desk_unreachable');
  await undos.undo();
  expect(undo).toHaveBeenCalledTimes(2);
  expect(undos.canUndo).toBe(false);
});

test('in a field and in a dialog Ctrl+Z takes back what was typed or drawn there', () => {
  const { undos, press } = open();
  const undo = vi.fn(() => Promise.resolve());
  undos.offer({ key: 'undo.act', params: {}, undo });
  const field = document.body.appendChild(document.createElement('textarea'));
  press(field);
  field.remove();
  const dialog = document.body.appendChild(document.createElement('div'));
  dialog.setAttribute('role', 'dialog');
  press();
  dialog.remove();
  // The editor of photos is a dialog of the browser.
  const editor = document.body.appendChild(document.createElement('dialog'));
  editor.open = true;
  press(editor);
  press();
  editor.remove();
  expect(undo).not.toHaveBeenCalled();
  press();
  expect(undo).toHaveBeenCalledOnce();
});

test('an act that was taken out of the queue is queued again, or the reason is shown', async () => {
  const { client, handlers, queue, undos, caseId } = open();
  const { id } = await client.cases.setComment({ id: caseId, text: 'Gesehen' });
  await queue.load();
  await queue.discard(id);
  await undos.undo();
  expect(queue.newestFirst[0]).toMatchObject({ state: 'waiting', act: { text: 'Gesehen' } });
  handlers.cases.setComment = () => {
    throw new DeskError('case_state', { status: 'Final' });
  };
  await queue.discard(queue.newestFirst[0]?.id ?? 0);
  await undos.undo();
  await nextTick();
  expect(undos.problem?.code).toBe('case_state');
});

test('an act that was taken out of the queue does not come back over a newer one', async () => {
  const { client, queue, undos, caseId } = open();
  const { id } = await client.cases.setComment({ id: caseId, text: 'Gesehen' });
  await queue.load();
  await queue.discard(id);
  const newer = await client.cases.setComment({ id: caseId, text: 'Totalschaden' });
  await undos.undo();
  expect(undos.problem).toEqual({ code: 'newer_act', params: { id: newer.id } });
  await queue.load();
  expect(queue.latest(caseId, 'comment')).toMatchObject({ act: { text: 'Totalschaden' } });
});

test('a name of a file, and the file itself, come back to their draft', async () => {
  const { client, files, undos, caseId } = open();
  const { id: draftId } = await client.reports.createDraft({ id: caseId });
  const file = new File(['%PDF-1.4 x'], 'alt.pdf');
  const names = async () =>
    (await client.reports.getDraft({ draftId })).attachments.map(({ fileName }) => fileName);
  await files.addFiles(draftId, [file]);
  const id = files.filesOf(draftId)[0]?.id ?? '';
  await files.rename(draftId, [{ id, fileName: 'neu.pdf' }]);
  await files.remove(draftId, [id]);
  expect(await names()).toEqual([]);
  await undos.undo();
  expect(await names()).toEqual(['neu.pdf']);
  await undos.undo();
  expect(await names()).toEqual(['alt.pdf']);
});

test('Ctrl+Z waits for an act that is still under way, and takes back that one', async () => {
  const { client, files, handlers, undos, press, caseId } = open();
  const { id: draftId } = await client.reports.createDraft({ id: caseId });
  await files.addFiles(draftId, [new File(['%PDF-1.4 x'], 'a.pdf')]);
  const id = files.filesOf(draftId)[0]?.id ?? '';
  const earlier = vi.fn(() => Promise.resolve());
  undos.offer({ key: 'undo.act', params: {}, undo: earlier });
  const answer = Promise.withResolvers<null>();
  const removeAttachment = handlers.reports.removeAttachment;
  handlers.reports.removeAttachment = async (input) => {
    await answer.promise;
    return removeAttachment(input);
  };
  const removing = files.remove(draftId, [id]);
  press();
  answer.resolve(null);
  await removing;
  await vi.waitFor(() => expect(files.filesOf(draftId)).toMatchObject([{ fileName: 'a.pdf' }]));
  expect(earlier).not.toHaveBeenCalled();
  press();
  await vi.waitFor(() => expect(earlier).toHaveBeenCalledOnce());
});

test('Ctrl+Z while an act is under way that fails takes nothing else back', async () => {
  const { queue, handlers, undos } = open();
  const earlier = vi.fn(() => Promise.resolve());
  undos.offer({ key: 'undo.act', params: {}, undo: earlier });
  const answer = Promise.withResolvers<null>();
  handlers.queue.discard = async () => {
    await answer.promise;
    throw new DeskError('internal');
  };
  const discarding = queue.discard(1);
  const pressed = undos.undoInSight();
  answer.resolve(null);
  await expect(discarding).rejects.toThrow('internal');
  await pressed;
  expect(earlier).not.toHaveBeenCalled();
});
