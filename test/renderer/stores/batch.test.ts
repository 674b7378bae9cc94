import { expect, test, vi } from 'vitest';
import type { BatchMatch } from '#shared/desk/reports/batch.ts';
import { DeskError } from '#shared/desk/contract/desk-error.ts';
import { sheetMaxBytes } from '#shared/desk/contract/message-limit.ts';
import { UnreadableFile } from '#renderer/lib/chosen-file.ts';
import { DeskUnreachableError } from '#renderer/lib/problem.ts';
import { problemsOf, staysBehind } from '#renderer/stores/batch-rows.ts';
import { useBatchStore } from '#renderer/stores/batch-store.ts';
import { forAll } from '#renderer/stores/batch-texts.ts';
import { useUndoStore } from '#renderer/stores/undo-store.ts';
import { useLiveStore } from '#renderer/stores/live-store.ts';
import { useUnsavedStore } from '#renderer/stores/unsaved-store.ts';
import { unrecognized } from '../../support/desk-records.ts';
import { batchRow, emptySheet, fakeBatch } from '../fixtures/fake-batch.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';

/** A batch over made-up cases in which no name identifies a case, unless a test says so. */
function openBatch(matchOf?: (path: string) => Omit<BatchMatch, 'path'>) {
  const desk = createDesk({ count: 20 });
  const fake = fakeBatch(desk, matchOf);
  const batch = useBatchStore(desk.pinia);
  const place = (name: string) => ({ path: name, file: new File(['%PDF-1.4 x'], name) });
  const takers = [...desk.cases.values()].slice(0, 2);
  const rowOf = (path: string) => {
    const row = batch.rows.find((one) => one.path === path);
    if (!row) throw new Error(`there is no ${path}`);
    return row;
  };
  const keys = takers.map(({ externalKey }) => externalKey);
  return { ...desk, ...fake, batch, place, rowOf, keys, takers };
}

/** With these files taken in, and the engine's line open. */
async function openBatchOf(...names: string[]) {
  const opened = openBatch();
  await linked(opened);
  await opened.batch.add(names.map(opened.place));
  return opened;
}

/** A case that is left because its draft was filled for other values. */
const unfilled = (externalKey = '') => ({
  externalKey,
  problem: new DeskError('draft_filled_otherwise', {}).problem,
});

test('a case typed by hand is named at once, and one that is not there is refused', async () => {
  const { batch, place, rowOf, keys, takers } = openBatch();
  await batch.add([place('a.pdf')]);
  await batch.assign('a.pdf', ` ${keys[0] ?? ''} `);
  expect(rowOf('a.pdf')).toMatchObject({
    typed: keys[0],
    case: { partyName: takers[0]?.partyName },
    searchProblem: null,
  });
  await batch.assign('a.pdf', 'NO-SUCH-CASE');
  expect(rowOf('a.pdf')).toMatchObject({ case: null, typed: 'NO-SUCH-CASE' });
  expect(problemsOf(rowOf('a.pdf'))).toMatchObject([{ code: 'case_not_found' }]);
  expect(batch.ready).toEqual([]);
});

test('a refusal of what was typed before does not change what stands there now', async () => {
  const { batch, hold, place, rowOf, keys } = openBatch();
  await batch.add([place('a.pdf')]);
  const next = hold('batch.search');
  const late = batch.assign('a.pdf', 'NO-SUCH-CASE');
  const later = batch.assign('a.pdf', keys[0] ?? '');
  await next();
  await late;
  expect(rowOf('a.pdf')).toMatchObject({ typed: keys[0], searchProblem: null });
  await next();
  await later;
  expect(rowOf('a.pdf')).toMatchObject({ typed: keys[0], searchProblem: null });
});

test('salvage is set for all, and a comment of a case goes before the one for all', async () => {
  const { batch, place, keys, reports } = openBatch();
  await batch.add([place('a.pdf'), place('b.pdf'), place('c.pdf')]);
  await batch.assign('a.pdf', keys[0] ?? '');
  await batch.assign('b.pdf', keys[0] ?? '');
  await batch.assign('c.pdf', keys[1] ?? '');
  await batch.setSalvageForAll(true);
  batch.type('b.pdf', 'Nur hier');
  batch.type(forAll, 'Für alle');
  expect(batch.comment).toBe('Für alle');
  await batch.queueAll();
  expect(batch.comment, 'the comment on these files is not the comment on the next').toBe('');
  expect(reports.map(({ comment }) => comment)).toEqual(['Nur hier', 'Für alle']);
  expect(reports.flatMap(({ salvage }) => salvage)).toEqual([true, true, true]);
});

