import { expect, test } from 'vitest';
import type { BatchMatch } from '#shared/desk/batch.ts';
import { sheetMaxBytes } from '#shared/desk/message-limit.ts';
import { useBatchStore } from '#renderer/stores/batch-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';

const nameless: Omit<BatchMatch, 'path'> = {
  caseId: null,
  externalKey: null,
  case: null,
  confidence: null,
  matchedBy: [],
  isSalvageSale: false,
  refusal: 'nothing_recognized',
  candidates: [],
  choices: [],
};

/** A batch over made-up cases in which no name identifies a case. */
function openBatch() {
  const desk = createDesk({ count: 20 });
  desk.handlers.tools.matchBatch = ({ paths }) => {
    const items = paths.map((path) => ({ ...nameless, path }));
    return { items, total: items.length };
  };
  const batch = useBatchStore(desk.pinia);
  const place = (name: string) => ({ path: name, file: new File(['%PDF-1.4 x'], name) });
  const takers = [...desk.cases.values()].slice(0, 2);
  return { ...desk, batch, place, keys: takers.map(({ externalKey }) => externalKey), takers };
}

test('a case typed by hand is named at once, and one that is not there is refused', async () => {
  const { batch, place, keys, takers } = openBatch();
  await batch.add([place('a.pdf')]);
  await batch.assign('a.pdf', ` ${keys[0] ?? ''} `);
  expect(batch.rows[0]).toMatchObject({
    typed: keys[0],
    target: { partyName: takers[0]?.partyName },
    problem: null,
  });
  await batch.assign('a.pdf', 'NO-SUCH-CASE');
  expect(batch.rows[0]).toMatchObject({ target: null, problem: { code: 'case_not_found' } });
  expect(batch.ready).toEqual([]);
});

test('a refusal of what was typed before does not change what stands there now', async () => {
  const { batch, hold, place, keys } = openBatch();
  await batch.add([place('a.pdf')]);
  const next = hold('tools.searchBatchCases');
  const late = batch.assign('a.pdf', 'NO-SUCH-CASE');
  const later = batch.assign('a.pdf', keys[0] ?? '');
  await next();
  await late;
  expect(batch.rows[0]).toMatchObject({ typed: keys[0], problem: null });
  await next();
  await later;
  expect(batch.rows[0]).toMatchObject({ typed: keys[0], problem: null });
});

test('salvage is set for all, and a comment of a case goes before the one for all', async () => {
  const { batch, place, keys, drafts: stored } = openBatch();
  await batch.add([place('a.pdf'), place('b.pdf'), place('c.pdf')]);
  await batch.assign('a.pdf', keys[0] ?? '');
  await batch.assign('b.pdf', keys[0] ?? '');
  await batch.assign('c.pdf', keys[1] ?? '');
  batch.setSalvageForAll(true);
  batch.change('b.pdf', { comment: 'Nur hier' });
  batch.comment = 'Für alle';
  await batch.queueAll();
  expect(batch.comment, 'what was said of these files is not said of the next').toBe('');
  const drafts = [...stored.values()];
  expect(drafts.map(({ comment }) => comment)).toEqual(['Nur hier', 'Für alle']);
  expect(
    drafts.flatMap(({ attachments }) => attachments.map(({ isSalvageSale }) => isSalvageSale)),
  ).toEqual([true, true, true]);
  expect(batch.open).toEqual([]);
  batch.removeQueued();
  expect(batch.rows).toEqual([]);
});

