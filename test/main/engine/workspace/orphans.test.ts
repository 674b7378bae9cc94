import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EngineOptions } from '#main/engine/engine.ts';
import {
  DeskSettings,
  practiceSessionId,
  type WorkspaceRecord,
} from '#main/engine/home/settings.ts';
import { findOrphan, healHome, noteOrphans } from '#main/engine/workspace/orphans.ts';
import { rsaKeys } from '../support/test-client.ts';
import { workspaceRecord } from '../support/test-desk.ts';
import { testFolder, testKeychain } from '../support/test-engine.ts';
import { addClosedWorkspace, testParts } from '../support/test-parts.ts';

let home: string;
let secrets: Map<string, string>;
beforeEach(() => {
  home = testFolder();
  secrets = new Map();
  mkdirSync(join(home, 'workspaces'));
});

const folder = (id: string) => join(home, 'workspaces', id);
const add = (id: string, part?: Partial<WorkspaceRecord> | null) =>
  addClosedWorkspace(home, secrets, id, part);
const parts = (changes?: Partial<EngineOptions>) => testParts(home, secrets, changes);
const known = (...ids: string[]) => {
  const settings = new DeskSettings(home, {});
  for (const id of ids) settings.remember(workspaceRecord({ id }));
};
const settingsFile = () => join(home, 'settings.json');
const onDisk = () => {
  const { workspaces, activeId } = new DeskSettings(home, {}).stored;
  return { ids: workspaces.map(({ id }) => id), activeId };
};
const held = { entries: 0, drafts: 0, texts: 1, backups: 0 };
const restored = { code: 'settings_restored', params: { fileName: 'settings.json' } };
/** A keychain that fails for the entries of one workspace. */
const vaultWithout = (id: string, failure: () => Error) => {
  const vault = testKeychain(secrets);
  const get = (name: string) => (name.includes(id) ? Promise.reject(failure()) : vault.get(name));
  return { ...vault, get };
};

describe('settings that miss connections', () => {
  it.each([
    ['a', 'b'],
    ['b', 'a'],
  ])('take them up from what they say of themselves, %s used last', async (last, before) => {
    for (const id of ['a', 'b']) add(id, { clientId: `client ${id}` });
    utimesSync(folder(last), 2000, 2000);
    utimesSync(folder(before), 1000, 1000);
    const desk = parts();
    await healHome(desk);
    expect(desk.settings.stored.workspaces).toEqual(
      [last, before].map((id) => workspaceRecord({ id, clientId: `client ${id}` })),
    );
    expect(onDisk()).toEqual({ ids: [last, before], activeId: last });
    expect(desk.home.problems).toEqual([restored]);
    expect(desk.logged).toEqual([]);
  });

  it('stay as they are if none is missing', async () => {
    add('a');
    known('a');
    const desk = parts();
    await healHome(desk);
    expect(desk.home.problems).toEqual([]);
    expect(existsSync(join(home, 'settings.1.json'))).toBe(false);
  });

  it('take up what they can if a keychain fails for another, which stays named', async () => {
    for (const id of ['a', 'b']) add(id);
    const desk = parts({ vault: vaultWithout('workspace/a/', () => new Error('no keychain')) });
    await healHome(desk);
    expect(onDisk()).toEqual({ ids: ['b'], activeId: 'b' });
    expect(desk.home.orphans).toMatchObject([{ folder: folder('a'), held: null }]);
    expect(desk.logged).toEqual([
      { where: 'heal the settings' },
      { where: 'read an orphaned workspace' },
    ]);
  });

  it('do not keep the desk closed if they cannot be written', async () => {
    add('a');
    const desk = parts();
    mkdirSync(settingsFile());
    await healHome(desk);
    expect(desk.logged).toEqual([{ where: 'heal the settings' }]);
    expect(desk.home.problems).toMatchObject([{ code: 'workspace_orphaned' }]);
    expect(desk.home.orphans).toMatchObject([{ folder: folder('a'), held }]);
  });
});

it('damaged settings are written again without a connection that was removed since', async () => {
  add('a');
  known('a', 'b');
  new DeskSettings(home, {}).setLanguage('it');
  writeFileSync(settingsFile(), 'damaged');
  const desk = parts();
  await healHome(desk);
  expect(onDisk()).toEqual({ ids: ['a'], activeId: null });
  expect(desk.home.problems).toEqual([restored]);
});

describe('an orphaned workspace is named', () => {
  it('with its last use, and is neither a known one, nor what was decided, nor something else', async () => {
    known('known');
    const others = ['known', 'practice', practiceSessionId, 'gone-removed', 'a-set-aside-2026'];
    for (const name of [...others, 'Old copy', 'office-removed-2']) {
      mkdirSync(folder(name));
      writeFileSync(join(folder(name), 'work.db'), 'x');
    }
    mkdirSync(folder('empty'));
    writeFileSync(folder('file'), 'x');
    utimesSync(folder('office-removed-2'), 1000, 1000);
    const desk = parts();
    await noteOrphans(desk);
    expect(desk.home.orphans).toEqual([
      { folder: folder('office-removed-2'), usedAt: '1970-01-01T00:16:40.000Z', held: null },
    ]);
    expect(desk.logged).toEqual([]);
  });

  it('although another was removed meanwhile', async () => {
    for (const id of ['a', 'b']) add(id, null);
    let isFirst = true;
    const vault = testKeychain(secrets);
    const get = (name: string) => {
      const other = name.includes('/a/') ? 'b' : 'a';
      if (isFirst) rmSync(folder(other), { recursive: true });
      isFirst = false;
      return vault.get(name);
    };
    const desk = parts({ vault: { ...vault, get } });
    await noteOrphans(desk);
    expect(desk.home.orphans[0]).toMatchObject({ held });
  });
});

describe('the orphan of a connection', () => {
  const office = { baseUrl: 'https://office.example', clientId: 'laptop-1' };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const addKey = (id: string, key: string) => secrets.set(`workspace/${id}/private-key`, key);
  const pem = rsaKeys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const find = (changes?: Partial<EngineOptions>) =>
    findOrphan(parts(changes), office, rsaKeys.privateKey);

  it('is the one that says so', async () => {
    add('a', { ...office, clientId: 'laptop-2' });
    add('b', { ...office, baseUrl: 'https://other.example' });
    expect(await find()).toBeNull();
    add('c', office);
    expect(await find()).toBe('c');
  });

  it('is not another organization’s with the same key', async () => {
    add('a', { ...office, clientId: 'laptop-2' });
    addKey('a', pem);
    expect(await find()).toBeNull();
  });

  it('is one that says nothing and has the same key', async () => {
    add('a', null);
    expect(await find()).toBeNull();
    addKey('a', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    expect(await find()).toBeNull();
    addKey('a', pem);
    expect(await find()).toBe('a');
  });

  it('is not said to be missing while the keychain fails', async () => {
    add('a', null);
    const vault = vaultWithout('private-key', () => new Error('no keychain'));
    await expect(find({ vault })).rejects.toThrow('no keychain');
  });
});
