import { flushPromises } from '@vue/test-utils';
import { createPinia, type Pinia } from 'pinia';
import { beforeEach, expect, test, vi } from 'vitest';
import { createApp } from 'vue';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { toProblem } from '#renderer/lib/problem.ts';
import { useDraftFilesStore } from '#renderer/stores/draft-files-store.ts';
import { useReportsStore } from '#renderer/stores/reports-store.ts';
import { useUndoStore } from '#renderer/stores/undo-store.ts';
import { useUnsavedStore } from '#renderer/stores/unsaved-store.ts';
import { transportKey } from '#renderer/transport/transport.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';

let desk: ReturnType<typeof createDesk>;
beforeEach(async () => {
  desk = createDesk({ count: 3 });
  await linked(desk);
});

const text = (name: string) => new File([name], name);
const namesOf = (draftId: string) =>
  (desk.drafts.get(draftId)?.attachments ?? []).map(({ fileName }) => fileName);

/** A draft with the files that are named. */
async function draftOf(...names: string[]) {
  const reports = useReportsStore(desk.pinia);
  const files = useDraftFilesStore(desk.pinia);
  const [caseId = ''] = desk.cases.keys();
  const { id } = await reports.createDraft(caseId);
  await files.addFiles(id, names.map(text));
  const attachments = files.filesOf(id);
  return { reports, files, id, caseId, attachments };
}

/** Another window of the same desk: its own stores. */
function openWindow(): Pinia {
  const pinia = createPinia();
  createApp({}).use(pinia).provide(transportKey, desk.transport);
  return pinia;
}

/** The engine takes the next file only when it is let. */
function holdNextFile() {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const asked = Promise.withResolvers<undefined>();
  const add = desk.files.addAttachment;
  vi.spyOn(desk.files, 'addAttachment').mockImplementationOnce(async (...input) => {
    asked.resolve(undefined);
    await promise;
    return add(...input);
  });
  return { asked: asked.promise, letGo: () => resolve(undefined) };
}

type Files = ReturnType<typeof useDraftFilesStore>;

/** What may happen to the files of a draft: begun here, until it is let go. */
const works: Record<
  string,
  (files: Files, id: string) => Promise<{ done: Promise<unknown>; letGo: () => void }>
> = {
  async 'its photos are worked on'(files, id) {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const done = files.during(id, 'photos', () => promise);
    expect(files.working.get(id)).toBe('photos');
    const again = files.during(id, 'names', () => Promise.resolve());
    expect(await again.catch(toProblem), 'nothing twice').toMatchObject({ code: 'draft_busy' });
    return { done, letGo: () => resolve(undefined) };
  },
  async 'another file comes in the place of one'(files, id) {
    const { promise, reject } = Promise.withResolvers<never>();
    const sent = vi.spyOn(desk.transport.files, 'replaceAttachment').mockReturnValue(promise);
    const replaced = files.drafts.get(id)?.attachments[1]?.id ?? '';
    const done = files.replace(id, replaced, text('c.txt')).catch(toProblem);
    await vi.waitFor(() => expect(sent).toHaveBeenCalledOnce());
    expect(files.isAdding(id)).toBe(true);
    return { done, letGo: () => reject(new Error('the network is gone')) };
  },
  async 'a file of it is still on its way'(files, id) {
    const { asked, letGo } = holdNextFile();
    const done = files.addFiles(id, [text('c.txt')]);
    await asked;
    return { done, letGo };
  },
};

test.each(Object.entries(works))(
  'a report is not queued in any window while %s',
  async (_, begin) => {
    const { reports, files, id, caseId } = await draftOf('a.txt', 'b.txt');
    const pinia = openWindow();
    const other = useReportsStore(pinia);
    await useDraftFilesStore(pinia).openDraft(id);
    const { done, letGo } = await begin(files, id);
    expect(useUnsavedStore(desk.pinia).adding).toBe(true);
    for (const one of [reports, other])
      expect(await one.submit(id).catch(toProblem)).toMatchObject({ code: 'draft_busy' });
    expect(desk.queue).toEqual([]);
    letGo();
    await done;
    expect([useUnsavedStore(desk.pinia).adding, files.isAdding(id)]).toEqual([false, false]);
    await other.submit(id);
    expect(desk.queue).toMatchObject([{ caseId }]);
  },
);

test('work that fails lets the report go again', async () => {
  const { reports, files, id } = await draftOf('a.txt');
  await files
    .during(id, 'photos', () => Promise.reject(new Error('broken')))
    .catch(() => undefined);
  await reports.submit(id);
  expect(desk.queue).toHaveLength(1);
});

test('a file changes its place while others are added, and none of them is lost', async () => {
  const { files, id, attachments } = await draftOf('a.txt', 'b.txt');
  const [, b] = attachments;
  if (!b) throw new Error('the files are missing');
  const blocked = holdNextFile();
  const adding = files.addFiles(id, [text('c.txt'), text('d.txt')]);
  await blocked.asked;
  const moved = files.move(id, b.id, null);
  blocked.letGo();
  await Promise.all([moved, adding]);
  expect(namesOf(id)).toEqual(['b.txt', 'a.txt', 'c.txt', 'd.txt']);
  expect(files.drafts.get(id)?.attachments.map(({ fileName }) => fileName)).toEqual(namesOf(id));
});

