import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Vault } from '#main/engine/keys/vault.ts';
import {
  caseInProgress,
  createDeskRunner,
  createMemoryVault,
  errorSchema,
  itemsSchema,
} from '../../support/desk-in-process.ts';
import { type RunningService, serviceFolder } from '../../support/processes.ts';

const folder = serviceFolder();
const { at } = folder;
const env = { DESK_BACKUP_PASSPHRASE: 'correct horse' };
let service: RunningService;

/** A vault that can lose what it keeps, and remembers what was put in. */
function createLosingVault() {
  const memory = createMemoryVault();
  const stored = new Map<string, string>();
  const vault: Vault = {
    ...memory,
    set: (name, secret) => {
      stored.set(name, secret);
      return memory.set(name, secret);
    },
  };
  const lose = async (entry: string) => {
    for (const name of stored.keys()) if (name.endsWith(entry)) await memory.delete(name);
  };
  return { vault, stored, lose };
}

async function deskWithWork(name: string) {
  const { vault, stored, lose } = createLosingVault();
  const desk = createDeskRunner(at(name), { env, vault });
  const connect = () => desk('connect', '--credentials', service.credentialsPath);
  await connect();
  await desk('sync');
  await desk('comment', await caseInProgress(desk), 'Not delivered');
  const queued = async () =>
    (await desk('queue')).json(itemsSchema).items.map((row) => row['kind']);
  return { desk, connect, queued, stored, lose };
}

const dpopKeyOf = (stored: ReadonlyMap<string, string>) =>
  [...stored].find(([name]) => name.endsWith('dpop-key'))?.[1];

beforeAll(async () => {
  service = await folder.start('--demo', '12', '--limits', 'x10');
});
afterAll(folder.end);

it('a lost private key stops every command but the one that puts it back', async () => {
  const { desk, connect, queued, lose } = await deskWithWork('private');
  await lose('private-key');
  const run = await desk('queue');
  expect([run.code, run.json(errorSchema).code]).toEqual([5, 'keychain_entry_lost']);
  expect((await desk('diagnostics', '--to', at('lost.zip'))).code).toBe(0);
  expect((await connect()).code).toBe(0);
  expect(await queued()).toEqual(['comment']);
});

it('a lost database key leaves the files as they are until a person begins anew', async () => {
  const { desk, connect, queued, lose } = await deskWithWork('database');
  expect((await desk('backup', '--to', at('work.desk'))).code).toBe(0);
  await lose('database-key');
  expect((await connect()).code).toBe(5);
  expect((await desk('queue')).stderr).toContain('--set-aside');
  const again = await desk('connect', '--credentials', service.credentialsPath, '--set-aside');
  expect(again.code).toBe(0);
  expect(await queued()).toEqual([]);
  const aside = readdirSync(at('database/workspaces')).find((name) => name.includes('set-aside'));
  expect(statSync(join(at('database/workspaces'), aside ?? '', 'work.db')).size).toBeGreaterThan(0);
  expect((await desk('restore', at('work.desk'))).code).toBe(0);
  expect(await queued()).toEqual(['comment']);
});

it('--set-aside touches nothing that can still be opened, and connecting renews the proof key', async () => {
  const { desk, queued, stored } = await deskWithWork('whole');
  const before = dpopKeyOf(stored);
  await desk('connect', '--credentials', service.credentialsPath, '--set-aside');
  expect(await queued()).toEqual(['comment']);
  expect(readdirSync(at('whole/workspaces'))).toHaveLength(1);
  expect(dpopKeyOf(stored)).not.toBe(before);
  expect((await desk('sync')).code).toBe(0);
});
