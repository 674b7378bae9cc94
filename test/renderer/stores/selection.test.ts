import { expect, test } from 'vitest';
import { useCasesStore } from '#renderer/stores/cases-store.ts';
import { useSelectionStore } from '#renderer/stores/selection-store.ts';
import { useViewsStore } from '#renderer/stores/views-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';

/** Stores over a list that has been looked at. */
async function openList(count: number) {
  const desk = createDesk({ count });
  const cases = desk.app.runWithContext(() => useCasesStore(desk.pinia));
  const selection = desk.app.runWithContext(() => useSelectionStore(desk.pinia));
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

test('documents of the chosen cases are fetched, and exactly these cases exported', async () => {
  const { client, selection, idAt } = await openList(60);
  selection.toggle(1);
  selection.toggle(3);
  await selection.fetchDocuments();
  for (const id of [idAt(1), idAt(3)]) {
    const { items } = await client.documents.list({ id });
    expect(items.every(({ onLaptop }) => onLaptop)).toBe(true);
  }
  expect(selection.fetched).toBeGreaterThan(0);
  const file = await selection.exportAs({ format: 'csv', language: 'de' });
  expect(await file?.text()).toBe([idAt(1), idAt(3)].join('\n'));
});

test('a view brings back filter, order and columns', async () => {
  const { app, pinia, cases } = await openList(60);
  const views = app.runWithContext(() => useViewsStore(pinia));
  Object.assign(cases.filter, { category: 'vehicle', archived: false });
  await cases.sortBy('partyName');
  const { sort, descending } = cases.filter;
  const columns = ['partyName'];
  expect(
    await views.save({ name: 'Fahrzeuge', filter: cases.filterAsked(), sort, descending, columns }),
  ).toBe(true);
  await views.load();
  await cases.resetFilter({ sort: 'lastChangedAt', descending: true });
  const [view] = views.views;
  if (view) await cases.applyView(view);
  expect(cases.filter).toMatchObject({
    category: 'vehicle',
    archived: false,
    sort: 'partyName',
    descending: false,
    status: null,
  });
});

test('sorting by a column begins as it is read, and turns round', async () => {
  const { cases } = await openList(10);
  await cases.sortBy('costEstimateAmount');
  expect(cases.filter).toMatchObject({ sort: 'costEstimateAmount', descending: true });
  await cases.sortBy('partyName');
  expect(cases.filter.descending).toBe(false);
  await cases.sortBy('partyName');
  expect(cases.filter.descending).toBe(true);
});
