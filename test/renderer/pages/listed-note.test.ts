import { flushPromises } from '@vue/test-utils';
import { expect, test } from 'vitest';
import ListedNote from '#renderer/pages/case/ListedNote.vue';
import { useSyncStore } from '#renderer/stores/sync-store.ts';
import { createDesk, linked } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

const texts = { empty: 'Keine.', notListed: 'Nie gelesen.' };
const read = '2026-11-29T06:00:00.000Z';

test.each([
  ['offline', null, true, ['Nie gelesen.', 'Sie erscheinen, sobald Sie online sind.']],
  ['offline', null, false, ['Nie gelesen.', 'Sie erscheinen, sobald Sie online sind.']],
  ['offline', read, true, ['Keine.', 'Stand:']],
  ['offline', read, false, ['Stand:']],
  ['online', null, true, ['Nie gelesen.']],
  ['online', null, false, []],
  ['online', read, true, ['Keine.']],
  ['online', read, false, []],
] as const)('%s, read %s, empty %s: %j', async (network, listedAt, isEmpty, said) => {
  const desk = createDesk({ count: 1 });
  await linked(desk);
  const sync = useSyncStore(desk.pinia);
  desk.setStatus({ network });
  await sync.load();
  const { wrapper } = mountPage(ListedNote, desk, { listedAt, isEmpty, texts });
  await flushPromises();
  const all = ['Keine.', 'Nie gelesen.', 'Sie erscheinen, sobald Sie online sind.', 'Stand:'];
  expect(all.filter((text) => wrapper.text().includes(text)).toSorted()).toEqual(said.toSorted());
});
