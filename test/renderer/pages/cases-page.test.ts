import { flushPromises } from '@vue/test-utils';
import { expect, test, vi } from 'vitest';
import { everyCaseIsOwn } from '#shared/desk/cases/own-cases.ts';
import CaseRow from '#renderer/components/list/CaseRow.vue';
import CasesPage from '#renderer/pages/cases/CasesPage.vue';
import { useCasesStore } from '#renderer/stores/cases-store.ts';
import { caseSummary } from '../../support/desk-records.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { buttonOf, mountPage } from '../fixtures/mount-page.ts';
import { mountView } from '../fixtures/mount-view.ts';

test('a case that is opened from Today is marked in the list, which stands on Mine', async () => {
  const desk = createDesk({ count: 400 });
  const total = desk.cases.size;
  desk.handlers.own.get = () => ({
    rule: everyCaseIsOwn,
    responsibles: [],
    own: total - 1,
    total,
  });
  const cases = useCasesStore(desk.pinia);
  cases.filter.q = 'nothing has these words';
  const { ids } = await desk.client.cases.ids({ limit: 10_000 });
  const place = ids.length - 5;
  const id = ids[place] ?? '';
  const { wrapper, router } = mountPage(CasesPage, desk);
  await router.push({ name: 'case', params: { id }, query: { from: 'today' } });
  await wrapper.setProps({ id });
  await vi.waitFor(() =>
    expect(wrapper.get('[role=option][aria-selected=true]').attributes('aria-posinset')).toBe(
      String(place + 1),
    ),
  );
  expect(cases.filter).toMatchObject({ q: '', own: true });
  // The address is the case's own: a reload changes no filter.
  await vi.waitFor(() => expect(router.currentRoute.value.query).toEqual({}));
  await flushPromises();
});

test('a long model leaves the licence plate in the row', () => {
  const subject = 'Land Rover Defender 110 Hard Top Softback Heritage Edition';
  const view = mountView(CaseRow, {
    props: {
      summary: caseSummary({ subject, licensePlate: 'ZH 123456', place: 'Zürich' }),
      selected: false,
      unsaved: false,
      saysStatus: true,
      chosen: null,
      q: '',
      hits: [],
      conflict: '',
    },
  });
  // The model may be cut off; the plate may not.
  const truncated = view.findAll('.truncate').map((one) => one.text());
  expect(truncated).toContain(subject);
  expect(truncated).not.toContainEqual(expect.stringContaining('ZH 123456'));
  expect(view.text()).toContain('ZH 123456');
});

test('a status that all rows have is said by the filter, and to a screen reader by the row', async () => {
  const desk = createDesk({ count: 3 });
  for (const [id, detail] of desk.cases) desk.cases.set(id, { ...detail, status: 'InProgress' });
  const cases = useCasesStore(desk.pinia);
  const { wrapper } = mountPage(CasesPage, desk);
  const row = () => wrapper.get('[role=option]');
  await vi.waitFor(() => expect(row().find('.chip').exists()).toBe(true));
  Object.assign(cases.filter, { status: 'InProgress' });
  await vi.waitFor(() => expect(row().find('.chip').exists()).toBe(false));
  expect(row().text()).toContain('In Arbeit');
});

test('at the turn of the year a day is read by the clocks of Switzerland', () => {
  vi.useFakeTimers({ now: Date.parse('2026-12-31T23:30:00Z'), toFake: ['Date'] });
  try {
    const shownDay = (inspectionDate: string) =>
      mountView(CaseRow, {
        props: {
          summary: caseSummary({ inspectionDate }),
          selected: false,
          unsaved: false,
          saysStatus: true,
          chosen: null,
          q: '',
          hits: [],
          conflict: '',
        },
      }).text();
    expect(shownDay('2026-12-30')).toContain('30.12.2026');
    expect(shownDay('2027-01-02')).not.toContain('02.01.2027');
  } finally {
    vi.useRealTimers();
  }
});

test('a search that finds nothing names the filter that is still on, and searches without it', async () => {
  const desk = createDesk({ count: 40 });
  const { items } = await desk.client.cases.list({});
  const [found] = items;
  if (!found) throw new Error('no case');
  const list = desk.handlers.cases.list.bind(desk.handlers.cases);
  desk.handlers.cases.list = (input) =>
    input.status === undefined && !input.q.includes('nothing')
      ? list(input)
      : { items: [], total: 0, totalIsExact: true, byStatus: {} };
  const cases = useCasesStore(desk.pinia);
  const q = found.externalKey;
  Object.assign(cases.filter, { q, status: 'Final', amountsMissing: true });
  const { wrapper } = mountPage(CasesPage, desk);
  await vi.waitFor(() => expect(wrapper.text()).toContain('Keine Treffer'));
  expect(wrapper.text()).toContain('Der Filter ist noch an: ');
  expect(wrapper.text()).toMatch(/noch an: .+, .*Betr/);
  await buttonOf(wrapper, 'In allen Fällen suchen').trigger('click');
  await vi.waitFor(() => expect(wrapper.text()).not.toContain('Keine Treffer'));
  expect(cases.filter).toMatchObject({ q, status: null, amountsMissing: false });
  // Without a filter there is nothing to turn off.
  await cases.resetFilter({ q: 'nothing has these words' });
  await vi.waitFor(() => expect(wrapper.text()).toContain('Passen Sie die Suche'));
  expect(wrapper.text()).not.toContain('In allen Fällen suchen');
  await flushPromises();
});
