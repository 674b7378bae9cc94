import { cpSync, lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  caseInProgress,
  createDeskRunner,
  createMemoryVault,
  errorSchema,
  itemsSchema,
} from '../../../support/desk-in-process.ts';
import { type RunningService, serviceFolder } from '../../../support/processes.ts';

const folder = serviceFolder();
const { at } = folder;
let service: RunningService;

/** Everything under a folder, with it. */
function* filesOf(path: string): Generator<string> {
  yield path;
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) yield* filesOf(join(path, name));
}

beforeAll(async () => {
  service = await folder.start('--demo', '12', '--limits', 'x10');
});
afterAll(folder.end);

describe('two users on one laptop', () => {
  it('leave nothing that the other may open, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      const desk = createDeskRunner(at('first'), {
        env: { DESK_BACKUP_PASSPHRASE: 'correct horse' },
      });
      await desk('connect', '--credentials', service.credentialsPath);
      await desk('sync');
      const key = await caseInProgress(desk);
      await desk('download', key, '--to', at('out'));
      writeFileSync(at('a.pdf'), '%PDF-1.4\n%%EOF\n');
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
    const second = createDeskRunner(at('second'), { vault: createMemoryVault() });
    const run = await second('cases');
    expect([run.code, run.json(errorSchema).code]).toEqual([5, 'keychain_entry_lost']);
    // Not with the organization's key either, which both may have.
    const again = await second('connect', '--credentials', service.credentialsPath);
    expect([again.code, again.json(errorSchema).code]).toEqual([5, 'keychain_entry_lost']);
  });

  it('work beside each other, each in a home of their own', async () => {
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
