import { flushPromises } from '@vue/test-utils';
import { expect, test, vi } from 'vitest';
import DeskPalette from '#renderer/pages/DeskPalette.vue';
import { useCasesStore } from '#renderer/stores/cases-store.ts';
import { useSelectionStore } from '#renderer/stores/selection-store.ts';
import { caseSummary } from '../../support/desk-records.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

const named = (at: number, licensePlate: string) =>
  caseSummary({
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    externalKey: `K-${at}`,
    partyName: `Party of ${licensePlate}`,
    licensePlate,
  });
/** The content of the palette; dialogs are next to the page. */
const titles = () => [...document.querySelectorAll('[role=option]')].map((one) => one.textContent);

test('a plate that is typed whole comes first, among thousands that begin alike', async () => {
  const desk = createDesk({ count: 1 });
  const others = Array.from({ length: 2000 }, (_, at) => named(at, `ZH 1${1000 + at}`));
  const exact = named(5000, 'ZH 1');
  desk.handlers.cases.list = ({ q, sort, descending, limit }) => {
    const found = [...others, exact].filter((one) =>
      one.licensePlate.toLowerCase().startsWith(q.toLowerCase()),
    );
    const byPlate = found.toSorted((a, b) => a.licensePlate.localeCompare(b.licensePlate));
    const sorted = sort === 'licensePlate' ? byPlate : found;
    const items = (descending ? sorted.toReversed() : sorted).slice(0, limit);
    return { items, total: found.length, totalIsExact: true, byStatus: {} };
  };
  await openPalette(desk, 'zh 1');
  await vi.waitFor(() => expect(titles()[0]).toContain('K-5000'));
  expect(titles().filter((title) => title.includes('ZH 1'))).toHaveLength(8);
});

test('what begins with the words comes after what is just them, and before the rest', async () => {
  const desk = createDesk({ count: 1 });
  const rest = Array.from({ length: 8 }, (_, at) => named(at, `BE ${at}`));
  const known = [named(20, 'ZH 1201'), named(21, 'ZH 1 201'), named(22, 'ZH 1')];
  desk.handlers.cases.list = ({ sort, limit }) => {
    const all = sort === 'licensePlate' ? known : rest;
    return {
      ...{ items: all.slice(0, limit), total: rest.length + known.length },
      ...{ totalIsExact: true, byStatus: {} },
    };
  };
  await openPalette(desk, 'zh 1');
  await vi.waitFor(() => expect(titles()[0]).toContain('K-22'));
  const keys = titles().flatMap((title) => /K-\d+/.exec(title)?.[0] ?? []);
  expect(keys).toEqual(['K-22', 'K-21', 'K-20', 'K-0', 'K-1', 'K-2', 'K-3', 'K-4']);
});

test('with an open case the palette leads to its amounts and its comment', async () => {
  const desk = createDesk({ count: 1 });
  const [id = ''] = desk.cases.keys();
  const page = document.createElement('div');
  page.innerHTML = `<section><h2 id="comment-title"></h2><textarea></textarea></section>`;
  document.body.append(page);
  const { router } = await openPalette(desk, 'komm');
  expect(titles().join()).not.toContain('Kommentar');
  await router.push({ name: 'case', params: { id } });
  await flushPromises();
  expect(titles().join()).toContain('Kommentar');
  const field = page.querySelector('textarea');
  if (field) field.scrollIntoView = () => undefined;
  document
    .querySelector('[role=combobox]')
    ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
  await flushPromises();
  expect(document.activeElement).toBe(field);
  page.remove();
});

test('it reopens a closed case that is open', async () => {
  const desk = createDesk({ count: 3 });
  const [id = ''] = desk.cases.keys();
  const detail = desk.cases.get(id);
  if (detail) desk.cases.set(id, { ...detail, status: 'Final' });
  const page = document.createElement('div');
  page.innerHTML = '<button id="reopen-case"></button>';
  document.body.append(page);
  const clicked = vi.fn();
  page.querySelector('button')?.addEventListener('click', clicked);
  const { router } = await openPalette(desk, 'wieder');
  const isOffered = () => titles().includes('Wieder öffnen');
  expect(isOffered()).toBe(false);
  await useCasesStore(desk.pinia).open(id);
  await router.push({ name: 'case', params: { id } });
  await flushPromises();
  expect(isOffered()).toBe(true);
  press('Enter');
  await vi.waitFor(() => expect(clicked).toHaveBeenCalledOnce());
  page.remove();
});

test('it leads to the export of the list, with all of its cases chosen', async () => {
  const desk = createDesk({ count: 3 });
  const { router } = await openPalette(desk, 'export');
  expect(titles()).toEqual(['Fälle der Liste exportieren']);
  press('Enter');
  await vi.waitFor(() => expect(useSelectionStore(desk.pinia).ids.size).toBe(3));
  expect(router.currentRoute.value.name).toBe('cases');
});

function press(key: string): void {
  const field = [...document.querySelectorAll('[role=combobox]')].at(-1);
  field?.dispatchEvent(new KeyboardEvent('keydown', { key }));
}

async function openPalette(desk: ReturnType<typeof createDesk>, words: string) {
  const mounted = mountPage(DeskPalette, desk, { modelValue: false });
  await mounted.wrapper.setProps({
    modelValue: true,
    'onUpdate:modelValue': (open: boolean) => void mounted.wrapper.setProps({ modelValue: open }),
  });
  await flushPromises();
  const field = document.querySelector<HTMLInputElement>('[role=combobox]');
  if (!field) throw new Error('the palette is not open');
  field.value = words;
  field.dispatchEvent(new Event('input'));
  await flushPromises();
  return mounted;
}
