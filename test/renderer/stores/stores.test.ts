import { flushPromises } from '@vue/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Insights } from '#shared/desk/cases/insights.ts';
import type { QueueItem } from '#shared/desk/delivery/queue.ts';
import { useAppearanceStore } from '#renderer/stores/appearance-store.ts';
import { useCasesStore } from '#renderer/stores/cases-store.ts';
import { useDeskStore } from '#renderer/stores/desk-store.ts';
import { useDraftFilesStore } from '#renderer/stores/draft-files-store.ts';
import { useDocumentsStore } from '#renderer/stores/documents-store.ts';
import { useEditsStore } from '#renderer/stores/edits-store.ts';
import { useInsightsStore } from '#renderer/stores/insights-store.ts';
import { useLiveStore } from '#renderer/stores/live-store.ts';
import { useQueueStore } from '#renderer/stores/queue-store.ts';
import { useReportsStore } from '#renderer/stores/reports-store.ts';
import { useSyncStore } from '#renderer/stores/sync-store.ts';
import { useUnsavedStore } from '#renderer/stores/unsaved-store.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';

let desk: ReturnType<typeof createDesk>;

beforeEach(async () => {
  desk = createDesk({ count: 250 });
  await linked(desk);
});

const firstRow = () => {
  const row = useCasesStore(desk.pinia).rows.get(0);
  if (!row) throw new Error('the list is empty');
  return row;
};

test('the list fetches only the chunks that are looked at', async () => {
  const cases = useCasesStore(desk.pinia);
  await cases.search();
  expect(cases.total).toBe(250);
  expect(cases.rows.size).toBe(100);
  cases.show(210, 225);
  await vi.waitFor(() => expect(cases.rows.has(215)).toBe(true));
  expect(cases.rows.has(150)).toBe(false);
  const ids = [...cases.rows.values()].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the newest question wins, in any order of the answers', async () => {
  const cases = useCasesStore(desk.pinia);
  await cases.search();
  const late = Promise.withResolvers<undefined>();
  const { list: listCases } = desk.handlers.cases;
  // The bridge awaits what the engine gives; only this answer is slow.
  const asked = vi
    .spyOn(desk.handlers.cases, 'list')
    .mockImplementationOnce((input) => late.promise.then(() => listCases(input)));
  cases.filter.q = 'zzz-nothing';
  const older = cases.search();
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
  cases.filter.q = '';
  await cases.search();
  expect(cases.searching).toBe(false);
  late.resolve(undefined);
  await older;
  expect(cases.total).toBe(250);
  expect(cases.rows.size).toBe(100);
});

test('rows are marked by the words that they were found by, until others answer', async () => {
  const cases = useCasesStore(desk.pinia);
  await cases.search();
  const { place, id } = firstRow();
  cases.filter.q = place;
  await cases.search();
  expect(cases.shownQ).toBe(place);
  await vi.waitFor(() => expect(cases.hits.size).toBeGreaterThan(0));
  // Of another case than the one that has hits now.
  const other = [...cases.rows.values()].at(-1);
  expect(other?.id).not.toBe(id);
  cases.filter.q = other?.externalKey ?? '';
  const next = cases.search();
  expect(cases.shownQ).toBe(place);
  expect(cases.hits.size).toBeGreaterThan(0);
  await next;
  expect(cases.shownQ).toBe(cases.filter.q);
  expect([...cases.hits.keys()].filter((found) => found !== other?.id)).toEqual([]);
});

test('a case that comes into a search later is marked too', async () => {
  const cases = useCasesStore(desk.pinia);
  await cases.search();
  const { id, place } = firstRow();
  const found = vi.spyOn(desk.handlers.cases, 'list');
  found.mockImplementationOnce(() => ({ items: [], total: 0, totalIsExact: true, byStatus: {} }));
  cases.filter.q = place;
  await cases.search();
  expect(cases.total).toBe(0);
  const asked = vi.spyOn(desk.handlers.cases, 'hits');
  await cases.refresh();
  expect(asked.mock.calls.flatMap(([{ ids }]) => ids)).toContain(id);
});

