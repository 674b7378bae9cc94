import { flushPromises } from '@vue/test-utils';
import { expect, test, vi } from 'vitest';
import type { DeskUpdate, InstallMoment } from '#shared/desk/setup/update.ts';
import UpdateLine from '#renderer/pages/UpdateLine.vue';
import AboutSettings from '#renderer/pages/settings/AboutSettings.vue';
import { createDesk, linked } from '../fixtures/mount-desk.ts';
import { buttonOf, mountPage } from '../fixtures/mount-page.ts';

/** A desk whose shell knows a newer version. */
function deskWith(update: DeskUpdate | null) {
  const desk = createDesk({ count: 1 });
  const chosen: InstallMoment[] = [];
  let found = update;
  desk.handlers.desk.update = () => found;
  desk.handlers.desk.installUpdate = ({ when }) => {
    chosen.push(when);
    if (found && when === 'start') found = { ...found, by: 'start' };
    return found;
  };
  const tell = (next: DeskUpdate | null) => {
    found = next;
    desk.emit({ type: 'update.changed' });
  };
  return { desk, chosen, tell };
}
const version = '2.0.0';

test('a version that is ready is offered now and for the next start', async () => {
  const { desk, chosen, tell } = deskWith(null);
  await linked(desk);
  const { wrapper } = mountPage(UpdateLine, desk);
  await flushPromises();
  expect(wrapper.text()).toBe('');
  tell({ version, by: 'user', hasFailed: false });
  await vi.waitFor(() =>
    expect(wrapper.text()).toContain('Version 2.0.0 von Appraiser Desk ist bereit.'),
  );
  await buttonOf(wrapper, 'Jetzt installieren und neu starten').trigger('click');
  await buttonOf(wrapper, 'Beim nächsten Start installieren').trigger('click');
  await flushPromises();
  expect(chosen).toEqual(['now', 'start']);
  // What the user chose takes no room any more; the settings still show it.
  expect(wrapper.text()).toBe('');
  const about = mountPage(AboutSettings, desk).wrapper;
  await flushPromises();
  expect(about.text()).toContain('Version 2.0.0 wird beim nächsten Start');
});

test.each([
  ['it', 'Ihre IT installiert sie.'],
  ['system', 'Die Paketverwaltung dieses Systems installiert sie.'],
] as const)('a version that %s installs is named, and the line can be closed', async (by, text) => {
  const { desk, tell } = deskWith({ version, by, hasFailed: false });
  await linked(desk);
  const { wrapper } = mountPage(UpdateLine, desk);
  await flushPromises();
  expect(wrapper.text()).toContain(text);
  const buttons = wrapper.findAll('button');
  expect(buttons.map((one) => one.attributes('aria-label'))).toEqual(['Schliessen']);
  await buttons[0]?.trigger('click');
  expect(wrapper.text()).toBe('');
  tell({ version: '2.1.0', by, hasFailed: false });
  await vi.waitFor(() => expect(wrapper.text()).toContain('2.1.0'));
});

test('a version that could not be installed is named as that, and can be chosen again', async () => {
  const { desk, chosen } = deskWith({ version, by: 'user', hasFailed: true });
  await linked(desk);
  const { wrapper } = mountPage(UpdateLine, desk);
  await vi.waitFor(() =>
    expect(wrapper.text()).toContain(
      'Version 2.0.0 von Appraiser Desk konnte nicht installiert werden.',
    ),
  );
  await buttonOf(wrapper, 'Jetzt installieren und neu starten').trigger('click');
  await flushPromises();
  expect(chosen).toEqual(['now']);
});
