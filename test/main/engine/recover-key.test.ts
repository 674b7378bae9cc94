import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Engine } from '#main/engine/engine.ts';
import type { Vault } from '#main/engine/keys/vault.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { createMemoryVault } from '../../support/desk-in-process.ts';
import { type RunningService, serviceFolder } from '../../support/processes.ts';

// The window's desk, which has a practice workspace, after the keychain lost an entry.

const folder = serviceFolder();
let service: RunningService;
let homes = 0;
let home: string;
let vault: Vault;
let engine: Engine;
let names: Set<string>;

const open = () =>
  openEngine({
    home,
    vault,
    clock: systemClock,
    random: systemRandom,
    practice: () => Promise.reject(new Error('nobody practises here')),
  });

async function lose(entry: string): Promise<void> {
  await engine.close();
  for (const name of names) if (name.endsWith(entry)) await vault.delete(name);
  engine = await open();
}

beforeAll(async () => {
  service = await folder.start('--demo', '8', '--limits', 'x10');
});
afterAll(folder.end);
beforeEach(async () => {
  homes += 1;
  home = folder.at(`home-${String(homes)}`);
  names = new Set();
  const memory = createMemoryVault();
  vault = {
    ...memory,
    set(name, secret) {
      names.add(name);
      return memory.set(name, secret);
    },
  };
  // The first opening has no practice: a connection is set up as on the command line.
  engine = await openEngine({ home, vault, clock: systemClock, random: systemRandom });
  const { baseUrl, credentials } = service;
  await engine.workspaces.connect({
    baseUrl,
    audience: credentials.audience,
    clientId: credentials.expert.clientId,
    privateKey: credentials.expert.privateKeyPem,
  });
  await engine.sync.run({ documents: 'none' });
});
afterEach(() => engine.close());

const privateKey = () => service.credentials.expert.privateKeyPem;

it('a lost private key leaves the desk open, to tell and to be given the key', async () => {
  const before = (await engine.cases.list({})).total;
  expect(await engine.workspaces.lostKey()).toBeNull();
  await lose('private-key');
  await expect(engine.desk.info()).rejects.toThrow('keychain_entry_lost');
  expect(await engine.workspaces.lostKey()).toMatchObject({
    workspace: { kind: 'connection', baseUrl: service.baseUrl },
    dataIsLost: false,
  });
  await expect(engine.workspaces.recoverKey({ privateKey: 'no key' })).rejects.toMatchObject({
    code: 'key_unreadable',
  });
  expect(await engine.workspaces.lostKey()).not.toBeNull();
  await engine.workspaces.recoverKey({ privateKey: privateKey() });
  expect(await engine.workspaces.lostKey()).toBeNull();
  expect((await engine.cases.list({})).total).toBe(before);
  expect((await engine.sync.run({ documents: 'none' })).throttled).toBe(0);
});

it('lost data are set aside only on a person’s word, and then the desk begins anew', async () => {
  await lose('database-key');
  expect(await engine.workspaces.lostKey()).toMatchObject({ dataIsLost: true });
  await expect(engine.workspaces.recoverKey({ privateKey: privateKey() })).rejects.toMatchObject({
    code: 'keychain_entry_lost',
  });
  await engine.workspaces.recoverKey({ privateKey: privateKey(), setAside: true });
  expect((await engine.cases.list({})).total).toBe(0);
  await engine.sync.run({ documents: 'none' });
  expect((await engine.cases.list({})).total).toBeGreaterThan(0);
  const folders = readdirSync(join(home, 'workspaces'));
  expect(folders.filter((name) => name.includes('set-aside'))).toHaveLength(1);
});

it('a language that is set while the key is lost is that of the page which tells it', async () => {
  await lose('/private-key');
  await engine.desk.setLanguage({ language: 'fr' });
  expect(await engine.workspaces.lostKey()).toMatchObject({ language: 'fr' });
  await engine.workspaces.recoverKey({ privateKey: privateKey() });
  expect((await engine.desk.info()).language).toBe('fr');
});
