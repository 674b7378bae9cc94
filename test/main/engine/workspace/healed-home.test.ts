import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '#main/engine/database/sqlite.ts';
import type { Engine } from '#main/engine/engine.ts';
import { DeskSettings } from '#main/engine/home/settings.ts';
import { openTestEngine, sharePractice, testFolder, testKeychain } from '../support/test-engine.ts';

const { connection } = sharePractice();
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const otherKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
let home: string;
let secrets: Map<string, string>;
let desk: Engine;
const open = async () => {
  desk = await openTestEngine({ home, vault: testKeychain(secrets) });
};
const settingsFile = () => join(home, 'settings.json');
const removeSettings = () => {
  for (const name of readdirSync(home)) if (name.startsWith('settings.')) rmSync(join(home, name));
};
const folders = () => readdirSync(join(home, 'workspaces'));
const notices = async () => (await desk.sync.status()).notices;
const restored = { code: 'settings_restored', params: { fileName: 'settings.json' } };

/** A connection with a comment in the queue, a draft and a typed text; the desk is closed after. */
async function connectAndWork(): Promise<string> {
  const { id } = await desk.workspaces.connect({ ...connection(), name: 'Insurer A' });
  await desk.sync.run({ documents: 'none' });
  await desk.sync.setPaused({ paused: true });
  const { items } = await desk.cases.list({ status: 'InProgress' });
  const caseId = items[0]?.id ?? '';
  await desk.cases.setComment({ id: caseId, text: 'not sent' });
  await desk.reports.createDraft({ id: caseId });
  await desk.edits.save({ id: caseId, estimate: '4200' });
  await desk.desk.setLanguage({ language: 'it' });
  // An earlier version has all but the last change.
  await desk.desk.setAppearance({ theme: 'dark' });
  await desk.close();
  return id;
}
const held = { entries: 1, drafts: 1, texts: 1, backups: 0 };

beforeEach(async () => {
  home = testFolder();
  secrets = new Map();
  await open();
});

describe('a desk opens with its connection and its unsent work if its settings', () => {
  /** What happened to the file, and whether the user's other choices are still known. */
  const losses: readonly [what: string, lose: () => void, keepsChoices: boolean][] = [
    ['are missing', () => rmSync(settingsFile()), true],
    ['are damaged', () => writeFileSync(settingsFile(), '{"version":1,'), true],
    ['are empty', () => writeFileSync(settingsFile(), ''), true],
    ['and all their versions are missing', removeSettings, false],
    [
      'and all their versions are damaged',
      () => {
        for (const name of readdirSync(home))
          if (name.startsWith('settings.')) writeFileSync(join(home, name), 'x');
      },
      false,
    ],
    [
      'are older than the connection',
      () => {
        removeSettings();
        writeFileSync(
          settingsFile(),
          JSON.stringify({ version: 1, language: 'it', activeId: null, workspaces: [] }),
        );
      },
      true,
    ],
  ];
  it.each(losses)('%s', async (_, lose, keepsChoices) => {
    const id = await connectAndWork();
    lose();
    await open();
    expect((await desk.desk.info()).workspace).toMatchObject({ id, name: 'Insurer A' });
    expect(await desk.workspaces.get({ id })).toMatchObject({ held });
    expect(await desk.desk.language()).toBe(keepsChoices ? 'it' : 'de');
    expect(await notices()).toContainEqual(restored);
    expect((await desk.workspaces.orphans()).items).toEqual([]);
    // It is said once, and the settings are on the disk again.
    await desk.close();
    await open();
    expect((await desk.desk.info()).workspace).toMatchObject({ id });
    expect(await notices()).not.toContainEqual(restored);
  });

  it('are lost after the store was damaged too, by what a backup says', async () => {
    const id = await connectAndWork();
    // The first start after the connection makes a backup of the store that describes itself.
    await open();
    await desk.close();
    removeSettings();
    writeFileSync(join(home, 'workspaces', id, 'work.db'), 'x'.repeat(8192));
    rmSync(join(home, 'workspaces', id, 'work.db-wal'), { force: true });
    await open();
    expect((await desk.desk.info()).workspace).toMatchObject({ id, name: 'Insurer A' });
  });

  it('are missing, with the connection that was used last', async () => {
    const first = await desk.workspaces.connect(connection());
    const second = await desk.workspaces.connect({ ...connection(), clientId: 'other' });
    await desk.workspaces.use({ id: first.id });
    // The times of files move on in steps of milliseconds, in which both could be closed.
    const other = statSync(join(home, 'workspaces', second.id)).mtimeMs;
    await vi.waitFor(() => {
      const file = join(home, 'later');
      writeFileSync(file, '');
      expect(statSync(file).mtimeMs).toBeGreaterThan(other);
    });
    await desk.close();
    removeSettings();
    await open();
    expect((await desk.desk.info()).workspaces).toHaveLength(2);
    // The one that was open is closed last.
    expect((await desk.desk.info()).workspace.id).toBe(first.id);
  });
});

