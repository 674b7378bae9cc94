import { nextTick } from 'vue';
import { expect, test, afterEach, beforeEach, vi, describe } from 'vitest';
import VirtualRows from '#renderer/components/list/VirtualRows.vue';
import { mountView } from '../fixtures/mount-view.ts';
import { everything } from '#renderer/composables/case-filter.ts';
import CaseFilters from '#renderer/components/list/CaseFilters.vue';
import HitLine from '#renderer/components/list/HitLine.vue';

const mountRows = (props: Record<string, unknown> = {}) =>
  mountView(VirtualRows, {
    props: { count: 100_000, rowHeight: 78, active: 3, label: 'Fälle', ...props },
    slots: { default: ({ index }: { index: number }) => `row ${index}` },
  });

test('a hundred thousand rows cost a handful of elements', async () => {
  const view = mountRows();
  await nextTick();
  expect(view.findAll('[role=option]').length).toBeLessThan(40);
  expect(view.find('[role=option]').attributes('aria-setsize')).toBe('100000');
  expect(view.emitted('range')?.[0]?.[0]).toBe(0);
});

test('scrolling shows other rows, and few of those that were left', async () => {
  const view = mountRows();
  const list = view.find('[role=listbox]');
  list.element.scrollTop = 78 * 5000;
  await list.trigger('scroll');
  const shown = view.findAll('[role=option]').map((row) => Number(row.attributes('aria-posinset')));
  expect(shown).toContain(5001);
  expect(Math.min(...shown)).toBeGreaterThan(4980);
});

test('rows that scroll out of sight are used again for those that come, in their order', async () => {
  const view = mountRows();
  const list = view.find('[role=listbox]');
  const rowsAt = async (index: number) => {
    list.element.scrollTop = 78 * index;
    await list.trigger('scroll');
    return view.findAll('[role=option]');
  };
  const before = await rowsAt(5000);
  const after = await rowsAt(5005);
  expect(new Set(after.map(({ element }) => element))).toEqual(
    new Set(before.map(({ element }) => element)),
  );
  const places = after.map((row) => Number(row.attributes('aria-posinset')));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(after.map((row) => row.text())).toEqual(places.map((place) => `row ${place - 1}`));
});

test.each([
  ['ArrowDown', 4],
  ['ArrowUp', 2],
  ['Home', 0],
  ['End', 99_999],
])('%s moves the choice', async (key, target) => {
  const view = mountRows();
  await view.find('[role=listbox]').trigger('keydown', { key });
  expect(view.emitted('move')).toEqual([[target, false]]);
});

test('the choice stays inside the list', async () => {
  const view = mountRows({ active: 0, count: 1 });
  await view.find('[role=listbox]').trigger('keydown', { key: 'ArrowUp' });
  await view.find('[role=listbox]').trigger('keydown', { key: 'ArrowDown' });
  expect(view.emitted('move')).toEqual([
    [0, false],
    [0, false],
  ]);
});

test('Enter opens the case; other keys do nothing', async () => {
  const view = mountRows();
  const list = view.find('[role=listbox]');
  await list.trigger('keydown', { key: 'Enter' });
  await list.trigger('keydown', { key: 'a' });
  await list.trigger('keydown', { key: 'Home', ctrlKey: true });
  expect(view.emitted('enter')).toHaveLength(1);
  expect(view.emitted('move')).toBeUndefined();
});

test('the chosen row is named to assistive technology', () => {
  const view = mountRows();
  expect(view.find('[role=listbox]').attributes('aria-activedescendant')).toBe('row-3');
  expect(view.find('#row-3').attributes('aria-selected')).toBe('true');
});

test('the keyboard chooses several rows', async () => {
  const view = mountRows();
  const list = view.find('[role=listbox]');
  await list.trigger('keydown', { key: 'ArrowDown', shiftKey: true });
  await list.trigger('keydown', { key: ' ' });
  await list.trigger('keydown', { key: 'a', ctrlKey: true });
  await list.trigger('keydown', { key: 'Escape' });
  expect(view.emitted('move')).toEqual([[4, true]]);
  expect(view.emitted('toggle')).toEqual([[3]]);
  expect(view.emitted('all')).toHaveLength(1);
  expect(view.emitted('clear')).toHaveLength(1);
});

