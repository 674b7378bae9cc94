import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { restoredWorkSchema, workPackageSchema } from '#shared/desk/setup/work-package.ts';
import {
  caseInProgress,
  createDeskRunner,
  createMemoryVault,
  type DeskRunner,
  errorSchema,
  itemsSchema,
} from '../../support/desk-in-process.ts';
import { type ServiceHere, serviceFolderHere } from '../../support/service-here.ts';
import { smallPdf } from '../../support/pdf-files.ts';

const folder = serviceFolderHere();
const { at } = folder;
const person = { env: { DESK_BACKUP_PASSPHRASE: 'correct horse' } };
const madeSchema = workPackageSchema.extend({ event: z.literal('backedUp') });
const takenSchema = restoredWorkSchema.extend({ event: z.literal('restored') });
/** Its last bytes are in no other file of the test. */
const report = smallPdf('Report', Buffer.alloc(200_000, 'Müller'));

let service: ServiceHere;
let first: DeskRunner;
let key: string;
let desks = 0;

async function newDesk(): Promise<DeskRunner> {
  desks += 1;
  const desk = createDeskRunner(at(`home-${String(desks)}`), person);
  await desk('connect', '--credentials', service.credentialsPath);
  return desk;
}

async function restoreOn(desk: DeskRunner, file: string) {
  const run = await desk('restore', at(file));
  expect([run.code, run.stderr]).toEqual([0, '']);
  return run.json(takenSchema);
}

async function statesOn(desk: DeskRunner) {
  const { items } = (await desk('queue')).json(itemsSchema);
  return items.map((row) => [row['kind'], row['state']]);
}

async function reportsOn(desk: DeskRunner): Promise<number> {
  return (await desk('reports', key)).json(itemsSchema).total;
}

beforeAll(async () => {
  service = await folder.start('--demo', '12', '--limits', 'x10');
  first = await newDesk();
  await first('sync');
  key = await caseInProgress(first);
  writeFileSync(at('report.pdf'), report);
  await first('amounts', key, '--estimate', '1200', '--approved', '900');
  await first('comment', key, 'Seen at the garage.');
  await first('report', key, '--file', at('report.pdf'), '--comment', 'One', '--submit');
  await first('report', key, '--file', at('report.pdf'), '--comment', 'Two');
});
afterAll(folder.end);

describe('desk backup and restore', () => {
  it('packs what is not delivered, unreadable without the passphrase', async () => {
    const run = await first('backup', '--to', at('work.desk'));
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.json(madeSchema)).toMatchObject({ entries: 3, drafts: 1, files: 2 });
    const bytes = readFileSync(at('work.desk'));
    expect(bytes.length).toBe(run.json(madeSchema).sizeBytes);
    expect(statSync(at('work.desk')).mode & 0o777).toBe(0o600);
    for (const word of ['Müller', 'garage', key, 'report.pdf']) {
      expect(bytes.includes(word)).toBe(false);
    }
  });

  it('overwrites nothing', async () => {
    writeFileSync(at('mine.txt'), 'mine');
    const run = await first('backup', '--to', at('mine.txt'));
    expect([run.code, run.json(errorSchema).code]).toEqual([1, 'file_exists']);
    expect(readFileSync(at('mine.txt'), 'utf8')).toBe('mine');
    const nowhere = await first('backup', '--to', at('no/such/folder'));
    expect([nowhere.code, nowhere.json(errorSchema).code]).toEqual([1, 'file_unwritable']);
  });

  it('puts it into another laptop once, even if it is restored again', async () => {
    const second = await newDesk();
    expect(await restoreOn(second, 'work.desk')).toMatchObject({
      entries: 3,
      drafts: 1,
      files: 2,
      known: 0,
    });
    const again = await restoreOn(second, 'work.desk');
    expect(again).toMatchObject({ entries: 0, drafts: 0, files: 0, known: 4, differing: [] });
    expect(await statesOn(second)).toEqual([
      ['report', 'unknown'],
      ['comment', 'waiting'],
      ['amounts', 'waiting'],
    ]);
  });

  it('changes nothing on the laptop that made it', async () => {
    expect(await restoreOn(first, 'work.desk')).toMatchObject({ entries: 0, drafts: 0, known: 4 });
  });

  it('delivers a report once although both laptops do', async () => {
    const before = await reportsOn(first);
    const second = await newDesk();
    await restoreOn(second, 'work.desk');
    await second('sync');
    expect(await statesOn(second)).toEqual([
      ['report', 'delivered'],
      ['comment', 'delivered'],
      ['amounts', 'delivered'],
    ]);
    expect(await reportsOn(first)).toBe(before + 1);
    await first('sync');
    expect((await statesOn(first)).map(([, state]) => state)).not.toContain('attention');
    expect(await reportsOn(first)).toBe(before + 1);
  });

  it('knows what was delivered here after the package was made', async () => {
    expect(await restoreOn(first, 'work.desk')).toMatchObject({ entries: 0, known: 4 });
  });

  it('lets a newer value stand', async () => {
    const second = await newDesk();
    await second('sync');
    await second('comment', key, 'Newer');
    expect(await restoreOn(second, 'work.desk')).toMatchObject({ superseded: 1 });
    await second('sync');
    const shown = (await second('case', key)).json(z.looseObject({ expertComment: z.string() }));
    expect(shown.expertComment).toBe('Newer');
  });
});

