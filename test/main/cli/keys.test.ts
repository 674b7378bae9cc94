import { cpSync, lstatSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  caseInProgress,
  createDeskRunner,
  createMemoryVault,
  errorSchema,
  itemsSchema,
} from '../../support/desk-in-process.ts';
import { type ServiceHere, serviceFolderHere } from '../../support/service-here.ts';
import { smallPdf } from '../../support/pdf-files.ts';

const folder = serviceFolderHere();
const { at } = folder;
const env = { DESK_BACKUP_PASSPHRASE: 'correct horse' };
let service: ServiceHere;

async function deskWithWork(name: string) {
  const secrets = new Map<string, string>();
  const desk = createDeskRunner(at(name), { env, vault: createMemoryVault(secrets) });
  const connect = () => desk('connect', '--credentials', service.credentialsPath);
  await connect();
  await desk('sync');
  await desk('comment', await caseInProgress(desk), 'Not delivered');
  const queued = async () =>
    (await desk('queue')).json(itemsSchema).items.map((row) => row['kind']);
  const lose = (entry: string) => {
    for (const name of secrets.keys()) if (name.endsWith(entry)) secrets.delete(name);
  };
  return { desk, connect, queued, secrets, lose };
}

beforeAll(async () => {
  service = await folder.start('--demo', '12', '--limits', 'x10');
});
afterAll(folder.end);

it('a lost private key stops every command but the one that puts it back', async () => {
  const { desk, connect, queued, lose } = await deskWithWork('private');
  lose('private-key');
  const run = await desk('queue');
  expect([run.code, run.json(errorSchema).code]).toEqual([5, 'keychain_entry_lost']);
  expect((await desk('diagnostics', '--to', at('lost.zip'))).code).toBe(0);
  expect((await connect()).code).toBe(0);
  expect(await queued()).toEqual(['comment']);
});

it('a lost database key leaves the files unchanged until the user starts from scratch', async () => {
  const { desk, connect, queued, lose } = await deskWithWork('database');
  expect((await desk('backup', '--to', at('work.desk'))).code).toBe(0);
  lose('database-key');
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
  const { desk, queued, secrets } = await deskWithWork('whole');
  const dpopKey = () => [...secrets].find(([name]) => name.endsWith('dpop-key'))?.[1];
  const before = dpopKey();
  await desk('connect', '--credentials', service.credentialsPath, '--set-aside');
  expect(await queued()).toEqual(['comment']);
  expect(readdirSync(at('whole/workspaces'))).toHaveLength(1);
  expect(dpopKey()).not.toBe(before);
  expect((await desk('sync')).code).toBe(0);
});

/** Everything under a folder, with it. */
function* filesOf(path: string): Generator<string> {
  yield path;
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) yield* filesOf(join(path, name));
}

describe('two users on one laptop', () => {
  it('leave nothing that the other may open, under any umask', async () => {
    const before = process.umask(0);
    try {
      const desk = createDeskRunner(at('first'), { env });
      await desk('connect', '--credentials', service.credentialsPath);
      await desk('sync');
      const key = await caseInProgress(desk);
      await desk('download', key, '--to', at('out'));
      writeFileSync(at('a.pdf'), smallPdf('Report'));
      await desk('report', key, '--file', at('a.pdf'));
      await desk('backup', '--to', at('first/work.desk'));
    } finally {
      process.umask(before);
    }
    const open = [...filesOf(at('first'))].filter((path) => {
      const entry = lstatSync(path);
      return (entry.mode & 0o777) !== (entry.isDirectory() ? 0o700 : 0o600);
    });
    expect(open).toEqual([]);
    const names = [...filesOf(at('first'))].map((path) => path.replace(/.*\//, ''));
    expect(names).toEqual(expect.arrayContaining(['work.db', 'cache.db', 'cache-files', 'lock']));
  });

  it('cannot read each other’s work, although they have the files', async () => {
    cpSync(at('first'), at('second'), { recursive: true });
    const second = createDeskRunner(at('second'));
    const run = await second('cases');
    expect([run.code, run.json(errorSchema).code]).toEqual([5, 'keychain_entry_lost']);
    // Not with the organization's key either, which both may have.
    const again = await second('connect', '--credentials', service.credentialsPath);
    expect([again.code, again.json(errorSchema).code]).toEqual([5, 'keychain_entry_lost']);
  });

  it('work next to each other, each in a separate home', async () => {
    const [first, second] = ['one', 'two'].map((name) => createDeskRunner(at(name)));
    if (!first || !second) throw new Error('two desks');
    for (const desk of [first, second]) {
      await desk('connect', '--credentials', service.credentialsPath);
      await desk('sync');
    }
    await first('comment', await caseInProgress(first), 'of the first');
    expect((await first('queue')).json(itemsSchema).total).toBe(1);
    expect((await second('queue')).json(itemsSchema).total).toBe(0);
  });
});
