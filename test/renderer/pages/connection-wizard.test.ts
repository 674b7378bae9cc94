import { flushPromises } from '@vue/test-utils';
import { expect, test, vi } from 'vitest';
import { DeskError } from '#shared/desk/errors.ts';
import type { EnrolInput, PolicyValue } from '#shared/desk/workspace.ts';
import ConnectionWizard from '#renderer/pages/settings/ConnectionWizard.vue';
import { useSettingsStore } from '#renderer/stores/settings-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage } from '../fixtures/mount-page.ts';

// The dialog asks for it, and the test's page has none.
vi.stubGlobal('visualViewport', new EventTarget());

/** The wizard of a desk under this policy. */
async function openWizard(policy: PolicyValue[]) {
  const desk = createDesk({ count: 1 });
  const { workspace } = desk.info();
  const given: EnrolInput[] = [];
  const refusals: DeskError[] = [];
  desk.handlers.desk.policy = () => ({ items: policy, total: policy.length });
  desk.handlers.workspaces.enrol = (input) => {
    given.push(input);
    const refusal = refusals.pop();
    return refusal ? Promise.reject(refusal) : workspace;
  };
  await useSettingsStore(desk.pinia).loadPolicy();
  const { wrapper } = mountPage(ConnectionWizard, desk, { modelValue: true });
  await flushPromises();
  // The dialog is teleported to the body.
  const dialog = () => document.querySelector('[role=dialog]') ?? document.body;
  const fields = () => wrapper.findAllComponents({ name: 'VTextField' });
  const labels = () => fields().map((field) => String(field.props('label')));
  const type = async (label: string, text: string) => {
    const found = fields().find((field) => field.props('label') === label);
    if (!found) throw new Error(`no field ${label}`);
    await found.get('input').setValue(text);
  };
  const submit = async () => {
    dialog().querySelector('form')?.dispatchEvent(new Event('submit'));
    await flushPromises();
  };
  return { wrapper, given, refusals, dialog, labels, type, submit };
}

test('a policy that names the gateway leaves one field, and a refused code is told', async () => {
  const { wrapper, given, refusals, dialog, labels, type, submit } = await openWizard([
    { name: 'connection.gateway', value: 'https://gateway.example' },
  ]);
  expect(labels()).toEqual(['Anmeldecode']);
  expect(dialog().textContent).toContain('https://gateway.example');
  await submit();
  expect(given).toEqual([]);
  expect(dialog().textContent).toContain('Das fehlt noch.');
  refusals.push(new DeskError('code_refused'));
  await type('Anmeldecode', ' ABCD ');
  await submit();
  expect(dialog().textContent).toContain('vertippt');
  expect(wrapper.emitted('update:modelValue')).toBeUndefined();
  await submit();
  expect(given).toEqual(
    Array.from({ length: 2 }, () => ({ gateway: 'https://gateway.example', code: 'ABCD' })),
  );
  expect(wrapper.emitted('update:modelValue')).toEqual([[false]]);
});

test('without a policy a code needs the gateway’s address, and no key', async () => {
  const { given, type, submit } = await openWizard([]);
  await type('Anmeldecode des Büro-Gateways (nur falls Sie einen erhalten haben)', 'ABCD');
  await submit();
  expect(given).toEqual([]);
  await type('Basisadresse der Schnittstelle', 'https://gateway.example');
  await submit();
  expect(given).toEqual([{ gateway: 'https://gateway.example', code: 'ABCD' }]);
});
