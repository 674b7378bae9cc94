import { flushPromises } from '@vue/test-utils';
import { expect, test, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { ConnectionInput, EnrolInput, PendingWork } from '#shared/desk/setup/workspace.ts';
import SettingsPage from '#renderer/pages/settings/SettingsPage.vue';
import { useDeskStore } from '#renderer/stores/desk-store.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage, buttonOf } from '../fixtures/mount-page.ts';

/**
 * The settings with the wizard open and its first question answered, over a desk whose organization
 * set these values.
 */
async function openWizard(policy: Record<string, string>, way?: 'code' | 'file' | 'hand') {
  const desk = createDesk({ count: 1 });
  const given: EnrolInput[] = [];
  const refusals: DeskError[] = [];
  const items = Object.entries(policy).map(([name, value]) => ({ name, value }));
  desk.handlers.desk.policy = () => ({ items, total: items.length });
  desk.handlers.workspaces.enrol = (input) => {
    given.push(input);
    const refusal = refusals.pop();
    return refusal ? Promise.reject(refusal) : desk.info().workspace;
  };
  const { wrapper } = mountPage(SettingsPage, desk, { section: 'connection' });
  await flushPromises();
  await buttonOf(wrapper, 'Neue Verbindung').trigger('click');
  await vi.waitFor(() => expect(form()).not.toBeNull());
  await flushPromises();
  if (way) {
    form()?.querySelector<HTMLInputElement>(`input[value=${way}]`)?.click();
    await flushPromises();
  }
  return { desk, given, refusals };
}
const form = () => document.body.querySelector<HTMLFormElement>('form.wizard');
const field = (label: string): HTMLInputElement => {
  const found = [...document.body.querySelectorAll('.v-field')].find((one) =>
    one.textContent.includes(label),
  );
  const input = found?.querySelector('input');
  if (!input) throw new Error(`no field ${label}`);
  return input;
};
async function chooseKey() {
  const key = form()?.querySelector<HTMLInputElement>('input[type=file]');
  if (!key) throw new Error('no field for the key');
  Object.defineProperty(key, 'files', { value: [new File(['-----BEGIN'], 'key.pem')] });
  key.dispatchEvent(new Event('change'));
  await vi.waitFor(() => expect(form()?.textContent).toContain('Gewählt: key.pem'));
}
async function submit() {
  form()?.dispatchEvent(new Event('submit', { cancelable: true }));
  await flushPromises();
}

test('the wizard shows what a policy has set, marks what is empty, and closes by Esc', async () => {
  await openWizard(
    {
      'connection.baseUrl': 'https://partner.example',
      'connection.scope': 'claims',
      'connection.htuWithoutQuery': 'true',
      'connection.changedSinceParameter': 'updatedSince',
    },
    'hand',
  );
  expect(field('Basisadresse')).toMatchObject({ value: 'https://partner.example', readOnly: true });
  await submit();
  expect(field('Scope')).toMatchObject({ value: 'claims', readOnly: true });
  expect(field('Name des Parameters')).toMatchObject({ value: 'updatedSince', readOnly: true });
  const signing = form()?.querySelector<HTMLInputElement>('input[type=checkbox]');
  signing?.click();
  expect(signing?.checked).toBe(true);
  await submit();
  expect(form()?.textContent).toContain('Bitte ausfüllen.');
  expect(form()?.textContent).toContain('Der private Schlüssel fehlt noch.');
  form()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await vi.waitFor(() => expect(document.body.querySelector('.v-overlay--active')).toBeNull());
});

test('a file that is dropped is the key, and a missing one is named at its button', async () => {
  await openWizard({}, 'file');
  await submit();
  const missing = form()?.querySelector('.text-error[role=alert]');
  expect(missing?.textContent).toBe('Der private Schlüssel fehlt noch.');
  // The field of the passphrase comes after it.
  const order = missing?.compareDocumentPosition(field('Passwort des Schlüssels')) ?? 0;
  expect(order & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
  const drop = (file: File) => {
    const items = [{ kind: 'file', type: '' }];
    const dataTransfer = { files: [file], items, types: ['Files'] };
    for (const type of ['dragenter', 'drop']) {
      const event = new Event(type, { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'dataTransfer', { value: dataTransfer });
      form()?.querySelector('.key-file')?.dispatchEvent(event);
    }
  };
  const held = new File(['-----BEGIN'], 'held.pem');
  vi.spyOn(held, 'text').mockRejectedValue(new DOMException('', 'NotReadableError'));
  drop(held);
  await vi.waitFor(() =>
    expect(form()?.textContent).toContain('«held.pem» lässt sich nicht lesen'),
  );
  expect(form()?.textContent).not.toContain('Gewählt: held.pem');
  drop(new File(['-----BEGIN'], 'dropped.pem'));
  await vi.waitFor(() => expect(form()?.textContent).toContain('Gewählt: dropped.pem'));
  expect(form()?.querySelector('.text-error[role=alert]')).toBeNull();
});

test('a policy that names the gateway leaves one field, and a refused code is reported', async () => {
  const { given, refusals } = await openWizard({ 'connection.gateway': 'https://gateway.example' });
  expect(form()?.querySelectorAll('.v-field')).toHaveLength(1);
  expect(form()?.textContent).toContain('https://gateway.example');
  await submit();
  expect(given).toEqual([]);
  expect(form()?.textContent).toContain('Bitte ausfüllen.');
  refusals.push(new DeskError('code_refused'));
  await type('Registrierungscode', ' ABCD ');
  await submit();
  expect(form()?.textContent).toContain('Dieser Code wird nicht angenommen');
  await submit();
  expect(given).toEqual(
    Array.from({ length: 2 }, () => ({ gateway: 'https://gateway.example', code: 'ABCD' })),
  );
  await vi.waitFor(() => expect(document.body.querySelector('.v-overlay--active')).toBeNull());
});

test('without a policy a code needs the gateway’s address, and no key', async () => {
  const { given } = await openWizard({}, 'code');
  await type('Registrierungscode', 'ABCD');
  await submit();
  expect(given).toEqual([]);
  await type('Adresse des Büro-Gateways', 'https://gateway.example');
  await submit();
  expect(given).toEqual([{ gateway: 'https://gateway.example', code: 'ABCD' }]);
});

test('a host is completed to an address, and the browser shows no messages of its own', async () => {
  const { given } = await openWizard({}, 'code');
  expect(form()?.noValidate).toBe(true);
  await type('Registrierungscode', 'ABCD');
  await type('Adresse des Büro-Gateways', ' gateway.example ');
  field('Adresse des Büro-Gateways').dispatchEvent(new Event('blur'));
  await flushPromises();
  expect(field('Adresse des Büro-Gateways').value).toBe('https://gateway.example');
  await submit();
  expect(given).toEqual([{ gateway: 'https://gateway.example', code: 'ABCD' }]);
});

test('what was typed for one way counts for no other', async () => {
  const { desk } = await openWizard({}, 'code');
  const tested: ConnectionInput[] = [];
  desk.handlers.workspaces.test = (input) => {
    tested.push(input);
    return { caseCount: 1, problem: null, asked: null, isStored: false };
  };
  const choose = async (way: string) => {
    form()?.querySelector<HTMLInputElement>(`input[value=${way}]`)?.click();
    await flushPromises();
  };
  await type('Adresse des Büro-Gateways', 'https://gateway.example');
  await choose('hand');
  expect(field('Basisadresse').value).toBe('');
  await type('Basisadresse', 'https://a.example');
  await type('Audience', 'no address');
  await choose('file');
  expect(form()?.textContent).not.toContain('Audience');
  await chooseKey();
  await submit();
  await type('Client-ID', 'expert');
  await submit();
  const buttons = [...(form()?.querySelectorAll('button') ?? [])];
  buttons.find(({ textContent }) => textContent.includes('Verbindung testen'))?.click();
  await vi.waitFor(() =>
    expect(tested).toMatchObject([{ audience: 'https://a.example/v1/oauth/token' }]),
  );
});

test('a refusal stands only as long as nothing is changed', async () => {
  const { refusals } = await openWizard({}, 'code');
  refusals.push(new DeskError('disk_full'));
  await type('Registrierungscode', 'ABCD');
  await type('Adresse des Büro-Gateways', 'https://gateway.example');
  await submit();
  expect(form()?.querySelector('.note')).not.toBeNull();
  await type('Adresse des Büro-Gateways', 'https://other.example');
  expect(form()?.querySelector('.note')).toBeNull();
  form()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await vi.waitFor(() => expect(document.body.querySelector('.v-overlay--active')).toBeNull());
});

test('nothing is asked before what the user has to connect with', async () => {
  await openWizard({});
  expect(form()?.querySelectorAll('.v-field')).toHaveLength(0);
  expect(form()?.querySelector('[type=submit]')).toBeNull();
  form()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await vi.waitFor(() => expect(document.body.querySelector('.v-overlay--active')).toBeNull());
});

test('with a key file the file comes first, and is needed', async () => {
  await openWizard({}, 'file');
  await type('Basisadresse der Schnittstelle', 'https://a.example');
  await submit();
  expect(form()?.textContent).toContain('Der private Schlüssel fehlt noch.');
  form()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await vi.waitFor(() => expect(document.body.querySelector('.v-overlay--active')).toBeNull());
});

test('a test that the insurer refuses shows what was asked, and that it is stored for IT', async () => {
  const { desk } = await openWizard({}, 'hand');
  const asked = {
    address: 'https://a.example/v1/oauth/token',
    status: 401,
    title: 'invalid_client',
    correlationId: 'c-7',
  };
  const problem = new DeskError('sign_in_refused', { clientId: 'expert', audience: 'a' }).problem;
  desk.handlers.workspaces.test = () => ({ caseCount: null, problem, asked, isStored: true });
  await type('Basisadresse der Schnittstelle', 'https://a.example');
  await submit();
  await type('Client-ID', 'expert');
  await chooseKey();
  await submit();
  const buttons = [...(form()?.querySelectorAll('button') ?? [])];
  buttons.find(({ textContent }) => textContent.includes('Verbindung testen'))?.click();
  await vi.waitFor(() => expect(form()?.querySelector('.note pre')).not.toBeNull());
  const details = form()?.querySelector('.note pre')?.textContent ?? '';
  for (const value of [asked.address, 'status: 401', 'invalid_client', 'c-7'])
    expect(details).toContain(value);
  expect(form()?.textContent).toContain('damit Ihre IT sie prüfen kann');
  form()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await vi.waitFor(() => expect(document.body.querySelector('.v-overlay--active')).toBeNull());
});

/** The settings over a desk with one connection, after an act was chosen from its menu. */
async function openAct(act: string, held: PendingWork | null) {
  const desk = createDesk({ count: 1 });
  const connection = {
    id: 'c1',
    kind: 'connection' as const,
    name: 'Alpina',
    baseUrl: 'https://a.example',
    clientId: 'expert-1',
    kept: true,
  };
  const info = await desk.client.desk.info();
  desk.handlers.desk.info = () => ({ ...info, workspaces: [connection] });
  const answers = { held };
  desk.handlers.workspaces.get = () => ({
    ...connection,
    audience: 'https://a.example/token',
    scope: null,
    htuWithoutQuery: false,
    changedSinceParameter: null,
    held: answers.held,
  });
  const done: unknown[] = [];
  desk.handlers.workspaces.change = (input) => {
    done.push(input);
    return connection;
  };
  desk.handlers.workspaces.remove = (input) => {
    done.push(input);
    if (done.length === 1 && held === null) throw new DeskError('connection_holds_work', {});
    return {};
  };
  const { wrapper } = mountPage(SettingsPage, desk, { section: 'connection' });
  await useDeskStore(desk.pinia).load();
  await flushPromises();
  await wrapper.get('[aria-label="Mehr zu «Alpina»"]').trigger('click');
  await vi.waitFor(() => expect(document.body.querySelector('.v-list-item')).not.toBeNull());
  const items = [...document.body.querySelectorAll<HTMLElement>('.v-list-item')];
  items.find(({ textContent }) => textContent.trim() === act)?.click();
  await vi.waitFor(() => expect(dialog()).not.toBeNull());
  await flushPromises();
  return { done, answers };
}
const dialog = () => document.body.querySelector('.act-dialog');
const button = (text: string) =>
  [...(dialog()?.querySelectorAll('button') ?? [])].find((one) => one.textContent.includes(text));
async function type(label: string, text: string) {
  field(label).value = text;
  field(label).dispatchEvent(new Event('input'));
  await flushPromises();
}
const nothing: PendingWork = { entries: 0, drafts: 0, texts: 0, backups: 0 };

test('a connection is renamed here, and nothing else of it is sent', async () => {
  const { done } = await openAct('Umbenennen', nothing);
  await type('Name auf diesem Gerät', ' ');
  expect(button('Speichern')?.disabled).toBe(true);
  await type('Name auf diesem Gerät', 'Alpina Test');
  button('Speichern')?.click();
  await vi.waitFor(() => expect(done).toEqual([{ id: 'c1', name: 'Alpina Test' }]));
});

test('another client id names the work that is removed, and asks for the user’s consent', async () => {
  const held = { ...nothing, entries: 2, texts: 1 };
  const { done } = await openAct('Adresse und Zugang ändern', held);
  await type('Basisadresse', 'https://b.example');
  expect(button('Speichern')?.disabled).toBe(false);
  await type('Name des Parameters', 'updated since');
  expect(button('Speichern')?.disabled).toBe(true);
  await type('Name des Parameters', 'updatedSince');
  await type('Client-ID', 'other');
  expect(dialog()?.textContent).toContain('2 Einträge im Postausgang, nicht zugestellt');
  expect(dialog()?.textContent).toContain('1 Eingabe in einem Fall, nicht gesendet');
  expect(button('Ersetzen und entfernen')?.disabled).toBe(true);
  [...(dialog()?.querySelectorAll<HTMLInputElement>('[type=checkbox]') ?? [])].at(-1)?.click();
  await flushPromises();
  button('Ersetzen und entfernen')?.click();
  await vi.waitFor(() =>
    expect(done).toMatchObject([
      {
        id: 'c1',
        baseUrl: 'https://b.example',
        clientId: 'other',
        removed: held,
        changedSinceParameter: 'updatedSince',
      },
    ]),
  );
});

test('work that came since the person read is read again before it is removed', async () => {
  const { done, answers } = await openAct('Entfernen', null);
  expect(dialog()?.textContent).toContain('lässt sich nicht feststellen');
  dialog()?.querySelector<HTMLInputElement>('[type=checkbox]')?.click();
  await flushPromises();
  answers.held = { ...nothing, drafts: 1 };
  button('Verbindung und Daten löschen')?.click();
  await vi.waitFor(() => expect(dialog()?.textContent).toContain('1 Bericht, nicht eingereicht'));
  expect(button('Verbindung und Daten löschen')?.disabled).toBe(true);
  dialog()?.querySelector<HTMLInputElement>('[type=checkbox]')?.click();
  await flushPromises();
  button('Verbindung und Daten löschen')?.click();
  await vi.waitFor(() => expect(done.at(-1)).toEqual({ id: 'c1', held: answers.held }));
});

test('data of a connection that the settings do not know are named with what they hold', async () => {
  const desk = createDesk({ count: 1 });
  const held = { entries: 2, drafts: 1, texts: 0, backups: 0 };
  const usedAt = '2026-11-20T08:00:00.000Z';
  desk.handlers.workspaces.orphans = () => ({
    items: [
      { folder: '/home/anna/first', usedAt, held },
      { folder: '/home/anna/second', usedAt, held: null },
    ],
    total: 2,
  });
  const { wrapper } = mountPage(SettingsPage, desk, { section: 'connection' });
  await flushPromises();
  const text = wrapper.text();
  expect(text).toContain('/home/anna/first');
  expect(text).toContain('Einträge im Postausgang: 2, Entwürfe: 1');
  expect(text).toContain('/home/anna/second');
  expect(text).toContain('Einträge im Postausgang: unbekannt');
});
