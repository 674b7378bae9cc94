import { flushPromises } from '@vue/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeskError } from '#shared/desk/errors.ts';
import SettingsPage from '#renderer/pages/settings/SettingsPage.vue';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

// happy-dom has none, which Vuetify's dialogs ask for their place.
beforeEach(() => vi.stubGlobal('visualViewport', new EventTarget()));
let close: () => void;
afterEach(() => {
  close();
  vi.unstubAllGlobals();
});

/** The settings with the wizard open, over a desk whose organization set these values. */
async function openWizard(policy: Record<string, string>) {
  const desk = createDesk({ count: 1 });
  const items = Object.entries(policy).map(([name, value]) => ({ name, value }));
  desk.handlers.desk.policy = () => ({ items, total: items.length });
  const asked: unknown[] = [];
  desk.handlers.workspaces.enrol = (input) => {
    asked.push(input);
    return Promise.reject(new DeskError('code_refused'));
  };
  const { wrapper } = mountPage(SettingsPage, desk, { section: 'connection' });
  close = () => wrapper.unmount();
  await flushPromises();
  const [button] = wrapper.findAll('button').filter((one) => one.text() === 'Neue Verbindung');
  await button?.trigger('click');
  await vi.waitFor(() => expect(form()).not.toBeNull());
  await flushPromises();
  return { asked };
}
const form = () => document.body.querySelector('form.wizard');
const field = (label: string): HTMLInputElement => {
  const found = [...document.body.querySelectorAll('.v-field')].find((one) =>
    one.textContent.includes(label),
  );
  const input = found?.querySelector('input');
  if (!input) throw new Error(`no field ${label}`);
  return input;
};
async function submit() {
  form()?.dispatchEvent(new Event('submit', { cancelable: true }));
  await flushPromises();
}

test('the wizard asks for the code alone if a policy names the gateway, and tells a wrong one', async () => {
  const { asked } = await openWizard({ 'connection.gateway': 'https://gateway.example' });
  expect(form()?.querySelectorAll('.v-field')).toHaveLength(1);
  await submit();
  expect(form()?.textContent).toContain('Das fehlt noch.');
  field('Anmeldecode').value = 'ABCD-1234';
  field('Anmeldecode').dispatchEvent(new Event('input'));
  await submit();
  expect(asked).toEqual([{ gateway: 'https://gateway.example', code: 'ABCD-1234' }]);
  await vi.waitFor(() => expect(form()?.textContent).toContain('Code'));
});

test('the wizard shows what a policy has set, marks what is empty, and closes by Esc', async () => {
  await openWizard({ 'connection.baseUrl': 'https://partner.example' });
  expect(field('Basisadresse')).toMatchObject({ value: 'https://partner.example', readOnly: true });
  await submit();
  await submit();
  expect(form()?.textContent).toContain('Das fehlt noch.');
  expect(form()?.textContent).toContain('Der private Schlüssel fehlt noch.');
  form()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await vi.waitFor(() => expect(document.body.querySelector('.v-overlay--active')).toBeNull());
});