test('if a search fails, no row of the one before stands under its words', async () => {
  const cases = useCasesStore(desk.pinia);
  await cases.search();
  const before = new Set([...cases.rows.values()].map(({ id }) => id));
  vi.spyOn(desk.handlers.cases, 'list').mockImplementationOnce(() => {
    throw new DeskError('disk_full');
  });
  cases.filter.q = 'SCH';
  const refused = cases.search();
  expect(cases.searching).toBe(true);
  await refused;
  expect(cases.searching).toBe(false);
  expect(cases.problem?.code).toBe('disk_full');
  expect([cases.shownQ, cases.rows.size]).toEqual(['', before.size]);
  // The user scrolls, and what comes is of the words that failed.
  cases.show(110, 120);
  await vi.waitFor(() => expect(cases.shownQ).toBe('SCH'));
  expect(cases.rows.has(110)).toBe(true);
  expect([...cases.rows.values()].filter(({ id }) => before.has(id))).toEqual([]);
});

test('a case that was not here when its acts were read is named when it comes', async () => {
  const cases = useCasesStore(desk.pinia);
  const queue = useQueueStore(desk.pinia);
  await cases.search();
  const { id, partyName } = firstRow();
  await cases.setComment(id, 'A remark');
  await queue.load();
  // The status that came with the act is the first one, so the acts are read again.
  await flushPromises();
  const item = queue.ofCase(id)[0];
  if (!item) throw new Error('nothing is queued');
  queue.items.set(item.id, { ...item, partyName: '' });
  const asked = vi.spyOn(desk.handlers.queue, 'list');
  const others = [...cases.rows.values()].filter((row) => row.id !== id);
  await cases.setComment(others[0]?.id ?? '', 'Of another case');
  await vi.waitFor(() => expect(queue.items.size).toBe(2));
  expect(asked).not.toHaveBeenCalled();
  await cases.setComment(id, 'Another remark');
  // Changes are passed on once a second.
  await vi.waitFor(() => expect(queue.items.get(item.id)?.partyName).toBe(partyName));
});

test('what an act waits for follows the network and a pause, on a page that stays open', async () => {
  const cases = useCasesStore(desk.pinia);
  const queue = useQueueStore(desk.pinia);
  await cases.search();
  await cases.setComment(firstRow().id, 'A remark');
  let waitingFor: QueueItem['waitingFor'] = null;
  // The engine computes it at each reading, and announces the status alone.
  const { list } = desk.handlers.queue;
  desk.handlers.queue.list = async (input) => {
    const answer = await list(input);
    return { ...answer, items: answer.items.map((item) => ({ ...item, waitingFor })) };
  };
  await queue.load();
  const shown = () => queue.newestFirst.map((item) => item.waitingFor);
  waitingFor = 'network';
  desk.setStatus({ network: 'offline' });
  await flushPromises();
  expect(shown()).toEqual(['network']);
  waitingFor = 'paused';
  desk.setStatus({ paused: true });
  await flushPromises();
  expect(shown()).toEqual(['paused']);
});

test('upload progress moves one step and its act', async () => {
  const cases = useCasesStore(desk.pinia);
  const reports = useReportsStore(desk.pinia);
  const files = useDraftFilesStore(desk.pinia);
  const queue = useQueueStore(desk.pinia);
  await cases.search();
  const draft = await reports.createDraft(firstRow().id);
  await files.addFiles(draft.id, [new File(['%PDF-1.7 ...'], 'Bericht.pdf')]);
  await reports.submit(draft.id);
  expect(files.drafts.get(draft.id)?.queueId).toBe(1);
  await vi.waitFor(() => expect(queue.items.size).toBe(1));
  desk.emit({ type: 'queue.progress', id: 1, stepId: 2, sentBytes: 6, totalBytes: 12 });
  await vi.waitFor(() => expect(queue.items.get(1)?.steps[1]?.sentBytes).toBe(6));
});

