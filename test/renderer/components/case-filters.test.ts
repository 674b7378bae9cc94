import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nextTick } from 'vue';
import { everything } from '#renderer/composables/case-filter.ts';
import CaseFilters from '#renderer/components/list/CaseFilters.vue';
import { mountView } from '../fixtures/mount-view.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const filter = { ...everything, sort: 'lastChangedAt', descending: true };

test('the first letter is searched at once, the letters of one moment together', async () => {
  const wrapper = mountView(CaseFilters, {
    props: { filter, filtered: false, insurers: [], byStatus: {}, total: null },
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
  wrapper.unmount();
});
