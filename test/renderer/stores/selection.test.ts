import { expect, test } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { useCasesStore } from '#renderer/stores/cases-store.ts';
import { useSelectionStore } from '#renderer/stores/selection-store.ts';
import { toProblem } from '#renderer/lib/problem.ts';
import { useViewsStore } from '#renderer/stores/views-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';

/** Stores over a list that has been looked at. */
async function openList(count: number) {
  const desk = createDesk({ count });
  const cases = useCasesStore(desk.pinia);
  const selection = useSelectionStore(desk.pinia);
  await cases.search();
  const idAt = (index: number) => cases.rows.get(index)?.id ?? '';
  return { ...desk, cases, selection, idAt };
}

test('rows are chosen one by one, as a stretch, and all of them', async () => {
  const { cases, selection, idAt } = await openList(60);
  selection.toggle(4);
  selection.toggle(7);
  selection.toggle(4);
  expect([...selection.ids]).toEqual([idAt(7)]);
  await selection.extendTo(2);
  expect([...selection.ids]).toEqual([2, 3, 4].map(idAt));
  await selection.all();
  expect(selection.ids.size).toBe(cases.total);
  expect(selection.cut).toBe(false);
  selection.clear();
  expect(selection.ids.size).toBe(0);
});

test('a stretch reaches beyond what the window has read', async () => {
  const { selection, cases } = await openList(300);
  selection.toggle(0);
  await selection.extendTo(250);
  expect(selection.ids.size).toBe(251);
  expect(cases.rows.has(250)).toBe(false);
});

/** A case of which this many documents are not on the laptop. */
async function caseLacking(desk: Awaited<ReturnType<typeof openList>>, atLeast: number) {
  for (const [index, { id }] of desk.cases.rows) {
    const { items } = await desk.client.documents.list({ id });
    const missing = items.filter(({ onLaptop }) => !onLaptop);
    if (missing.length >= atLeast) return { index, id, missing };
  }
  throw new Error('no such case');
}

test('an answer that comes after the choice was taken back changes nothing', async () => {
  const { hold, selection } = await openList(300);
  const next = hold('cases.ids');
  const late = selection.all();
  selection.clear();
  await next();
  await late;
  expect(selection.ids.size).toBe(0);
  const again = selection.all();
  selection.toggle(3);
  await next();
  await again;
  expect(selection.ids.size).toBe(1);
});

test('all are chosen while the list has counted only some of them', async () => {
  const { handlers, cases, selection } = await openList(300);
  const { list } = handlers.cases;
  handlers.cases.list = async (input) => ({
    ...(await list(input)),
    ...(input.countMax !== undefined && { total: 101, totalIsExact: false, byStatus: {} }),
  });
  await cases.search();
  expect(cases.total).toBe(101);
  await selection.all();
  expect(selection.ids.size).toBeGreaterThan(250);
  expect(selection.cut).toBe(false);
});

test('more than can be chosen is reported as soon as it is counted', async () => {
  const { handlers, cases, selection } = await openList(10);
  const { list } = handlers.cases;
  handlers.cases.list = async (input) => ({ ...(await list(input)), total: 10_001 });
  await cases.search();
  await selection.all();
  expect(selection.cut).toBe(true);
});

test('a document that fails is counted and leaves the others their turn', async () => {
  const desk = await openList(60);
  const { client, handlers, selection } = desk;
  const { index, id, missing } = await caseLacking(desk, 2);
  const { fetch } = handlers.documents;
  handlers.documents.fetch = (input) =>
    input.documentId === missing[0]?.id
      ? Promise.reject(new DeskError('document_not_found'))
      : fetch(input);
  selection.toggle(index);
  await selection.fetchDocuments();
  expect(selection.fetched).toEqual({ count: missing.length - 1, failed: 1 });
  expect(selection.problem?.code).toBe('document_not_found');
  const { items } = await client.documents.list({ id });
  expect(items.filter(({ onLaptop }) => !onLaptop)).toMatchObject([{ id: missing[0]?.id }]);
});

test('without a network nothing further is tried', async () => {
  const desk = await openList(60);
  const { handlers, selection } = desk;
  handlers.documents.fetch = () => Promise.reject(new DeskError('offline', { host: 'x' }));
  selection.toggle((await caseLacking(desk, 2)).index);
  await selection.fetchDocuments();
  expect(selection.fetched).toEqual({ count: 0, failed: 1 });
});

test('fetching stops between two documents of one case', async () => {
  const desk = await openList(60);
  const { hold, selection } = desk;
  selection.toggle((await caseLacking(desk, 2)).index);
  const next = hold('documents.fetch');
  const run = selection.fetchDocuments();
  await next();
  selection.stop();
  await run;
  expect(selection.fetched).toEqual({ count: 1, failed: 0 });
});

test('a fetching that was given up reports nothing about the next one', async () => {
  const desk = await openList(60);
  const { hold, selection } = desk;
  const { index } = await caseLacking(desk, 2);
  const next = hold('documents.list');
  selection.toggle(index);
  const first = selection.fetchDocuments();
  selection.clear();
  expect(selection.fetching).toBeNull();
  selection.toggle(index);
  const second = selection.fetchDocuments();
  await next();
  await first;
  expect(selection.fetching).toEqual({ done: 1, total: 1 });
  expect(selection.fetched).toBeNull();
  selection.stop();
  await next();
  await second;
  expect(selection.fetching).toBeNull();
});

test('documents of the chosen cases are fetched, and exactly these cases exported', async () => {
  const { client, selection, idAt } = await openList(60);
  selection.toggle(1);
  selection.toggle(3);
  await selection.fetchDocuments();
  for (const id of [idAt(1), idAt(3)]) {
    const { items } = await client.documents.list({ id });
    expect(items.every(({ onLaptop }) => onLaptop)).toBe(true);
  }
  expect(selection.fetched?.count).toBeGreaterThan(0);
  expect(selection.fetched?.failed).toBe(0);
  const file = await selection.exportAs({ format: 'csv', language: 'de' });
  expect(await file?.text()).toBe([idAt(1), idAt(3)].join('\n'));
});

test('a view that another window deleted is not created again by its renaming', async () => {
  const { pinia, client, cases } = await openList(10);
  const views = useViewsStore(pinia);
  const { sort, descending } = cases.filter;
  await views.save({ name: 'Hagel', filter: { q: 'hagel' }, sort, descending, columns: [] });
  await views.load();
  const [view] = views.views;
  if (!view) throw new Error('no view');
  await client.views.remove({ id: view.id });
  // This window may have heard of it or not.
  for (const load of [() => Promise.resolve(), views.load]) {
    await load();
    const refusal = await views.rename(view.id, 'Hagel 2026').catch(toProblem);
    expect(refusal).toMatchObject({ code: 'view_not_found' });
  }
  expect((await client.views.list()).items).toEqual([]);
});