test('the network state comes by itself; a failed round shows why', async () => {
  const sync = useSyncStore(desk.pinia);
  await sync.load();
  expect(sync.offline).toBe(false);
  desk.setStatus({ network: 'offline' });
  await vi.waitFor(() => expect(sync.offline).toBe(true));
  vi.spyOn(desk.handlers.sync, 'run').mockRejectedValueOnce(
    new DeskError('offline', { host: 'h' }),
  );
  await sync.run();
  expect(sync.problem).toEqual({ code: 'offline', params: { host: 'h' } });
  expect(sync.running).toBe(false);
});

test('behind the round under way one waits, for everyone who asks in the meantime', async () => {
  const sync = useSyncStore(desk.pinia);
  const asked = vi.spyOn(desk.handlers.sync, 'run');
  const next = desk.hold('sync.run');
  const rounds = [1, 2, 3, 4].map(() => sync.run());
  await next();
  await next();
  await Promise.all(rounds);
  expect(asked).toHaveBeenCalledTimes(2);
  const again = sync.run();
  await next();
  await again;
  expect(asked).toHaveBeenCalledTimes(3);
  expect(sync.running).toBe(false);
});

test('documents that are fetched keep no round from being asked for', async () => {
  const sync = useSyncStore(desk.pinia);
  const asked = vi.spyOn(desk.handlers.sync, 'run');
  const next = desk.hold('sync.run');
  const rounds = [sync.run(), sync.run()];
  desk.setStatus({ phase: 'fetching' });
  await vi.waitFor(() => expect(sync.running).toBe(false));
  rounds.push(sync.run());
  await next();
  await next();
  await next();
  await Promise.all(rounds);
  expect(asked).toHaveBeenCalledTimes(3);
});

test('after a lost line everything on the screen is read again', async () => {
  const cases = useCasesStore(desk.pinia);
  const queue = useQueueStore(desk.pinia);
  const live = useLiveStore(desk.pinia);
  await cases.search();
  const { id } = firstRow();
  await cases.open(id);
  await queue.load();
  live.state = 'lost';
  const detail = desk.cases.get(id);
  if (!detail) throw new Error('the case is missing');
  desk.cases.set(id, { ...detail, expertComment: 'changed while the line was down' });
  desk.emit({ type: 'alive', at: new Date().toISOString() });
  await vi.waitFor(() =>
    expect(cases.details.get(id)?.expertComment).toBe('changed while the line was down'),
  );
});

test('what is typed is stored by the engine, comes back in another window, and is forgotten part by part', async () => {
  const edits = useEditsStore(desk.pinia);
  const [id = ''] = desk.cases.keys();
  const stored = async () =>
    (await desk.client.edits.list()).items.find((one) => one.caseId === id);
  const saved = vi.spyOn(desk.handlers.edits, 'save');
  edits.change(id, 'estimate', '12');
  edits.change(id, 'comment', 'Text');
  const unsaved = useUnsavedStore(desk.pinia);
  expect(unsaved.any).toBe(true);
  await vi.waitFor(() => expect(unsaved.any).toBe(false));
  // One that failed would be made again.
  expect(saved).toHaveBeenCalledTimes(2);
  expect(await stored()).toMatchObject({ estimate: '12', comment: 'Text' });
  edits.edits.clear();
  await edits.load();
  expect(edits.edits.get(id)).toEqual({ estimate: '12', comment: 'Text' });
  edits.forget(id, ['estimate', 'approved']);
  expect(edits.edits.get(id)).toEqual({ comment: 'Text' });
  await vi.waitFor(async () => expect(await stored()).not.toHaveProperty('estimate'));
  edits.forget(id, ['comment']);
  await vi.waitFor(async () => expect(await stored()).toBeUndefined());
  expect(saved).toHaveBeenCalledTimes(4);
});

