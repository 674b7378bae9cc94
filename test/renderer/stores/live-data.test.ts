import { expect, test, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { useOwnStore } from '#renderer/stores/own-store.ts';
import { useAppearanceStore } from '#renderer/stores/appearance-store.ts';
import { useDeskStore } from '#renderer/stores/desk-store.ts';
import { useDocumentsStore } from '#renderer/stores/documents-store.ts';
import { useLiveStore } from '#renderer/stores/live-store.ts';
import { useTextsStore } from '#renderer/stores/texts-store.ts';
import { useViewsStore } from '#renderer/stores/views-store.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';

async function open() {
  const desk = createDesk({ count: 2 });
  await linked(desk);
  return desk;
}

test('what changed while no event came is read again, in every store', async () => {
  const desk = await open();
  const reads = [
    { load: useViewsStore(desk.pinia).load, spy: vi.spyOn(desk.handlers.views, 'list') },
    { load: useOwnStore(desk.pinia).load, spy: vi.spyOn(desk.handlers.own, 'get') },
    { load: useTextsStore(desk.pinia).load, spy: vi.spyOn(desk.handlers.texts, 'list') },
  ];
  for (const { load } of reads) await load();
  useLiveStore(desk.pinia).state = 'lost';
  desk.emit({ type: 'alive', at: new Date().toISOString() });
  for (const { spy } of reads) await vi.waitFor(() => expect(spy).toHaveBeenCalledTimes(2));
});

test('a reading that fails shows why, and what was read before stays', async () => {
  const desk = await open();
  const documents = useDocumentsStore(desk.pinia);
  const [caseId = ''] = desk.cases.keys();
  await documents.load(caseId);
  const before = documents.lists.get(caseId);
  vi.spyOn(desk.handlers.documents, 'list').mockImplementationOnce(() => {
    throw new DeskError('disk_full');
  });
  await documents.load(caseId);
  expect(documents.problems.get(caseId)?.code).toBe('disk_full');
  expect(documents.lists.get(caseId)).toBe(before);
  await documents.load(caseId);
  expect(documents.problems.has(caseId)).toBe(false);
});

test.each([
  ['the first line', 'starting'],
  // An engine that opens slowly may answer nothing until its window calls it gone.
  ['a line that came late', 'lost'],
] as const)('what failed before %s to the engine is read once there is one', async (_, state) => {
  const desk = createDesk({ count: 1 });
  const fails = () => {
    throw new DeskError('disk_full');
  };
  // The port of a page that is loaded again early is replaced while the first questions are asked.
  vi.spyOn(desk.handlers.desk, 'info').mockImplementationOnce(fails);
  vi.spyOn(desk.handlers.desk, 'appearance').mockImplementationOnce(fails);
  vi.spyOn(desk.handlers.documents, 'list').mockImplementationOnce(fails);
  await desk.client.desk.setAppearance({ started: true });
  const [about, appearance] = [useDeskStore(desk.pinia), useAppearanceStore(desk.pinia)];
  const documents = useDocumentsStore(desk.pinia);
  const [caseId = ''] = desk.cases.keys();
  await Promise.all([about.load(), appearance.load(), documents.load(caseId)]);
  expect(about.workspace).toBeNull();
  useLiveStore(desk.pinia).state = state;
  await linked(desk);
  await vi.waitFor(() => expect(about.workspace).not.toBeNull());
  await vi.waitFor(() => expect(appearance.started).toBe(true));
  await vi.waitFor(() => expect(documents.lists.has(caseId)).toBe(true));
});

test('an answer that comes after a newer one changes nothing', async () => {
  const desk = await open();
  const documents = useDocumentsStore(desk.pinia);
  const [caseId = ''] = desk.cases.keys();
  const late = Promise.withResolvers<undefined>();
  const { list } = desk.handlers.documents;
  const listed = vi
    .spyOn(desk.handlers.documents, 'list')
    .mockImplementationOnce((input) => late.promise.then(() => list({ ...input })));
  const older = documents.load(caseId);
  await vi.waitFor(() => expect(listed).toHaveBeenCalledOnce());
  await documents.load(caseId);
  const newest = documents.lists.get(caseId);
  late.resolve(undefined);
  await older;
  expect(documents.lists.get(caseId)).toBe(newest);
});

test('what is read of one workspace is not shown in another', async () => {
  const desk = await open();
  const views = useViewsStore(desk.pinia);
  const documents = useDocumentsStore(desk.pinia);
  const [caseId = ''] = desk.cases.keys();
  const order = { sort: 'lastChangedAt', descending: true } as const;
  await views.save({ name: 'Hagel', filter: { q: '' }, ...order, columns: [] });
  await views.load();
  await documents.load(caseId);
  expect(views.views).toHaveLength(1);
  const next = desk.hold('views.list');
  desk.emit({ type: 'workspace.changed' });
  await vi.waitFor(() => expect(views.views).toEqual([]));
  expect(documents.lists.size).toBe(0);
  await next();
  await vi.waitFor(() => expect(views.views).toHaveLength(1));
});