test('what is typed while the files are taken is for the next ones', async () => {
  const { batch, hold, place, keys, drafts } = openBatch();
  await batch.add([place('a.pdf'), place('b.pdf')]);
  await batch.assign('a.pdf', keys[0] ?? '');
  await batch.assign('b.pdf', keys[1] ?? '');
  batch.comment = 'Abendrunde';
  const next = hold('reports.createDraft');
  const queued = batch.queueAll();
  await next();
  batch.comment = 'Morgenrunde';
  await next();
  await queued;
  expect([...drafts.values()].map(({ comment }) => comment)).toEqual(['Abendrunde', 'Abendrunde']);
  expect(batch.comment).toBe('Morgenrunde');
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
  batch.comment = 'Bleibt';
  await batch.queueAll();
  expect(batch.comment).toBe('Bleibt');
  expect(batch.rows.filter(({ state }) => state === 'queued').map(({ path }) => path)).toEqual(
    odd.slice(1, 3),
  );
});

test('problems come first: no case, a closed case, an empty file; nothing of their cases is sent', async () => {
  const { batch, handlers, place, takers } = openBatch();
  const [open, closed] = takers.map(({ id, externalKey, partyName, subject, licensePlate }) => ({
    ...{ id, externalKey, partyName, subject, licensePlate },
    problem: null,
  }));
  if (!open || !closed) throw new Error('there are too few cases');
  const final = { code: 'case_state', params: { status: 'Final' } } as const;
  handlers.tools.matchBatch = ({ paths }) => {
    const items = paths.map((path) => {
      const found = path.startsWith('b') ? { ...closed, problem: final } : open;
      if (path.startsWith('c')) return { ...nameless, path };
      const { id: caseId, externalKey } = found;
      const certain = { refusal: null, confidence: 'certain' } as const;
      return { ...nameless, ...certain, path, caseId, externalKey, case: found };
    });
    return { items, total: items.length };
  };
  const names = ['a.pdf', 'b.pdf', 'c.pdf', 'x/Thumbs.db', '.DS_Store', '~$a.docx', 'desktop.ini'];
  await batch.add(names.map(place));
  expect(batch.leftOut).toBe(4);
  expect(batch.rows.map(({ path }) => path)).toEqual(['b.pdf', 'c.pdf', 'a.pdf']);
  expect(batch.problems).toHaveLength(2);
  expect(batch.plan).toMatchObject({ reports: 1, files: 1 });
  await batch.add([{ path: 'a2.pdf', file: new File([], 'a2.pdf') }]);
  expect(batch.rows[2]).toMatchObject({ path: 'a2.pdf', fileProblem: { code: 'file_empty' } });
  expect(batch.reports, 'half of a report is none').toBe(0);
});

test('a sheet is queued in the same step, and not at all while a line of it is wrong', async () => {
  const { batch, handlers, place, keys } = openBatch();
  const applied: boolean[] = [];
  let isBad = true;
  const problem = { code: 'case_not_found', params: { id: 'x' } } as const;
  handlers.tools.batchSheet = ({ apply, contentBase64 }) => {
    expect(atob(contentBase64)).toBe('externalKey;x');
    applied.push(apply);
    return { items: [], unchanged: 1, problems: isBad ? [{ line: 2, problem }] : [] };
  };
  await batch.add([place('a.pdf')]);
  await batch.assign('a.pdf', keys[0] ?? '');
  await batch.readSheet(new File(['externalKey;x'], 'x.csv'));
  expect(batch.isSheetBad).toBe(true);
  await batch.queueAll();
  expect(batch.rows[0]?.state).toBe('open');
  isBad = false;
  await batch.queueAll();
  expect([batch.sheet, batch.rows[0]?.state, applied]).toEqual([
    null,
    'queued',
    [false, true, true],
  ]);
});

test('a sheet that fits into no message is refused before it is sent', async () => {
  const { batch, handlers } = openBatch();
  let asked = 0;
  handlers.tools.batchSheet = () => {
    asked += 1;
    return { items: [], unchanged: 0, problems: [] };
  };
  await batch.readSheet(new File([new Uint8Array(sheetMaxBytes + 1)], 'large.xlsx'));
  expect([asked, batch.sheet]).toEqual([0, null]);
  expect(batch.problem).toMatchObject({
    code: 'file_too_large',
    params: { fileName: 'large.xlsx', maxBytes: sheetMaxBytes },
  });
});
