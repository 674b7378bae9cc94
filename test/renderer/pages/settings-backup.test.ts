import { flushPromises } from '@vue/test-utils';
import { expect, test } from 'vitest';
import type { RestoredWork } from '#shared/desk/work-package.ts';
import SettingsPage from '#renderer/pages/settings/SettingsPage.vue';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

const taken: RestoredWork = {
  createdAt: '2026-03-02T07:00:00.000Z',
  entries: 3,
  drafts: 1,
  files: 2,
  known: 0,
  superseded: 0,
};

/** The settings of a desk whose work was damaged. */
async function openBackups() {
  const desk = createDesk({ count: 1 });
  const { tools } = desk.handlers;
  const decided: unknown[] = [];
  let items = [
    { id: 'quarantine-1', backedUpAt: taken.createdAt, entries: 3, drafts: 1, views: 1200 },
  ];
  tools.workBackups = () => ({ items, total: items.length });
  tools.decideOnWorkBackup = (input) => {
    decided.push(input);
    items = [];
    return input.decision === 'take' ? taken : null;
  };
  const { wrapper } = mountPage(SettingsPage, desk, { section: 'backup' });
  await flushPromises();
  const panel = () => wrapper.find('section[aria-label="Beschädigte Arbeit"]');
  const press = async (text: string) => {
    await panel()
      .findAll('button')
      .find((one) => one.text() === text)
      ?.trigger('click');
    await flushPromises();
  };
  return { wrapper, panel, press, decided };
}

test.each([
  ['Zurückholen', 'take', 'Eingelesen: 3 Einträge, 1 Entwürfe. Schon hier: 0.'],
  ['Liegen lassen', 'leave', 'Die Sicherung wird nicht mehr angeboten.'],
] as const)('a backup of damaged work: %s', async (button, decision, said) => {
  const { wrapper, panel, press, decided } = await openBackups();
  expect(panel().text()).toContain('Einträge: 3, Entwürfe: 1, gespeicherte Ansichten: 1’200.');
  await press(button);
  expect(decided).toEqual([{ id: 'quarantine-1', decision }]);
  expect(panel().exists()).toBe(false);
  expect(wrapper.get('[role=status]').text()).toContain(said);
  wrapper.unmount();
});

test('nothing is offered if nothing was damaged', async () => {
  const { wrapper } = mountPage(SettingsPage, createDesk({ count: 1 }), { section: 'backup' });
  await flushPromises();
  expect(wrapper.text()).toContain('Unzugestellte Arbeit sichern');
  expect(wrapper.text()).not.toContain('Beschädigte Arbeit');
  wrapper.unmount();
});