test('what is typed stays as typed while the engine answers with less', async () => {
  const { batch, hold, place } = openBatch();
  await batch.add([place('a.pdf')]);
  const next = hold('batch.change');
  batch.type('a.pdf', 'Nur');
  batch.type('a.pdf', 'Nur hier');
  await next();
  expect(batch.rows[0]?.comment).toBe('Nur hier');
  expect(batch.typing.size, 'the window says that it is not saved').toBe(1);
});

test('a comment that the engine does not take is unsaved, and is saved when the engine is back', async () => {
  const { batch, emit, handlers, rowOf, ...desk } = await openBatchOf('a.pdf', 'b.pdf');
  const unsaved = useUnsavedStore(desk.pinia);
  const change = vi.spyOn(handlers.batch, 'change').mockImplementation(() => {
    throw new DeskError('disk_full');
  });
  useLiveStore(desk.pinia).state = 'lost';
  batch.type('a.pdf', 'Nur hier');
  await vi.waitFor(() => expect(change).toHaveBeenCalled());
  expect([unsaved.any, unsaved.texts]).toEqual([true, ['Nur hier']]);
  change.mockRestore();
  emit({ type: 'alive', at: new Date().toISOString() });
  await vi.waitFor(() => expect(unsaved.any).toBe(false));
  expect(rowOf('a.pdf').comment).toBe('Nur hier');
});

test('a comment goes with its file out of the batch and back, and not into another workspace', async () => {
  const { batch, emit, rowOf, ...desk } = await openBatchOf('a.pdf');
  const unsaved = useUnsavedStore(desk.pinia);
  batch.type('a.pdf', 'Nur hier');
  await batch.remove('a.pdf');
  expect(unsaved.any).toBe(false);
  await useUndoStore(desk.pinia).undo();
  expect(rowOf('a.pdf').comment).toBe('Nur hier');
  batch.type('a.pdf', 'Aus der ersten');
  emit({ type: 'workspace.changed' });
  await vi.waitFor(() => expect(unsaved.any).toBe(false));
  expect(rowOf('a.pdf').comment).toBe('Nur hier');
});

test('files that are taken in are on their way in this window until the engine has them', async () => {
  const { batch, transport, place, pinia } = openBatch();
  const { files } = transport;
  const unsaved = useUnsavedStore(pinia);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const addBatchFile = files.addBatchFile;
  vi.spyOn(files, 'addBatchFile').mockImplementationOnce(async (...input) => {
    await promise;
    return addBatchFile(...input);
  });
  const taken = batch.add([place('a.pdf')]);
  await vi.waitFor(() => expect(unsaved.adding).toBe(true));
  resolve(undefined);
  await taken;
  expect(unsaved.adding).toBe(false);
});

test('files that another window takes in are not missing, until that is over', async () => {
  const { batch, transport, place, openWindow } = openBatch();
  const { pinia } = openWindow();
  const there = useBatchStore(pinia);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const addBatchFile = transport.files.addBatchFile;
  const add = vi.spyOn(transport.files, 'addBatchFile');
  add.mockImplementationOnce(async (...input) => {
    await promise;
    return addBatchFile(...input);
  });
  const taken = batch.add([place('a.pdf')]);
  await vi.waitFor(() => expect(add).toHaveBeenCalled());
  await there.load();
  await vi.waitFor(() => expect(there.isTakenElsewhere).toBe(true));
  expect(batch.isTakenElsewhere).toBe(false);
  resolve(undefined);
  await taken;
  await vi.waitFor(() => expect(there.isTakenElsewhere).toBe(false));
});

test('files are taken in to the end by the engine that comes after one that died', async () => {
  const { batch, transport, place, leaveUnanswered, pinia } = openBatch();
  const died = () => Promise.reject(new DeskUnreachableError('the engine died'));
  const add = vi.spyOn(transport.files, 'addBatchFile').mockImplementationOnce(died);
  leaveUnanswered('batch.get');
  await batch.add([place('a.pdf'), place('b.pdf')]);
  expect(batch.problem).toBeNull();
  expect(add.mock.calls.map(([, path]) => path)).toEqual(['a.pdf', 'a.pdf', 'b.pdf']);
  expect(batch.rows.map(({ state, sha256 }) => [state, sha256 !== null])).toEqual([
    ['open', true],
    ['open', true],
  ]);
  expect(useUnsavedStore(pinia).adding).toBe(false);
});