it('a damaged settings file is kept, and a removed connection does not come back from an earlier one', async () => {
  const first = await desk.workspaces.connect(connection());
  const second = await desk.workspaces.connect({ ...connection(), clientId: 'other' });
  const none = { entries: 0, drafts: 0, texts: 0, backups: 0 };
  await desk.workspaces.remove({ id: second.id, held: none });
  await desk.close();
  writeFileSync(settingsFile(), 'damaged');
  await open();
  expect((await desk.desk.info()).workspaces.map(({ id }) => id)).toEqual([first.id]);
  expect(readFileSync(join(home, 'settings.damaged.json'), 'utf8')).toBe('damaged');
});

it('the last three versions of the settings are kept, and a damaged file displaces none', () => {
  const versions = () =>
    ['settings.json', 'settings.1.json', 'settings.2.json', 'settings.3.json'].map((name) => {
      const file = join(home, name);
      if (!existsSync(file)) return null;
      return /"language": "(..)"/.exec(readFileSync(file, 'utf8'))?.[1];
    });
  const settings = new DeskSettings(home, {});
  for (const language of ['de', 'fr', 'it', 'en', 'de'] as const) settings.setLanguage(language);
  expect(versions()).toEqual(['de', 'en', 'it', 'fr']);
  writeFileSync(settingsFile(), '{');
  settings.setLanguage('fr');
  expect(versions()).toEqual(['fr', 'en', 'it', 'fr']);
});

describe('a workspace of a version in which none says whose it is', () => {
  const forgetDescription = (id: string) => {
    const keyHex = secrets.get(`workspace/${id}/database-key`) ?? '';
    const file = join(home, 'workspaces', id, 'work.db');
    const db = openDatabase({ file, keyHex, durability: 'full' });
    db.prepare(`DELETE FROM local_values WHERE name = 'workspace'`).run();
    db.close();
    rmSync(join(home, 'workspaces', id, 'backups'), { recursive: true });
  };

  it('is named with what it holds, and connecting with the same values takes it up', async () => {
    const id = await connectAndWork();
    forgetDescription(id);
    removeSettings();
    await open();
    await expect(desk.desk.info()).rejects.toMatchObject({ code: 'no_connection' });
    const { items } = await desk.workspaces.orphans();
    expect(items).toMatchObject([{ folder: join(home, 'workspaces', id), held }]);
    expect(await desk.workspaces.connect(connection())).toMatchObject({ id });
    expect(folders()).toEqual([id]);
    expect((await desk.workspaces.orphans()).items).toEqual([]);
    expect(await desk.workspaces.get({ id })).toMatchObject({ held });
    // From now on it says whose it is.
    await desk.close();
    removeSettings();
    await open();
    expect((await desk.desk.info()).workspace).toMatchObject({ id });
  });

  it('stays named beside another connection, and no data go if it cannot be opened', async () => {
    const id = await connectAndWork();
    forgetDescription(id);
    removeSettings();
    secrets.delete(`workspace/${id}/database-key`);
    await open();
    await expect(desk.workspaces.connect(connection())).rejects.toMatchObject({
      code: 'keychain_entry_lost',
    });
    expect(folders()).toEqual([id]);
    const other = await desk.workspaces.connect({
      ...connection(),
      clientId: 'other',
      privateKey: otherKey,
    });
    expect(folders().toSorted()).toEqual([id, other.id].toSorted());
    const folder = join(home, 'workspaces', id);
    expect(await notices()).toMatchObject([
      { code: 'workspace_orphaned', params: { folder, count: 1 } },
    ]);
  });
});