test('while several are being chosen a click anywhere on a row chooses it, and opens nothing', async () => {
  const view = mountRows({ isChosen: () => false, choosing: true });
  await nextTick();
  const [, second, third] = view.findAll('[role=option]');
  await second?.trigger('click');
  await third?.trigger('click', { shiftKey: true });
  expect(view.emitted('toggle')).toEqual([[1]]);
  expect(view.emitted('move')).toEqual([[2, true]]);
});

test('a click chooses one more with the control key, and a stretch with the shift key', async () => {
  const view = mountRows({ isChosen: (index: number) => index === 2 });
  await nextTick();
  const [first, second] = view.findAll('[role=option]');
  await first?.trigger('click', { ctrlKey: true });
  await second?.trigger('click', { shiftKey: true });
  expect(view.emitted('toggle')).toEqual([[0]]);
  expect(view.emitted('move')).toEqual([[1, true]]);
  expect(view.findAll('[aria-selected=true]')).toHaveLength(1);
});

test('with a head it is a table that counts its rows', async () => {
  const view = mountView(VirtualRows, {
    props: { count: 10, rowHeight: 40, active: 0, label: 'Fälle', headHeight: 36 },
    slots: { default: () => 'row', head: () => 'head' },
  });
  await nextTick();
  expect(view.find('[role=grid]').attributes('aria-rowcount')).toBe('11');
  expect(view.find('[role=row]').attributes('aria-rowindex')).toBe('2');
});

describe('the filters', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const filter = { ...everything, sort: 'lastChangedAt', descending: true };

  test('the first letter is searched at once, the letters of one moment together', async () => {
    const wrapper = mountView(CaseFilters, {
      props: { filter, filtered: false, insurers: [], handlers: [], byStatus: {}, total: null },
    });
    const asked = () => wrapper.emitted<[{ q: string }]>('change')?.map(([{ q }]) => q) ?? [];
    const field = wrapper.get('input[type=search]');
    await field.setValue('z');
    await nextTick();
    expect(asked()).toEqual(['z']);
    await wrapper.setProps({ filter: { ...filter, q: 'z' } });
    for (const text of ['zü', 'zür']) await field.setValue(text);
    expect(asked()).toEqual(['z']);
    await vi.runAllTimersAsync();
    expect(asked()).toEqual(['z', 'zür']);
  });
});

test('each set filter is a chip that removes it', async () => {
  const filter = { ...everything, sort: 'lastChangedAt', descending: true };
  const view = mountView(CaseFilters, {
    props: { filter, filtered: false, insurers: [], handlers: [], byStatus: {}, total: 60 },
  });
  const chips = () => view.findAll('.set');
  expect(chips()).toEqual([]);
  // What is searched and whose cases are shown stands next to them.
  const set = {
    q: 'zür',
    own: true,
    status: 'Final',
    amountsMissing: true,
    createdTo: '2026-03-31',
  };
  await view.setProps({ filter: { ...filter, ...set }, filtered: true });
  expect(chips().map((chip) => chip.text())).toEqual([
    'Abgeschlossen',
    'Erstellt bis 31.03.2026',
    'Ohne Beträge',
  ]);
  await chips()[1]?.trigger('click');
  expect(view.emitted('change')).toEqual([[{ createdTo: '' }]]);
});

test.each([
  [{ field: 'name', section: 'workshop' }, 'Reparaturbetrieb, Name: Garage Frei'],
  [{ field: 'name', section: 'insured' }, 'Versicherte Person, Name: Garage Frei'],
  [{ field: 'name' }, 'Name: Garage Frei'],
  [{ field: 'name', section: 'somethingNew' }, 'Name: Garage Frei'],
  [{ field: 'insurer' }, 'Versicherer: Garage Frei'],
])('a hit names its case: %j', (place, text) => {
  const view = mountView(HitLine, {
    props: { q: 'frei', hits: [{ ...place, text: 'Garage Frei' }] },
  });
  expect(view.text()).toBe(text);
});
