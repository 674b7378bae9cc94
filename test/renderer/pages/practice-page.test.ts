import { flushPromises } from '@vue/test-utils';
import { expect, test } from 'vitest';
import type { PracticeState } from '#shared/desk/setup/practice.ts';
import { showLanguage } from '#renderer/i18n/create-i18n.ts';
import PracticePage from '#renderer/pages/PracticePage.vue';
import { createDesk, linked } from '../fixtures/mount-desk.ts';
import { buttonOf, mountPage } from '../fixtures/mount-page.ts';

const assigned: PracticeState = {
  network: 'normal',
  claims: [
    {
      id: '6f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10',
      externalKey: 'SF-2026-000062',
      partyName: 'Laurence Vuilleumier',
      category: 'vehicle',
      status: 'Assigned',
      lastChangedAt: '2026-06-01T08:00:00.000Z',
      acts: ['accept', 'reject'],
    },
  ],
  total: 1,
};

async function openPractice() {
  const desk = createDesk({ count: 1 });
  let state = assigned;
  desk.handlers.practice.state = () => state;
  desk.handlers.practice.setNetwork = ({ network }) => (state = { ...state, network });
  await linked(desk);
  desk.handlers.practice.act = () => state;
  const { wrapper, i18n } = mountPage(PracticePage, desk);
  await flushPromises();
  return { wrapper, i18n };
}

test('the next act of a claim stands next to its state, and the others in the menu at the end', async () => {
  const { wrapper } = await openPractice();
  const cells = wrapper.findAll('tbody tr > *').map((cell) => cell.findAll('button').length);
  const texts = wrapper.findAll('tbody tr > *').map((cell) => cell.text());
  expect(texts.slice(1, 3)).toEqual(['Zugeteilt', 'Annehmen']);
  expect(cells).toEqual([0, 0, 1, 0, 1]);
});

test('the page says what the chosen connection does to a request', async () => {
  const { wrapper } = await openPractice();
  expect(wrapper.text()).toContain('Jede Anfrage kommt sofort an.');
  await wrapper.get('input[value=off]').trigger('change');
  await flushPromises();
  expect(wrapper.text()).toContain('Keine Anfrage kommt an.');
  expect(wrapper.text()).not.toContain('Jede Anfrage kommt sofort an.');
});

test('what was done is said in the language of the window, also after it was changed', async () => {
  const { wrapper, i18n } = await openPractice();
  const said = () => wrapper.get('[aria-labelledby=practice-claims] [role=status]').text();
  await buttonOf(wrapper, 'Annehmen').trigger('click');
  await flushPromises();
  expect(said()).toBe('Erledigt: Annehmen, SF-2026-000062');
  await showLanguage(i18n, 'en');
  await flushPromises();
  expect(said()).toBe('Done: Accept, SF-2026-000062');
});
