import { flushPromises } from '@vue/test-utils';
import { expect, test, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { LostKey, RecoverKey } from '#shared/desk/setup/workspace.ts';
import LostKeyPage from '#renderer/pages/settings/LostKeyPage.vue';
import { useDeskStore } from '#renderer/stores/desk-store.ts';
import { useUnsavedStore } from '#renderer/stores/unsaved-store.ts';
import { showLanguage } from '#renderer/i18n/create-i18n.ts';
import { createDesk } from '../fixtures/mount-desk.ts';
import { mountPage, buttonOf } from '../fixtures/mount-page.ts';
import type { RestoredWork } from '#shared/desk/setup/work-package.ts';
import DaysField from '#renderer/components/settings/DaysField.vue';
import SettingsPage from '#renderer/pages/settings/SettingsPage.vue';

const connection: LostKey = {
  workspace: {
    id: '6f1c1d5e-93f1-4a33-9d5a-2f4f4a3f8b10',
    kind: 'connection',
    name: 'Alpina',
    baseUrl: 'https://partner.example',
    clientId: 'expert-1',
    kept: true,
  },
  dataIsLost: false,
};
const practice: LostKey = {
  ...connection,
  workspace: { ...connection.workspace, kind: 'practice', name: 'Übung' },
};

/** What the organization set, by the policy's names. */
function wholePolicy(values: Record<string, string>) {
  const items = Object.entries(values).map(([name, value]) => ({ name, value }));
  return { items, total: items.length };
}

/** The page over a desk that lost this key; `given` are the keys that were put back. */
async function openPage(lost: LostKey | null | Error) {
  const desk = createDesk({ count: 1 });
  const given: RecoverKey[] = [];
  let answer = lost;
  desk.handlers.workspaces.lostKey = () =>
    answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  desk.handlers.workspaces.recoverKey = (input) => {
    given.push(input);
    return desk.info();
  };
  const { wrapper, router } = mountPage(LostKeyPage, desk);
  await flushPromises();
  const button = (text: string) => buttonOf(wrapper, text);
  const pickKey = async (text: string) => {
    const picker = wrapper.get<HTMLInputElement>('input[type=file]');
    Object.defineProperty(picker.element, 'files', { value: [new File([text], 'key.pem')] });
    await picker.trigger('change');
    await flushPromises();
  };
  const submit = async () => {
    await wrapper.get('form').trigger('submit');
    await flushPromises();
  };
  const answerWith = (next: LostKey | null) => (answer = next);
  return { ...desk, wrapper, router, given, button, pickKey, submit, answerWith };
}

test('a key file with its passphrase is put back', async () => {
  const { wrapper, given, button, pickKey, submit } = await openPage(connection);
  expect(wrapper.text()).toContain('https://partner.example');
  expect(button('Schlüsseldatei wählen').element.disabled).toBe(true);
  await pickKey('-----BEGIN PRIVATE KEY-----');
  expect(wrapper.text()).toContain('Gewählt: key.pem');
  await wrapper.get('input[type=password]').setValue('geheim');
  await submit();
  expect(given).toEqual([
    { privateKey: '-----BEGIN PRIVATE KEY-----', keyPassphrase: 'geheim', setAside: false },
  ]);
});

test('a file that is too large for a key is refused before it is read', async () => {
  const { wrapper, button, pickKey } = await openPage(connection);
  await pickKey('x'.repeat(100_001));
  expect(wrapper.get('[role=alert]').text()).toBe('Diese Datei ist zu gross für einen Schlüssel.');
  expect(button('Schlüsseldatei wählen').element.disabled).toBe(true);
});

test('the practice workspace needs no key file', async () => {
  const { wrapper, given, submit } = await openPage(practice);
  expect(wrapper.find('input[type=file]').exists()).toBe(false);
  await submit();
  expect(given).toEqual([{ privateKey: '', setAside: false }]);
});

test('data without their key are put aside only after a word, and a package is asked for', async () => {
  const { wrapper, router, given, button, pickKey, submit } = await openPage({
    ...connection,
    dataIsLost: true,
  });
  await pickKey('key');
  const aside = button('Alte Daten beiseitelegen und neu beginnen');
  expect(aside.element.disabled).toBe(true);
  await wrapper.get('input[type=checkbox]').setValue(true);
  expect(aside.element.disabled).toBe(false);
  await submit();
  expect(given).toEqual([{ privateKey: 'key', setAside: true }]);
  expect(router.currentRoute.value).toMatchObject({
    name: 'settings',
    params: { section: 'backup' },
  });
});

test('a keychain that came back opens the data again, which is what the page offers first', async () => {
  const { wrapper, handlers, info, button } = await openPage({ ...connection, dataIsLost: true });
  const used: string[] = [];
  handlers.workspaces.use = ({ id }) => {
    used.push(id);
    return used.length === 1 ? Promise.reject(new DeskError('keychain_entry_lost')) : info();
  };
  const filled = () => wrapper.findAll('.v-btn--variant-flat').map((one) => one.text());
  expect(filled()).toEqual(['Erneut versuchen']);
  await button('Erneut versuchen').trigger('click');
  await flushPromises();
  expect(wrapper.find('.note').exists()).toBe(true);
  await button('Erneut versuchen').trigger('click');
  await flushPromises();
  expect(used).toEqual([connection.workspace.id, connection.workspace.id]);
  expect(wrapper.find('.note').exists()).toBe(false);
});

test('a key that does not match is reported, and what was chosen stays', async () => {
  const { wrapper, handlers, pickKey, submit } = await openPage(connection);
  handlers.workspaces.recoverKey = () =>
    Promise.reject(new DeskError('key_unreadable', { found: 'binary' }));
  await pickKey('no key');
  await submit();
  expect(wrapper.find('.note').exists()).toBe(true);
  expect(wrapper.text()).toContain('Gewählt: key.pem');
});

test('if nothing can be read of the key the page shows it and asks again', async () => {
  const { wrapper, button, answerWith } = await openPage(new DeskError('keychain_unavailable'));
  expect(wrapper.get('[role=alert]').text()).not.toBe('');
  answerWith(connection);
  await button('Erneut versuchen').trigger('click');
  await flushPromises();
  expect(wrapper.get('h1').text()).toBe('Der Schlüssel dieser Verbindung fehlt');
});

test('a key that another window put back leaves no page behind: the desk is asked again', async () => {
  const { pinia } = await openPage(null);
  const desk = useDeskStore(pinia);
  expect(desk.workspace?.kind).toBe('practice');
});

const taken: RestoredWork = {
  createdAt: '2026-03-02T07:00:00.000Z',
  entries: 3,
  drafts: 1,
  files: 2,
  texts: 4,
  notes: 5,
  known: 0,
  superseded: 0,
  differing: [],
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
  const { wrapper, i18n } = mountPage(SettingsPage, desk, { section: 'backup' });
  await flushPromises();
  const panel = () => wrapper.find('section[aria-label="Beschädigte Daten"]');
  const press = async (text: string) => {
    await buttonOf(panel(), text).trigger('click');
    await flushPromises();
  };
  return { wrapper, panel, press, decided, i18n };
}

test.each([
  [
    'Wiederherstellen',
    'take',
    'Wiederhergestellte Einträge: 3, Entwürfe: 1, Eingaben: 4, Notizen: 5. Bereits vorhanden: 0.',
    'Restored entries: 3',
  ],
  [
    'Nicht wiederherstellen',
    'leave',
    'Die Sicherung wird nicht mehr angeboten.',
    'will not be offered again',
  ],
] as const)('a backup of damaged work: %s', async (button, decision, sentence, inEnglish) => {
  const { wrapper, panel, press, decided, i18n } = await openBackups();
  expect(panel().text()).toContain('Einträge: 3, Entwürfe: 1, gespeicherte Ansichten: 1’200.');
  await press(button);
  expect(decided).toEqual([{ id: 'quarantine-1', decision }]);
  expect(panel().exists()).toBe(false);
  expect(wrapper.get('[role=status]').text()).toContain(sentence);
  await showLanguage(i18n, 'en');
  await flushPromises();
  expect(wrapper.get('[role=status]').text()).toContain(inEnglish);
});

test('the cases that differ from a backup are named', async () => {
  const desk = createDesk({ count: 1 });
  desk.handlers.tools.suggestFiles = () => ({ backup: '/h/b.desk', bundle: '', canChoose: false });
  let differing = [
    { caseId: 'one', externalKey: 'SF-1' },
    { caseId: 'two', externalKey: 'SF-2' },
  ];
  desk.handlers.tools.restore = () => ({ ...taken, differing });
  const { wrapper } = mountPage(SettingsPage, desk, { section: 'backup' });
  await flushPromises();
  const card = wrapper.get('section[aria-label="Noch nicht Gesendetes sichern"]');
  const restore = async () => {
    await card.get('input[type=password]').setValue('ein gutes Wort');
    await buttonOf(card, 'Aus Sicherung wiederherstellen').trigger('click');
    await flushPromises();
    return card.find('.note.warn');
  };
  const note = await restore();
  expect(note.text()).toMatch(/^Prüfen Sie diese Fälle\. .*bleibt:\s*SF-1\s*SF-2$/);
  const links = note.findAll('a').map((link) => link.attributes('href'));
  expect(links).toEqual(['/cases/one', '/cases/two']);
  differing = [];
  expect((await restore()).exists()).toBe(false);
});

test('nothing is offered if nothing was damaged', async () => {
  const { wrapper } = mountPage(SettingsPage, createDesk({ count: 1 }), { section: 'backup' });
  await flushPromises();
  expect(wrapper.text()).toContain('Noch nicht Gesendetes sichern');
  expect(wrapper.text()).not.toContain('Beschädigte Daten');
});

test('a path is typed once its suggestion is there, so that the two never mix', async () => {
  const desk = createDesk({ count: 1 });
  const suggested = Promise.withResolvers<{ backup: string; bundle: string; canChoose: boolean }>();
  desk.handlers.tools.suggestFiles = () => suggested.promise;
  const { wrapper } = mountPage(SettingsPage, desk, { section: 'backup' });
  await flushPromises();
  const fields = () => {
    const found = [];
    for (const input of wrapper.findAll<HTMLInputElement>('.path input'))
      found.push({ disabled: input.element.disabled, path: input.element.value });
    return found;
  };
  // The third, of the automatic backup, has no suggestion.
  const own = { disabled: false, path: '' };
  const waiting = { disabled: true, path: '' };
  expect(fields()).toEqual([waiting, own, waiting]);
  suggested.resolve({ backup: '/h/b.desk', bundle: '/h/b.zip', canChoose: false });
  await flushPromises();
  expect(fields()).toEqual([
    { disabled: false, path: '/h/b.desk' },
    own,
    { disabled: false, path: '/h/b.zip' },
  ]);
});

test('without a suggestion the paths can be typed', async () => {
  const desk = createDesk({ count: 1 });
  desk.handlers.tools.suggestFiles = () => Promise.reject(new DeskError('keychain_unavailable'));
  const { wrapper } = mountPage(SettingsPage, desk, { section: 'backup' });
  await flushPromises();
  for (const input of wrapper.findAll<HTMLInputElement>('.path input'))
    expect(input.element.disabled).toBe(false);
  expect(wrapper.findAll('.path input')).toHaveLength(3);
});

test('the automatic backup asks for folder and passphrase, and shows the outcome of the last one', async () => {
  const desk = createDesk({ count: 1 });
  const { tools } = desk.handlers;
  const given: unknown[] = [];
  tools.suggestFiles = () => ({ backup: '/h/b.desk', bundle: '/h/b.zip', canChoose: true });
  tools.choosePath = (question) => {
    given.push(question);
    return { path: '/mnt/share' };
  };
  tools.setAutomaticBackup = (input) => {
    given.push(input);
    return {
      folder: input.folder,
      hasPassphrase: true,
      lastAt: '2026-03-02T07:00:00.000Z',
      problem: { code: 'file_unwritable', params: { fileName: 'share', reason: 'ENOENT' } },
      problemAt: '2026-03-03T07:00:00.000Z',
    };
  };
  const { wrapper } = mountPage(SettingsPage, desk, { section: 'backup' });
  await flushPromises();
  const card = () => wrapper.get('section[aria-label="Automatische Sicherung"]');
  const button = (text: string) => buttonOf(card(), text);
  expect(card().find('[role=status]').exists()).toBe(false);
  await button('Wählen …').trigger('click');
  await flushPromises();
  expect(button('Täglich sichern').element.disabled).toBe(true);
  await card().get('input[type=password]').setValue('ein gutes Wort');
  await button('Täglich sichern').trigger('click');
  await flushPromises();
  expect(given).toEqual([
    { purpose: 'folder', suggested: '' },
    { folder: '/mnt/share', passphrase: 'ein gutes Wort' },
  ]);
  expect(card().get('[role=status]').text()).toMatch(/^Letzte automatische Sicherung: .*08:00/);
  expect(card().text()).toMatch(/Fehlgeschlagen \(.*08:00\):/);
  expect(card().text()).toContain('share');
  expect(card().get<HTMLInputElement>('input[type=password]').element.value).toBe('');
});

test('the recognition of scans shows what is left, and is switched unless the organization decided', async () => {
  const desk = createDesk({ count: 1 });
  const { scans } = desk.handlers;
  let state = { isAllowed: true, isAutomatic: true, waiting: 12 };
  scans.state = () => state;
  scans.setAutomatic = (input) => (state = { ...state, ...input });
  const open = async () => {
    const { wrapper } = mountPage(SettingsPage, desk, { section: 'storage' });
    await flushPromises();
    const card = wrapper.get('section[aria-label="Text von Scans und Fotos"]');
    return { wrapper, card, box: card.get<HTMLInputElement>('input[type=checkbox]') };
  };
  const { wrapper, card, box } = await open();
  expect(card.text()).toContain('Noch 12 Seiten zu erkennen.');
  expect(box.element.checked).toBe(true);
  await box.setValue(false);
  await flushPromises();
  expect(state.isAutomatic).toBe(false);
  wrapper.unmount();
  state = { isAllowed: false, isAutomatic: false, waiting: 12 };
  desk.handlers.desk.policy = () => wholePolicy({ textRecognition: 'false' });
  const locked = await open();
  expect(locked.box.element.disabled).toBe(true);
  expect(locked.card.text()).toContain('Vorgabe Ihrer Organisation');
  expect(locked.card.text()).not.toContain('zu erkennen.');
});

test.each([
  ['language', 'appearance', 'Darstellung'],
  ['ownCases.postalCodes', 'own', 'Meine Fälle'],
  ['textRecognition', 'storage', 'Text von Scans und Fotos'],
  ['watchedFolder', 'storage', 'Kameraordner'],
  ['visitMessage.fr', 'texts', 'Besuch ankünden'],
  ['backupFolder', 'backup', 'Automatische Sicherung'],
  ['connection.baseUrl', 'connection', 'Verbindung'],
])('what the organization set as %s is locked in its card', async (name, section, title) => {
  const desk = createDesk({ count: 1 });
  const locked = async () => {
    const { wrapper } = mountPage(SettingsPage, desk, { section });
    await flushPromises();
    const card = wrapper.get(`section[aria-label="${title}"]`);
    const isLocked = card.text().includes('Vorgabe Ihrer Organisation');
    wrapper.unmount();
    return isLocked;
  };
  expect(await locked()).toBe(false);
  desk.handlers.desk.policy = () => wholePolicy({ [name]: 'x' });
  expect(await locked()).toBe(true);
});

test.each([
  ['documentRetentionDays', 0],
  ['caseRetentionDays', 1],
])('the days that the organization set as %s cannot be changed', async (name, place) => {
  const desk = createDesk({ count: 1 });
  desk.handlers.desk.policy = () => wholePolicy({ [name]: '30' });
  const { wrapper } = mountPage(SettingsPage, desk, { section: 'storage' });
  await flushPromises();
  const days = wrapper.findAllComponents(DaysField);
  expect(days.map((field) => field.get('input').element.disabled)).toEqual([
    place === 0,
    place === 1,
  ]);
});

test('what the organization set is shown by its title, with the technical name', async () => {
  const desk = createDesk({ count: 1 });
  desk.handlers.desk.policy = () => ({
    items: [{ name: 'updates.enabled', value: 'false', title: 'Automatische Updates' }],
    total: 1,
  });
  const { wrapper } = mountPage(SettingsPage, desk, { section: 'policy' });
  await flushPromises();
  const entry = wrapper.get('dl').text();
  expect(entry).toContain('Automatische Updates');
  expect(entry).toContain('updates.enabled');
});

test('an own message that cannot be stored stays, also on another page and while it is typed on', async () => {
  const desk = createDesk({ count: 1 });
  const opened = () => mountPage(SettingsPage, desk, { section: 'texts' }).wrapper;
  const wrapper = opened();
  await flushPromises();
  const card = (page: typeof wrapper) => page.get('section[aria-label="Besuch ankünden"]');
  const set = vi.spyOn(desk.handlers.day, 'setMessages').mockImplementationOnce(() => {
    throw new DeskError('disk_full');
  });
  await card(wrapper).get('input[value="fr"]').setValue(true);
  await card(wrapper).get('textarea').setValue('Bonjour');
  await buttonOf(card(wrapper), 'Speichern').trigger('click');
  await flushPromises();
  expect(card(wrapper).text()).toContain('Der Datenträger ist voll');
  expect(card(wrapper).text()).not.toContain('Gespeichert.');
  expect(useUnsavedStore(desk.pinia).texts).toEqual(['Bonjour']);
  wrapper.unmount();

  const again = opened();
  await flushPromises();
  await card(again).get('input[value="fr"]').setValue(true);
  const field = () => card(again).get('textarea');
  expect(field().element.value).toBe('Bonjour');
  const answered = Promise.withResolvers<undefined>();
  set.mockImplementationOnce((messages) => answered.promise.then(() => messages));
  await buttonOf(card(again), 'Speichern').trigger('click');
  await field().setValue('Bonjour, à {time}.');
  answered.resolve(undefined);
  await flushPromises();
  expect(field().element.value).toBe('Bonjour, à {time}.');
  await buttonOf(card(again), 'Speichern').trigger('click');
  await flushPromises();
  expect(await desk.transport.client.day.messages()).toEqual({ fr: 'Bonjour, à {time}.' });
  expect(useUnsavedStore(desk.pinia).any).toBe(false);
});

test('an own message before a visit is stored for its language, and an empty one is removed', async () => {
  const desk = createDesk({ count: 1 });
  const { wrapper } = mountPage(SettingsPage, desk, { section: 'texts' });
  await flushPromises();
  const card = wrapper.get('section[aria-label="Besuch ankünden"]');
  const save = async () => {
    await buttonOf(card, 'Speichern').trigger('click');
    await flushPromises();
  };
  await card.get('input[value="fr"]').setValue(true);
  await card.get('textarea').setValue('Bonjour, à {time}.');
  await save();
  expect(card.text()).toContain('Gespeichert.');
  expect(await desk.transport.client.day.messages()).toEqual({ fr: 'Bonjour, à {time}.' });
  await card.get('textarea').setValue(' ');
  await save();
  expect(await desk.transport.client.day.messages()).toEqual({});
});
