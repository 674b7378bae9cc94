import { flushPromises } from '@vue/test-utils';
import { expect, test, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import DeskPalette from '#renderer/pages/DeskPalette.vue';
import { useReportsStore } from '#renderer/stores/reports-store.ts';
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

test('the cases come in the order of the engine, with the reason why they were found', async () => {
  const desk = createDesk({ count: 1 });
  const [first, second] = [named(1, 'ZH 1'), named(2, 'BE 7')];
  const asked: unknown[] = [];
  desk.handlers.cases.list = (input) => {
    if (input.bestFirst) asked.push([input.q, input.limit]);
    return { items: [first, second], total: 2, totalIsExact: true, byStatus: {} };
  };
  desk.handlers.cases.hits = ({ ids }) => ({
    items: ids
      .filter((id) => id === second.id)
      .map((id) => ({ id, hits: [{ field: 'comment', text: 'Halter Zürcher' }] })),
  });
  await openPalette(desk, 'zürcher');
  await vi.waitFor(() => expect(titles()[1]).toContain('Kommentar: Halter Zürcher'));
  expect(titles()[0]).toContain('K-1 · ZH 1');
  expect(asked).toContainEqual(['zürcher', 8]);
});

test('without a word it offers the cases of the last hour, and no pages of the navigation', async () => {
  const desk = createDesk({ count: 3 });
  const [id = '', other = ''] = desk.cases.keys();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T08:00:00Z') });
  try {
    const { wrapper } = await openPalette(desk, '');
    const cases = useCasesStore(desk.pinia);
    await cases.open(other);
    vi.setSystemTime(new Date('2026-03-02T08:50:00Z'));
    await cases.open(id);
    await cases.readAhead([...desk.cases.keys()][2] ?? '');
    await vi.waitFor(() =>
      expect(cases.recent(Date.now()).map((one) => one.id)).toEqual([id, other]),
    );
    vi.setSystemTime(new Date('2026-03-02T09:01:00Z'));
    expect(cases.recent(Date.now()).map((one) => one.id)).toEqual([id]);
    await wrapper.setProps({ modelValue: false });
    await wrapper.setProps({ modelValue: true });
    await flushPromises();
    expect(titles()[0]).toContain(desk.cases.get(id)?.externalKey);
    expect(titles().join()).not.toContain('Einstellungen');
  } finally {
    vi.useRealTimers();
  }
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

test('it says why a command failed', async () => {
  const desk = createDesk({ count: 1 });
  const [id = ''] = desk.cases.keys();
  const detail = desk.cases.get(id);
  if (detail) desk.cases.set(id, { ...detail, status: 'InProgress' });
  desk.handlers.reports.createDraft = () => {
    throw new DeskError('disk_full', {});
  };
  const { router } = await openPalette(desk, 'neuer bericht');
  await useCasesStore(desk.pinia).open(id);
  await router.push({ name: 'case', params: { id } });
  await flushPromises();
  press('Enter');
  const said = () => document.querySelector('[role=alert]')?.textContent;
  await vi.waitFor(() => expect(said()).toContain('voll'));
  await router.push({ name: 'today' });
  await flushPromises();
  expect(said()).toBeUndefined();
});

test('the reason of a failed command is closed by its button', async () => {
  const desk = createDesk({ count: 1 });
  const [id = ''] = desk.cases.keys();
  const detail = desk.cases.get(id);
  if (detail) desk.cases.set(id, { ...detail, status: 'InProgress' });
  desk.handlers.reports.createDraft = () => {
    throw new DeskError('disk_full', {});
  };
  const { router } = await openPalette(desk, 'neuer bericht');
  await useCasesStore(desk.pinia).open(id);
  await router.push({ name: 'case', params: { id } });
  await flushPromises();
  press('Enter');
  const alert = () => document.querySelector('[role=alert]');
  await vi.waitFor(() => expect(alert()).not.toBeNull());
  alert()?.querySelector<HTMLElement>('[aria-label=Schliessen]')?.click();
  await flushPromises();
  expect(alert()).toBeNull();
});

test('it leads from a case to the telephone of its draft', async () => {
  const desk = createDesk({ count: 3 });
  const [id = ''] = desk.cases.keys();
  const detail = desk.cases.get(id);
  if (detail) desk.cases.set(id, { ...detail, status: 'InProgress' });
  const draft = await useReportsStore(desk.pinia).createDraft(id);
  const { router } = await openPalette(desk, 'telefon');
  expect(titles()).not.toContain('Mit dem Telefon fotografieren');
  await useCasesStore(desk.pinia).open(id);
  await useReportsStore(desk.pinia).load(id);
  await router.push({ name: 'case', params: { id } });
  await vi.waitFor(() => expect(titles()).toContain('Mit dem Telefon fotografieren'));
  press('Enter');
  await vi.waitFor(() =>
    expect(router.currentRoute.value).toMatchObject({
      name: 'report',
      params: { draftId: draft.id },
      query: { telephone: '1' },
    }),
  );
});

test('it leads to the export of the list, with all of its cases chosen', async () => {
  const desk = createDesk({ count: 3 });
  const { router } = await openPalette(desk, 'export');
  // What the help says about it comes after the act.
  expect(titles().at(0)).toBe('Fälle der Liste exportieren');
  press('Enter');
  await vi.waitFor(() => expect(useSelectionStore(desk.pinia).ids.size).toBe(3));
  expect(router.currentRoute.value.name).toBe('cases');
});

test('a question is answered by the help, and leads to its section', async () => {
  const { router } = await openPalette(createDesk({ count: 1 }), 'kein internet');
  await vi.waitFor(() => expect(titles().some((title) => title.startsWith('Offline'))).toBe(true));
  press('Enter');
  await vi.waitFor(() => expect(router.currentRoute.value.name).toBe('help'));
  expect(router.currentRoute.value.query).toEqual({ at: 'wrong-offline' });
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
