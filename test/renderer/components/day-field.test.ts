import { expect, test } from 'vitest';
import DayField from '#renderer/components/common/DayField.vue';
import { parseDay } from '#shared/i18n/format.ts';
import { mountView } from '../fixtures/mount-view.ts';

test.each([
  ['9.3.2026', '2026-03-09'],
  ['09.03.26', '2026-03-09'],
  ['09032026', '2026-03-09'],
  ['9/3/2026', '2026-03-09'],
  [' 2026-03-09 ', '2026-03-09'],
  ['29.02.2028', '2028-02-29'],
  ['29.02.2026', null],
  ['31.04.2026', null],
  ['03.13.2026', null],
  ['9.3', null],
  ['morgen', null],
  ['', null],
])('%s is the day %s', (text, day) => {
  expect(parseDay(text)).toBe(day);
});

test('a day is typed and shown as in Switzerland', async () => {
  const view = mountView(DayField, { props: { modelValue: '2026-03-09', label: 'Ab' } });
  const input = view.find('input');
  expect(input.element.value).toBe('09.03.2026');
  await input.setValue('1.4.26');
  await input.trigger('blur');
  expect(view.emitted('update:modelValue')).toEqual([['2026-04-01']]);
  expect(input.element.value).toBe('01.04.2026');
  await input.setValue('');
  expect(view.emitted('update:modelValue')?.at(-1)).toEqual(['']);
});

test('what is no day is refused with a sentence, and the last day stays', async () => {
  const view = mountView(DayField, { props: { modelValue: '2026-03-09', label: 'Ab' } });
  const input = view.find('input');
  await input.setValue('31.02.2026');
  expect(view.text()).not.toContain('Kein Datum');
  await input.trigger('blur');
  expect(view.text()).toContain('Ungültiges Datum');
  expect(view.emitted('update:modelValue')).toBeUndefined();
});

test('a day before the beginning of its range is reported, once it is typed', async () => {
  const view = mountView(DayField, {
    props: { modelValue: '2026-03-01', label: 'Bis', from: '2026-03-09' },
  });
  expect(view.text()).toContain('liegt vor dem Anfang (09.03.2026)');
  await view.setProps({ modelValue: '2026-03-09' });
  expect(view.text()).not.toContain('liegt vor dem Anfang');
  await view.setProps({ modelValue: '2026-03-01', from: '' });
  expect(view.text()).not.toContain('liegt vor dem Anfang');
});
