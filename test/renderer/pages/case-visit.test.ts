import { flushPromises } from '@vue/test-utils';
import { expect, test, vi } from 'vitest';
import CaseVisit from '#renderer/pages/case/CaseVisit.vue';
import { createDesk, linked } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

test('time and note of a visit are set in its case, and Enter saves the note', async () => {
  const desk = createDesk({ count: 2 });
  const [caseId = ''] = desk.cases.keys();
  const { items } = await desk.engine.cases.list({});
  const summary = items.find(({ id }) => id === caseId);
  if (!summary) throw new Error('no case');
  const contact = {
    name: '',
    phone: '',
    email: '',
    street: '',
    postalCode: '',
    city: '',
    homePostalCode: '',
  };
  let visit = { summary, contact, time: null as string | null, note: '' };
  desk.handlers.day.visits = () => ({ items: [visit], total: 1 });
  const set: unknown[] = [];
  desk.handlers.day.setVisit = ({ time = visit.time, note = visit.note }) => {
    set.push({ time, note });
    visit = { ...visit, time, note };
    return {};
  };
  await linked(desk);
  const { wrapper } = mountPage(CaseVisit, desk, { caseId });
  await flushPromises();
  const field = wrapper.get('input.time-field');
  await field.setValue('1015');
  await flushPromises();
  expect(set.splice(0)).toEqual([{ time: '10:15', note: '' }]);
  // Nobody can be told of a visit without a number or an address.
  expect(wrapper.find('[aria-label="Besuch ankünden"]').exists()).toBe(false);

  await wrapper.get('[aria-label="Zeit und Notiz"]').trigger('click');
  const dialog = () => document.querySelector('[role=dialog]');
  await vi.waitFor(() => expect(dialog()?.querySelector('textarea')).toBeTruthy());
  const note = dialog()?.querySelector('textarea');
  if (!note) throw new Error('the dialog has no note');
  note.value = 'Hintereingang';
  note.dispatchEvent(new Event('input'));
  const enter = (init: KeyboardEventInit) =>
    note.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }),
    );
  // With Shift it is a line of the note.
  expect(enter({ shiftKey: true })).toBe(true);
  expect(set).toEqual([]);
  expect(enter({})).toBe(false);
  await vi.waitFor(() => expect(set).toEqual([{ time: '10:15', note: 'Hintereingang' }]));
  await vi.waitFor(() => expect(wrapper.text()).toContain('Hintereingang'));
});
