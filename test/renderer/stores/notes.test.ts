import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeskError } from '#shared/desk/errors.ts';
import CaseNote from '#renderer/pages/case/CaseNote.vue';
import { createDesk, linked } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

test('a note is stored with every key, also after the engine has failed, and is its case’s own', async () => {
  const desk = createDesk({ count: 2 });
  const [first = '', second = ''] = desk.cases.keys();
  const { wrapper } = mountPage(CaseNote, desk, { caseId: first });
  const field = () => wrapper.get('textarea');
  expect(field().attributes('readonly')).toBeDefined();
  await flushPromises();
  expect(field().attributes('readonly')).toBeUndefined();
  const { set } = desk.handlers.notes;
  desk.handlers.notes.set = () => {
    throw new DeskError('disk_full');
  };
  await field().setValue('dog, back door');
  await flushPromises();
  expect(wrapper.text()).toContain('Wird gespeichert');
  desk.handlers.notes.set = set;
  await vi.runAllTimersAsync();
  await flushPromises();
  expect(wrapper.text()).toContain('Gespeichert');
  await wrapper.setProps({ caseId: second });
  await flushPromises();
  expect(field().element.value).toBe('');
  await wrapper.setProps({ caseId: first });
  await flushPromises();
  expect(field().element.value).toBe('dog, back door');

  // What another window stored is not typed over.
  await set({ id: first, text: 'dog, back door; key at the neighbour' });
  await field().trigger('focus');
  await flushPromises();
  expect(field().element.value).toBe('dog, back door; key at the neighbour');
});

test('a note is read again if the workspace was opened anew under its case', async () => {
  const desk = createDesk({ count: 1 });
  const [id = ''] = desk.cases.keys();
  await desk.handlers.notes.set({ id, text: 'dog' });
  const { wrapper } = mountPage(CaseNote, desk, { caseId: id });
  await linked(desk);
  await desk.handlers.notes.set({ id, text: 'dog, back door' });
  desk.emit({ type: 'workspace.changed' });
  await flushPromises();
  expect(wrapper.get('textarea').element.value).toBe('dog, back door');
});