test('a new order applies to the files that it names, regardless of files added in the meantime', async () => {
  const { files, id, attachments } = await draftOf('a.txt', 'b.txt');
  const undos = useUndoStore(desk.pinia);
  const [a, b] = attachments;
  if (!a || !b) throw new Error('the files are missing');
  const { updateDraft: update } = desk.handlers.reports;
  let adding: Promise<void> | undefined;
  // Others come after the order was read and before it is written.
  const meanwhile = async (input: Parameters<typeof update>[0]) => {
    adding = files.addFiles(id, [text('c.txt'), text('d.txt')]);
    await flushPromises();
    return update(input);
  };
  vi.spyOn(desk.handlers.reports, 'updateDraft').mockImplementationOnce(meanwhile);
  await files.arrange(id, [b.id, a.id], 2);
  await adding;
  expect(namesOf(id)).toEqual(['b.txt', 'a.txt', 'c.txt', 'd.txt']);
  await files.remove(id, [a.id]);
  await files.arrange(id, [a.id, b.id], 2);
  expect(namesOf(id)).toEqual(['b.txt', 'c.txt', 'd.txt']);
  await undos.undo();
  await undos.undo();
  expect(namesOf(id)).toEqual(['b.txt', 'a.txt', 'c.txt', 'd.txt']);
});

test('a file may be removed while another changes its place', async () => {
  const { files, id, attachments } = await draftOf('a.txt', 'b.txt', 'c.txt');
  const [a, , c] = attachments;
  if (!a || !c) throw new Error('the files are missing');
  const next = desk.hold('reports.updateDraft');
  const read = vi.spyOn(desk.handlers.reports, 'getDraft');
  const moved = files.move(id, c.id, null);
  await vi.waitFor(() => expect(read).toHaveBeenCalled());
  // The order that names the file is on its way: the removal waits for it.
  const removed = files.remove(id, [a.id]);
  await flushPromises();
  await next();
  await Promise.all([moved, removed]);
  expect(namesOf(id)).toEqual(['c.txt', 'b.txt']);
});

test('a report that is submitted while files are removed, or come back, waits for the last of them', async () => {
  const { reports, files, id, attachments } = await draftOf('a.txt', 'b.txt', 'c.txt');
  const ids = attachments.slice(0, 2).map((file) => file.id);
  const other = useReportsStore(openWindow());
  const sent: string[][] = [];
  vi.spyOn(desk.handlers.reports, 'submitDraft').mockImplementation(() => {
    sent.push(namesOf(id));
    throw new DeskError('disk_full');
  });
  const acts = {
    removeAttachment: () => files.remove(id, ids),
    restoreAttachment: () => useUndoStore(desk.pinia).undo(),
  };
  for (const [call, act] of Object.entries(acts)) {
    const next = desk.hold(`reports.${call}`);
    const done = act();
    await next();
    const submitted = reports.submit(id).catch(toProblem);
    expect(await other.submit(id).catch(toProblem)).toMatchObject({ code: 'draft_busy' });
    await next();
    await Promise.all([done, submitted]);
  }
  expect(sent).toEqual([['c.txt'], ['a.txt', 'b.txt', 'c.txt']]);
});

test('work that begins while a report waits for its turn blocks the queueing', async () => {
  const { reports, files, id, attachments } = await draftOf('a.txt', 'b.txt');
  const [, b] = attachments;
  if (!b) throw new Error('the files are missing');
  const next = desk.hold('reports.updateDraft');
  const moved = files.move(id, b.id, null);
  const refused = reports.submit(id).catch(toProblem);
  const { promise: end, resolve } = Promise.withResolvers<undefined>();
  const work = files.during(id, 'photos', () => end);
  await next();
  await moved;
  expect(await refused).toMatchObject({ code: 'draft_busy' });
  expect(desk.queue).toEqual([]);
  resolve(undefined);
  await work;
});

test('500 files that each announce themselves are not read 500 times', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { files, id, caseId } = await draftOf();
    const add = desk.files.addAttachment;
    vi.spyOn(desk.files, 'addAttachment').mockImplementation(async (...input) => {
      const added = await add(...input);
      desk.emit({ type: 'reports.changed', caseId });
      return added;
    });
    const lists = vi.spyOn(desk.handlers.reports, 'list');
    const drafts = vi.spyOn(desk.handlers.reports, 'getDraft');
    await files.addFiles(
      id,
      Array.from({ length: 500 }, (_, n) => text(`${n}.txt`)),
    );
    await vi.advanceTimersByTimeAsync(5000);
    expect(files.drafts.get(id)?.attachments).toHaveLength(500);
    expect(lists.mock.calls.length).toBeLessThanOrEqual(2);
    expect(drafts.mock.calls.length).toBeLessThanOrEqual(3);
  } finally {
    vi.useRealTimers();
  }
});