test('a file that cannot be read is refused by name, and costs the others nothing', async () => {
  const { batch, rowOf, place } = openBatch();
  const held = place('held.pdf');
  vi.spyOn(held.file, 'arrayBuffer').mockRejectedValue(new DOMException('', 'NotReadableError'));
  const opened = { path: 'opened.pdf', file: new UnreadableFile('opened.pdf') };
  await batch.add([place('a.pdf'), held, opened, place('b.pdf')]);
  expect(batch.problem).toBeNull();
  expect(rowOf('held.pdf').problem).toEqual({
    code: 'file_unreadable',
    params: { fileName: 'held.pdf' },
  });
  expect(rowOf('opened.pdf').problem?.code).toBe('file_unreadable');
  expect(['a.pdf', 'b.pdf'].map((path) => rowOf(path).sha256 !== null)).toEqual([true, true]);
});

test('files that cannot be taken in are not on their way any more, whatever the engine answers', async () => {
  const { batch, transport, place, leaveUnanswered, pinia } = openBatch();
  vi.spyOn(transport.files, 'addBatchFile').mockRejectedValueOnce(new DeskError('disk_full'));
  leaveUnanswered('batch.get');
  await batch.add([place('a.pdf'), place('b.pdf')]);
  expect(batch.problem).not.toBeNull();
  expect(useUnsavedStore(pinia).adding).toBe(false);
});

test('five hundred files at once, with names of 255 characters, right to left and emoji', async () => {
  const { batch, place, keys } = openBatch();
  const odd = [`${'ä'.repeat(251)}.pdf`, 'تقرير الضرر.pdf', '🚗💥.pdf', '\u202efdp.exe.pdf'];
  const many = Array.from({ length: 496 }, (_, index) => `Foto ${index}.pdf`);
  await batch.add([...many, ...odd].map(place));
  expect(batch.rows).toHaveLength(500);
  await batch.add([place('Foto 1.pdf')]);
  expect(batch.rows).toHaveLength(500);
  for (const name of odd.slice(1, 3)) await batch.assign(name, keys[0] ?? '');
  batch.type(forAll, 'Bleibt');
  await batch.queueAll();
  expect(batch.comment).toBe('Bleibt');
  expect(batch.rows.filter(({ state }) => state === 'queued').map(({ path }) => path)).toEqual(
    odd.slice(1, 3),
  );
});

test('what does not go comes first and is counted once: no case, a closed case, an empty file', async () => {
  const final = { code: 'case_state', params: { status: 'Final' } } as const;
  const desk = createDesk({ count: 20 });
  const [open, closed] = [...desk.cases.values()].map(
    ({ id, externalKey, partyName, subject, licensePlate }) => ({
      id,
      externalKey,
      partyName,
      subject,
      licensePlate,
      problem: null,
      awaits: false,
    }),
  );
  if (!open || !closed) throw new Error('there are too few cases');
  const { batch, place, rowOf } = openBatch((path) => {
    if (path.startsWith('c')) return unrecognized;
    const found = path.startsWith('b') ? { ...closed, problem: final } : open;
    const { id: caseId, externalKey } = found;
    const certain = { refusal: null, confidence: 'certain' } as const;
    return { ...unrecognized, ...certain, caseId, externalKey, case: found };
  });
  const names = ['a.pdf', 'b.pdf', 'c.pdf', 'x/Thumbs.db', '.DS_Store', '~$a.docx', 'desktop.ini'];
  await batch.add(names.map(place));
  expect(batch.batch?.leftOut).toBe(4);
  // The same folder again: what is left out is still the same.
  await batch.add(names.map(place));
  expect(batch.batch?.leftOut).toBe(4);
  expect(batch.rows.map(({ path }) => path)).toEqual(['c.pdf', 'b.pdf', 'a.pdf']);
  expect(batch.rows.filter(staysBehind)).toHaveLength(batch.left.length);
  expect(problemsOf(rowOf('b.pdf'))).toEqual([final]);
  expect(batch.plan).toMatchObject({ reports: 1, files: 1 });
  await batch.add([{ path: 'a2.pdf', file: new File([], 'a2.pdf') }]);
  expect(problemsOf(rowOf('a2.pdf'))).toMatchObject([{ code: 'file_empty' }]);
  expect(batch.reports, 'half of a report is none').toBe(0);
  expect(rowOf('a.pdf').outcome).toBe('kept_back');
  expect(batch.left).toHaveLength(4);
});

