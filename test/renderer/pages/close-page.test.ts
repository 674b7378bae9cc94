import { flushPromises } from '@vue/test-utils';
import { expect, test, vi } from 'vitest';
import ClosePage from '#renderer/pages/close/ClosePage.vue';
import { useSyncStore } from '#renderer/stores/sync-store.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';
import { buttonOf, mountPage } from '../fixtures/mount-page.ts';

/** The page over a desk in which two cases have typed texts, and one has a report with a file. */
async function openClose() {
  const desk = createDesk({ count: 12 });
  const [first = '', second = '', third = ''] = desk.cases.keys();
  await desk.client.edits.save({ id: first, comment: 'a dent' });
  await desk.client.edits.save({ id: second, comment: 'a scratch' });
  await desk.client.reports.createDraft({ id: third });
  await linked(desk);
  void useSyncStore(desk.pinia).load();
  const page = mountPage(ClosePage, desk);
  await flushPromises();
  const { wrapper } = page;
  const titles = () => wrapper.findAll('h2').map((head) => head.text().replace(/\s+/g, ' '));
  const press = async (key: string) => {
    window.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }));
    await flushPromises();
  };
  return { ...desk, ...page, titles, press, ids: [first, second, third] };
}

test('everything unfinished has its line and its act, most urgent first', async () => {
  const { wrapper, titles } = await openClose();
  expect(titles()).toEqual(['Erfasst, nicht gespeichert 2', 'Berichte, nicht eingereicht 1']);
  expect(wrapper.findAll('.main-act').map((act) => act.text())).toEqual([
    'Speichern',
    'Speichern',
    'Öffnen',
  ]);
  expect(wrapper.get('[role=status]').text()).toContain('3 Sachen sind noch offen.');
});

test('by keys alone: the next entry, its act, and the one after it has the focus', async () => {
  const { wrapper, press, titles } = await openClose();
  const acts = () => wrapper.findAll('.main-act').map(({ element }) => element);
  expect(document.activeElement).toBe(acts()[0]);
  await press('ArrowDown');
  expect(document.activeElement).toBe(acts()[1]);
  await press('ArrowUp');
  await wrapper.findAll('.main-act')[0]?.trigger('click');
  await vi.waitUntil(() => titles().includes('Erfasst, nicht gespeichert 1'));
  await flushPromises();
  expect(document.activeElement).toBe(acts()[0]);
  expect(titles()).toContain('Wird gesendet oder wartet 1');
});

test('a fault stands in its line, and all that is typed stays', async () => {
  const { wrapper, handlers, titles } = await openClose();
  handlers.cases.saveTyped = () => {
    const params = { field: 'approvedRappen', value: '12 apples', max: 1 };
    throw new DeskError('amount_not_a_number', params);
  };
  await buttonOf(wrapper, 'Alle speichern').trigger('click');
  await flushPromises();
  expect(wrapper.get('.entry-line [role=alert]').text()).toContain('12 apples');
  expect(titles()[0]).toBe('Erfasst, nicht gespeichert 2');
});

test('a postponed entry stands below with its reason, and comes back', async () => {
  const { wrapper, press, titles } = await openClose();
  await press('v');
  const reason = document.querySelector<HTMLElement>('.act-dialog .actions button');
  reason?.click();
  await vi.waitUntil(() => titles().includes('Auf morgen verschoben 1'));
  await flushPromises();
  expect(wrapper.text()).toContain('Verschoben: Unterlagen fehlen');
  await buttonOf(wrapper, 'Heute noch').trigger('click');
  await vi.waitUntil(() => !titles().includes('Auf morgen verschoben 1'));
});

test('all is called delivered only if nothing waits and the insurer was read since', async () => {
  const desk = createDesk({ count: 1 });
  await linked(desk);
  void useSyncStore(desk.pinia).load();
  const { wrapper } = mountPage(ClosePage, desk);
  await flushPromises();
  const end = () => wrapper.get('[role=status]').text();
  expect(end()).toContain('Alles ist zugestellt und beim Versicherer gesehen.');
  const sync = useSyncStore(desk.pinia);
  const { status } = sync;
  if (status) sync.status = { ...status, delivery: { ...status.delivery, unseen: 2 } };
  await flushPromises();
  expect(end()).toContain('beim Versicherer aber noch nicht nachgesehen');
  expect(end()).not.toContain('Alles ist zugestellt');
});