describe('desk restore refuses', () => {
  it.each([
    ['another file', () => Buffer.from('%PDF-1.4 and so on'), 'package_unreadable'],
    ['an empty file', () => Buffer.alloc(0), 'package_unreadable'],
    [
      'a package cut off',
      () => readFileSync(at('work.desk')).subarray(0, -70_000),
      'package_damaged',
    ],
    [
      'a package cut off in its head',
      () => readFileSync(at('work.desk')).subarray(0, 50),
      'package_damaged',
    ],
    [
      'a package with a byte changed',
      () => {
        const bytes = readFileSync(at('work.desk'));
        bytes[1000] = (bytes[1000] ?? 0) ^ 1;
        return bytes;
      },
      'package_damaged',
    ],
  ])('%s', async (_, bytes, code) => {
    writeFileSync(at('bad.desk'), bytes());
    const desk = await newDesk();
    const run = await desk('restore', at('bad.desk'));
    expect([run.code, run.json(errorSchema).code]).toEqual([1, code]);
    expect(run.stderr.includes('not an Appraiser Desk backup')).toBe(code === 'package_unreadable');
    expect((await desk('queue')).json(itemsSchema).total).toBe(0);
  });

  it('a wrong passphrase', async () => {
    const vault = createMemoryVault();
    const env = { DESK_BACKUP_PASSPHRASE: 'battery staple' };
    const desk = createDeskRunner(at('wrong'), { env, vault });
    await desk('connect', '--credentials', service.credentialsPath);
    const run = await desk('restore', at('work.desk'));
    expect([run.code, run.json(errorSchema).code]).toEqual([1, 'package_passphrase_wrong']);
    expect((await desk('queue')).json(itemsSchema).total).toBe(0);
  });

  it('a file that is not there', async () => {
    const run = await (await newDesk())('restore', at('nowhere.desk'));
    expect([run.code, run.json(errorSchema).code]).toEqual([1, 'file_not_found']);
  });

  it('a package of another connection', async () => {
    const other = createDeskRunner(at('other'), person);
    await other('connect', '--credentials', service.credentialsPath, '--as', 'otherExpert');
    const run = await other('restore', at('work.desk'));
    expect([run.code, run.json(errorSchema).code]).toEqual([1, 'package_other_connection']);
  });
});

describe('the passphrase', () => {
  const vault = createMemoryVault();
  const typing = (...secrets: string[]) => createDeskRunner(at('typing'), { secrets, vault });

  it('is typed twice if a slip would lock the work away, once if it opens', async () => {
    await typing()('connect', '--credentials', service.credentialsPath);
    const slipped = await typing('one long one', 'another one')('backup', '--to', at('typed.desk'));
    expect([slipped.code, slipped.stderr]).toEqual([2, expect.stringContaining('not the same')]);
    const typed = await typing('one long one', 'one long one')('backup', '--to', at('typed.desk'));
    expect(typed.code).toBe(0);
    expect((await typing('one long one')('restore', at('typed.desk'))).code).toBe(0);
  });

  it('is refused if it is too short, and not asked without a terminal', async () => {
    for (const desk of [typing('short'), typing()]) {
      const run = await desk('backup', '--to', at('short.desk'));
      expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('8 characters')]);
    }
  });
});