test('the engine stores the language', async () => {
  const store = useDeskStore(desk.pinia);
  await store.load();
  await store.setLanguage('fr');
  await flushPromises();
  expect(store.language).toBe('fr');
  await store.load();
  expect(store.language).toBe('fr');
});

test('the engine learns that a dragged document was let go of, as long as its copy is made', async () => {
  const own = createDesk({ count: 1, shellDrags: true });
  const caseId = [...own.cases.keys()][0] ?? '';
  const { items } = await own.client.documents.list({ id: caseId });
  const [document] = items;
  if (!document) throw new Error('the case has no document');
  const letGo = () => own.calls.filter((call) => call.startsWith('documents.letGo'));
  const goOn = own.hold('documents.handOver');
  // happy-dom knows no data of a drag.
  const event = { preventDefault: vi.fn() } as unknown as DragEvent;
  useDocumentsStore(own.pinia).drag(caseId, document, event);
  window.dispatchEvent(new Event('pointerup'));
  await vi.waitFor(() => expect(letGo()).toEqual([`documents.letGo ${document.id}`]));
  await goOn();
  useDocumentsStore(own.pinia).drag(caseId, document, event);
  await goOn();
  await flushPromises();
  window.dispatchEvent(new Event('pointerup'));
  await flushPromises();
  expect(letGo()).toHaveLength(1);
});

test('a dragged document is given out by the browser, or by the desktop shell', async () => {
  for (const shellDrags of [false, true]) {
    const own = createDesk({ count: 1, shellDrags });
    const caseId = [...own.cases.keys()][0] ?? '';
    const { items } = await own.client.documents.list({ id: caseId });
    const [document] = items;
    if (!document) throw new Error('the case has no document');
    const setData = vi.fn();
    const preventDefault = vi.fn();
    // happy-dom knows no data of a drag.
    const event = { dataTransfer: { setData }, preventDefault } as unknown as DragEvent;
    useDocumentsStore(own.pinia).drag(caseId, { ...document, fileName: 'a:b.pdf' }, event);
    await flushPromises();
    const handed = own.calls.filter((call) => call.startsWith('documents.handOver'));
    const address = `http://localhost:3000/files/documents/${caseId}/${document.id}`;
    const link = ['DownloadURL', `${document.contentType}:a_b.pdf:${address}`];
    expect(setData.mock.calls).toEqual(shellDrags ? [] : [link]);
    expect(handed).toEqual(shellDrags ? [`documents.handOver ${document.id} drop`] : []);
    expect(preventDefault).toHaveBeenCalledTimes(shellDrags ? 1 : 0);
  }
});

test('who chooses a look before the desk has answered is not overruled', async () => {
  await desk.client.desk.setAppearance({ theme: 'dark' });
  const appearance = useAppearanceStore(desk.pinia);
  const loading = appearance.load();
  appearance.choose({ theme: 'light' });
  await loading;
  expect(appearance.theme).toBe('light');
});

const noFigures: Insights = {
  cases: 0,
  savingsByMonth: [],
  savingsByCategory: [],
  openAges: [],
  inspectionTypes: [],
  statuses: [],
  returnsByInsurer: [],
  returnsByCategory: [],
};

test('figures are asked with every filter of the list, and again for another workspace', async () => {
  const asked = (desk.handlers.cases.insights = vi.fn(() => noFigures));
  const store = useInsightsStore(desk.pinia);
  const set = {
    status: 'Final',
    amountsMissing: true,
    documentsMissing: true,
    inspectionFrom: '2026-01-01',
  } as const;
  desk.emit({ type: 'workspace.changed' });
  await flushPromises();
  expect(asked, 'nobody has looked at any').not.toHaveBeenCalled();
  Object.assign(store.filter, set);
  await store.load();
  expect(asked).toHaveBeenLastCalledWith({ q: '', ...set });
  desk.emit({ type: 'workspace.changed' });
  await vi.waitFor(() => expect(asked).toHaveBeenLastCalledWith({ q: '' }));
});
