import { expect, test, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { useCasesStore } from '#renderer/stores/cases-store.ts';
import { useCaptionsStore } from '#renderer/stores/captions-store.ts';
import { useDraftFilesStore } from '#renderer/stores/draft-files-store.ts';
import { useOwnStore } from '#renderer/stores/own-store.ts';
import { useAppearanceStore } from '#renderer/stores/appearance-store.ts';
import { useDeskStore } from '#renderer/stores/desk-store.ts';
import { useDocumentsStore } from '#renderer/stores/documents-store.ts';
import { useLiveStore } from '#renderer/stores/live-store.ts';
import { useSettingsStore } from '#renderer/stores/settings-store.ts';
import { useTextsStore } from '#renderer/stores/texts-store.ts';
import { useViewsStore } from '#renderer/stores/views-store.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';

async function open() {
  const desk = createDesk({ count: 2 });
  await linked(desk);
  const live = useLiveStore(desk.pinia);
  const passed: DeskEvent['type'][] = [];
  live.on(({ type }) => passed.push(type));
  /** Emits an event, which every store of this window has heard when this resolves. */
  async function change(event: DeskEvent): Promise<void> {
    const before = passed.length;
    desk.emit(event);
    await vi.waitFor(() => expect(passed.length).toBeGreaterThan(before));
  }
  /** What a silent line reads again hides what an event did not. */
  const resumed = vi.fn<() => void>();
  live.onResumed(resumed);
  return { ...desk, change, resumed };
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

test('a reading that began before an act does not overwrite the act’s answer', async () => {
  const desk = await open();
  const settings = useSettingsStore(desk.pinia);
  desk.engine.storage.setRule = async (rule) => ({
    ...(await desk.engine.storage.get()),
    keep: rule.keep ?? 'due',
  });
  const early = desk.holdAnswer('storage.get');
  const reading = settings.loadStorage();
  await early.made;
  await settings.setDocumentRule({ keep: 'none' });
  early.release();
  await reading;
  expect(settings.storage?.keep).toBe('none');
});

test('a value that changes all the time is shown while it changes', async () => {
  const desk = await open();
  const own = useOwnStore(desk.pinia);
  const asked = vi.spyOn(desk.handlers.own, 'get');
  const first = desk.holdAnswer('own.get');
  const second = desk.holdAnswer('own.get');
  void own.load();
  await first.made;
  desk.cases.delete([...desk.cases.keys()][0] ?? '');
  await desk.change({ type: 'day.changed' });
  await desk.change({ type: 'day.changed' });
  first.release();
  await vi.waitFor(() => expect(own.cases?.own).toBe(2));
  second.release();
  // However often it changed during a reading, it is read once more.
  await vi.waitFor(() => expect(own.cases?.own).toBe(1));
  expect(asked).toHaveBeenCalledTimes(2);
});

test('what changes during its first reading is read again', async () => {
  const desk = await open();
  const cases = useCasesStore(desk.pinia);
  const [detail] = desk.cases.values();
  if (!detail) throw new Error('there is no case');
  const early = desk.holdAnswer('cases.get');
  const opened = cases.open(detail.id);
  await early.made;
  desk.cases.set(detail.id, { ...detail, partyName: 'Neu' });
  await desk.change({ type: 'cases.changed', caseIds: [detail.id] });
  early.release();
  await opened;
  await vi.waitFor(() => expect(cases.details.get(detail.id)?.partyName).toBe('Neu'));
  expect(desk.resumed).not.toHaveBeenCalled();
});

test('a case that was not found is shown once it arrives', async () => {
  const desk = await open();
  const cases = useCasesStore(desk.pinia);
  const [detail] = desk.cases.values();
  if (!detail) throw new Error('there is no case');
  desk.cases.delete(detail.id);
  await cases.open(detail.id);
  expect(cases.detailProblems.get(detail.id)?.code).toBe('case_not_found');
  desk.cases.set(detail.id, detail);
  await desk.change({ type: 'cases.changed', caseIds: [detail.id] });
  await vi.waitFor(() => expect(cases.details.has(detail.id)).toBe(true));
  expect(cases.detailProblems.has(detail.id)).toBe(false);
  expect(desk.resumed).not.toHaveBeenCalled();
});

test('a caption from another window keeps no file away that is being read', async () => {
  const desk = await open();
  const [caseId = ''] = desk.cases.keys();
  const { id: draftId } = await desk.client.reports.createDraft({ id: caseId });
  const add = (name: string) =>
    desk.transport.files.addAttachment(draftId, new File(['x'], name), {
      isSalvageSale: false,
      isSeen: true,
    });
  const { id: fileId } = await add('a.txt');
  const draftFiles = useDraftFilesStore(desk.pinia);
  const captions = useCaptionsStore(desk.pinia);
  await draftFiles.openDraft(draftId);
  await add('b.txt');
  const early = desk.holdAnswer('reports.getDraft');
  void draftFiles.openDraft(draftId);
  await early.made;
  await desk.client.reports.updateAttachment({
    draftId,
    attachmentId: fileId,
    details: { caption: 'Tür links' },
    by: { window: crypto.randomUUID(), agoMs: 0 },
  });
  await vi.waitFor(() => expect(captions.captionOf(draftId, fileId)).toBe('Tür links'));
  early.release();
  await vi.waitFor(() => expect(draftFiles.filesOf(draftId)).toHaveLength(2));
  expect(captions.captionOf(draftId, fileId)).toBe('Tür links');
  expect(desk.resumed).not.toHaveBeenCalled();
});