test('a file stays under its head while it is corrected, and goes to its case when rows are ordered', async () => {
  const { batch, place, keys, takers } = openBatch();
  const shown = () => batch.rows.map(({ path, head }) => [path, head?.id ?? null]);
  await batch.add(['a.pdf', 'b.pdf', 'c.pdf'].map(place));
  const [first, second] = takers.map(({ id }) => id);
  await batch.assign('a.pdf', keys[0] ?? '');
  await batch.assign('c.pdf', keys[0] ?? '');
  expect(shown()).toEqual([
    ['a.pdf', null],
    ['b.pdf', null],
    ['c.pdf', null],
  ]);
  batch.sortRows();
  expect(shown()).toEqual([
    ['b.pdf', null],
    ['a.pdf', first],
    ['c.pdf', first],
  ]);
  await batch.assign('a.pdf', keys[1] ?? '');
  expect(shown()[1], 'nor does it leave its head').toEqual(['a.pdf', first]);
  batch.sortRows();
  expect(shown()).toContainEqual(['a.pdf', second]);
});

test('what was shown of another batch is not used for a file of the same name', async () => {
  const { batch, place, keys, handlers } = openBatch();
  await batch.add(['a.pdf', 'b.pdf'].map(place));
  await batch.assign('a.pdf', keys[0] ?? '');
  await batch.assign('b.pdf', 'NO-SUCH-CASE');
  batch.sortRows();
  expect(batch.rows.map(({ path }) => path)).toEqual(['b.pdf', 'a.pdf']);
  const rows = ['a.pdf', 'b.pdf'].map((path) => batchRow({ path }));
  if (!batch.batch) throw new Error('there is no batch');
  const next = { ...batch.batch, id: crypto.randomUUID(), rows };
  handlers.batch.get = () => ({ batch: next });
  await batch.load();
  expect(batch.rows).toMatchObject([
    { path: 'a.pdf', head: null },
    { path: 'b.pdf', head: null, searchProblem: null, typed: '' },
  ]);
});

test('the batch of one workspace is not shown in another', async () => {
  const { batch, place, ...desk } = openBatch();
  await linked(desk);
  await batch.add([place('a.pdf')]);
  desk.hold('batch.setComment');
  batch.type(forAll, 'Für alle');
  const next = desk.hold('batch.get');
  desk.emit({ type: 'workspace.changed' });
  await vi.waitFor(() => expect(batch.rows).toEqual([]));
  expect(batch.comment).toBe('');
  await next();
  await vi.waitFor(() => expect(batch.rows).toHaveLength(1));
});

test('a row is the same object until something of it changes', async () => {
  const { batch, place, rowOf, keys } = openBatch();
  await batch.add(['a.pdf', 'b.pdf'].map(place));
  await batch.assign('a.pdf', keys[0] ?? '');
  batch.sortRows();
  const [first, second] = [rowOf('a.pdf'), rowOf('b.pdf')];
  await batch.add([place('c.pdf')]);
  expect(rowOf('a.pdf')).toBe(first);
  batch.type('b.pdf', 'Nur hier');
  expect(rowOf('b.pdf')).not.toBe(second);
  expect(rowOf('b.pdf').comment).toBe('Nur hier');
  expect(rowOf('a.pdf')).toBe(first);
});

test('no row moves while the user is in the list; they are ordered once the user leaves it', async () => {
  const { batch, place, keys, takers } = openBatch();
  const shown = () => batch.rows.map(({ path, head }) => [path, head?.id ?? null]);
  await batch.add(['a.pdf', 'b.pdf'].map(place));
  await batch.assign('a.pdf', keys[0] ?? '');
  batch.setInUse(true);
  await batch.add(['c.pdf', 'd.pdf'].map(place));
  expect(shown()).toEqual([
    ['a.pdf', null],
    ['b.pdf', null],
    ['c.pdf', null],
    ['d.pdf', null],
  ]);
  await batch.assign('c.pdf', keys[1] ?? '');
  batch.sortRows();
  expect(shown().at(2)).toEqual(['c.pdf', null]);
  batch.setInUse(false);
  expect(shown()).toEqual([
    ['b.pdf', null],
    ['d.pdf', null],
    ['a.pdf', takers[0]?.id],
    ['c.pdf', takers[1]?.id],
  ]);
  await batch.assign('b.pdf', keys[0] ?? '');
  batch.setInUse(true);
  batch.setInUse(false);
  expect(shown()[0], 'nothing has asked for another order').toEqual(['b.pdf', null]);
});

