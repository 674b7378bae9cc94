import { flushPromises } from '@vue/test-utils';
import { expect, test } from 'vitest';
import type { Insights } from '#shared/desk/cases/insights.ts';
import InsightsPage from '#renderer/pages/InsightsPage.vue';
import { useCasesStore } from '#renderer/stores/cases-store.ts';
import { useInsightsStore } from '#renderer/stores/insights-store.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';
import { buttonOf, mountPage } from '../fixtures/mount-page.ts';

const savings = {
  cases: 2,
  costEstimateRappen: 100_000,
  approvedRappen: 90_000,
  savingsRappen: 10_000,
};
const figures: Insights = {
  cases: 4,
  savingsByMonth: [{ key: '2026-05', ...savings }],
  savingsByCategory: [{ key: 'boat', ...savings }],
  openAges: [
    { key: '0', count: 0 },
    { key: '30', count: 3 },
  ],
  inspectionTypes: [
    { key: 'workshop', count: 3 },
    { key: '', count: 1 },
  ],
  statuses: [],
  returnsByInsurer: [{ key: '', reports: 2, returned: 1, reasons: [] }],
  returnsByCategory: [],
};

async function openInsights() {
  const desk = createDesk({ count: 4 });
  desk.handlers.cases.insights = () => figures;
  await linked(desk);
  const { wrapper } = mountPage(InsightsPage, desk);
  await flushPromises();
  const cases = useCasesStore(desk.pinia);
  const follow = async (table: string, row: string) => {
    const link = wrapper
      .get(`section[aria-labelledby=${table}]`)
      .findAll('tbody a')
      .find((one) => one.text() === row);
    if (!link) throw new Error(`no row ${row}`);
    await link.trigger('click');
    await flushPromises();
    return cases.filter;
  };
  return { desk, wrapper, cases, follow, store: useInsightsStore(desk.pinia) };
}

test('the row of cases without a value leads to those, and the list names what it shows', async () => {
  const { follow, wrapper } = await openInsights();
  expect(await follow('inspectionTypes', 'Im Reparaturbetrieb')).toMatchObject({
    inspectionType: 'workshop',
    insurer: null,
  });
  expect(await follow('inspectionTypes', 'keine Angabe')).toMatchObject({ inspectionType: '' });
  expect(await follow('returnsByInsurer', 'keine Angabe')).toMatchObject({
    insurer: '',
    inspectionType: null,
  });
  // A word that the list has no filter for leads nowhere.
  expect(wrapper.get('section[aria-labelledby=savingsByCategory] tbody').find('a').exists()).toBe(
    false,
  );
});

test('a row’s days are narrowed by the days of the filter that stands', async () => {
  const { follow, store } = await openInsights();
  Object.assign(store.filter, { createdFrom: '2026-05-10', createdTo: '2026-12-31' });
  await flushPromises();
  expect(await follow('savingsByMonth', '05.2026')).toMatchObject({
    createdFrom: '2026-05-10',
    createdTo: '2026-05-31',
  });
});

test('a chip that is removed leaves the focus on the next one, and the last on the filters', async () => {
  const { wrapper, store } = await openInsights();
  Object.assign(store.filter, { insurer: '', open: true, amountsMissing: true });
  await flushPromises();
  const chip = (name: string) => buttonOf(wrapper, `Filter entfernen: ${name}`);
  const names = ['Versicherer: keine Angabe', 'Nur offene Fälle'];
  chip(names[0] ?? '').element.focus();
  await chip(names[0] ?? '').trigger('click');
  await flushPromises();
  expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Filter entfernen: /);
  for (const left of [1, 0]) {
    (document.activeElement as HTMLElement).click();
    await flushPromises();
    expect(wrapper.findAll('.set')).toHaveLength(left);
  }
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Filter');
});