test('no time is promised for a report of a case that the insurer has not accepted', async () => {
  const { batch, place, takers } = openBatch();
  const [taker] = takers;
  if (!taker) throw new Error('there are too few cases');
  const { id: caseId, externalKey, partyName, subject, licensePlate } = taker;
  const known = { id: caseId, externalKey, partyName, subject, licensePlate };
  const certain = { refusal: null, confidence: 'certain' } as const;
  const found = openBatch(() => ({
    ...unrecognized,
    ...certain,
    caseId,
    externalKey,
    case: { ...known, problem: null, awaits: true },
  }));
  await found.batch.add([place('a.pdf')]);
  expect([found.batch.reports, found.batch.awaiting]).toEqual([1, 1]);
  expect(found.batch.plan).toMatchObject({ reports: 0, files: 0, bytes: 0 });
  expect(batch.awaiting).toBe(0);
});

test('a sheet is queued in the same step, and not at all while a line of it is wrong', async () => {
  const { batch, readAs, place, rowOf, keys } = openBatch();
  const problem = { code: 'case_not_found', params: { id: 'x' } } as const;
  readAs(() => ({ ...emptySheet(), unchanged: 1, problems: [{ line: 2, problem }] }));
  await batch.add([place('a.pdf')]);
  await batch.assign('a.pdf', keys[0] ?? '');
  await batch.readSheet(new File(['externalKey;x'], 'x.csv'));
  expect(batch.isSheetBad).toBe(true);
  await batch.queueAll();
  expect(rowOf('a.pdf').state).toBe('open');
  readAs(() => ({ ...emptySheet(), unchanged: 1 }));
  await batch.queueAll();
  expect([batch.sheet, rowOf('a.pdf').state]).toEqual([null, 'queued']);
});

test('a sheet that fits into no message is refused before it is sent', async () => {
  const { batch } = openBatch();
  const held = new File(['x'], 'held.csv');
  vi.spyOn(held, 'arrayBuffer').mockRejectedValue(new DOMException('', 'NotReadableError'));
  await batch.readSheet(held);
  expect(batch.problem).toMatchObject({
    code: 'file_unreadable',
    params: { fileName: 'held.csv' },
  });
  await batch.readSheet(new File([new Uint8Array(sheetMaxBytes + 1)], 'large.xlsx'));
  expect(batch.sheet).toBe(null);
  expect(batch.problem).toMatchObject({
    code: 'file_too_large',
    params: { fileName: 'large.xlsx', maxBytes: sheetMaxBytes },
  });
});

test('the chosen template goes with this batch alone, and cases without it are named', async () => {
  const { batch, place, keys, templates, leave } = openBatch();
  await batch.add([place('a.pdf')]);
  await batch.assign('a.pdf', keys[0] ?? '');
  const template = { templateId: 'desk:report.vehicle.de.docx', asPdf: true };
  await batch.setTemplate(template);
  const left = [unfilled(keys[1])];
  leave(left);
  await batch.queueAll();
  expect(templates).toEqual([template]);
  expect(batch.unfilled).toEqual(left);
  expect(batch.template, 'of the next batch').toBeNull();
  leave([]);
  await batch.add([place('b.pdf')]);
  await batch.assign('b.pdf', keys[0] ?? '');
  await batch.queueAll();
  expect([templates.length, batch.unfilled]).toEqual([1, []]);
});

test('the cases that were left are named until the batch is discarded or the next one begins', async () => {
  const { batch, place, keys, leave } = openBatch();
  const left = [unfilled(keys[1])];
  const leaveOne = async (path: string) => {
    await batch.add([place(path)]);
    await batch.assign(path, keys[0] ?? '');
    leave(left);
    await batch.queueAll();
    expect(batch.unfilled).toEqual(left);
  };
  await leaveOne('a.pdf');
  await batch.add([place('b.pdf')]);
  expect(batch.unfilled).toEqual([]);
  await leaveOne('c.pdf');
  await batch.discard();
  expect(batch.unfilled).toEqual([]);
});
