import {
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
  closeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  restoredWorkSchema,
  workBackupListSchema,
  workBackupSchema,
} from '#shared/desk/setup/work-package.ts';
import {
  caseInProgress,
  createDeskRunner,
  type DeskRunner,
  errorSchema,
  itemsSchema,
} from '../../support/desk-in-process.ts';
import { type ServiceHere, serviceFolderHere } from '../../support/service-here.ts';
import { openServerView, type ServerView, sha256Hex } from '../../support/server-view.ts';
import { smallPdf } from '../../support/pdf-files.ts';

const folder = serviceFolderHere();
const { at } = folder;
const takenSchema = restoredWorkSchema.extend({ event: z.literal('restored') });
const leftSchema = workBackupSchema.extend({ event: z.literal('left') });
const damagedSchema = z.object({ damaged: z.looseObject({}).optional() });
const report = smallPdf('Report', Buffer.alloc(200_000, 'x'));
const warning =
  'The file with your unsent work is damaged. It was set aside and not overwritten. You can restore its last verified backup under Settings › Backup. To restore it: npm run desk -- restore --backup.\n';

let service: ServiceHere;
let server: ServerView;
let desks = 0;
let home: string;
let desk: DeskRunner;
let key: string;

beforeAll(async () => {
  service = await folder.start('--demo', '60', '--limits', 'x10');
  server = await openServerView(service.credentials);
  writeFileSync(at('report.pdf'), report);
});
afterAll(folder.end);

beforeEach(async () => {
  desks += 1;
  home = at(`home-${String(desks)}`);
  desk = createDeskRunner(home);
  await desk('connect', '--credentials', service.credentialsPath);
  await desk('sync');
  key = await caseInProgress(desk);
  await desk('amounts', key, '--estimate', String(1000 + desks));
  await desk(
    'report',
    key,
    '--file',
    at('report.pdf'),
    '--comment',
    `Queued ${String(desks)}`,
    '--submit',
  );
  await desk('report', key, '--file', at('report.pdf'), '--comment', 'A draft');
  // Every start makes a backup of what was there.
  await desk('queue');
});

function workspace(): string {
  const [id = ''] = readdirSync(join(home, 'workspaces'));
  return join(home, 'workspaces', id);
}

/**
 * Overwrites a fifth of the pages from the middle on, which nothing but reading all of the file
 * would notice. One page alone may be an index, which a backup rebuilds instead of reading it.
 */
function damage(file: string, from = 0.5): void {
  const handle = openSync(file, 'r+');
  const pages = statSync(file).size / 4096;
  const count = from === 0 ? 1 : Math.ceil(pages / 5);
  writeSync(
    handle,
    Buffer.alloc(count * 4096, 7),
    0,
    count * 4096,
    Math.floor(pages * from) * 4096,
  );
  closeSync(handle);
}

const statesOf = async () =>
  (await desk('queue')).json(itemsSchema).items.map((row) => [row['kind'], row['state']]);

describe('a file of undelivered work', () => {
  it.each([
    ['with damage in its first page', (file: string) => damage(file, 0)],
    ['with damage in the middle', (file: string) => damage(file)],
    ['that was emptied', (file: string) => truncateSync(file, 0)],
    ['that is gone', (file: string) => rmSync(file)],
  ])('%s is put aside, and its last backup taken back and delivered once', async (_how, spoil) => {
    spoil(join(workspace(), 'work.db'));
    const after = await desk('queue');
    expect(after.stderr).toBe(warning);
    expect(after.json(itemsSchema).total).toBe(0);

    const offered = (await desk('restore')).json(workBackupListSchema);
    expect(offered.items).toMatchObject([{ entries: 2, drafts: 1 }]);
    const taken = await desk('restore', '--backup');
    expect(taken.json(takenSchema)).toMatchObject({ entries: 2, drafts: 1, files: 2, known: 0 });
    expect((await desk('queue')).stderr).toBe('');
    expect((await desk('restore')).json(workBackupListSchema).total).toBe(0);

    await desk('sync');
    expect(await statesOf()).toEqual([
      ['report', 'delivered'],
      ['amounts', 'delivered'],
    ]);
    const [found] = (await server.cases()).filter(({ ExternalKey }) => ExternalKey === key);
    expect(found).toMatchObject({ CostEstimateAmount: 1000 + desks });
    const comment = `Queued ${String(desks)}`;
    const reports = await server.reports(String(found?.['Id']));
    const own = reports.filter(({ Comment }) => Comment === comment);
    expect(own.map(({ Status }) => Status)).toEqual(['Submitted']);
    const documents = await server.documents(String(own[0]?.['Id']));
    expect(documents.map(({ sha256 }) => sha256)).toEqual([sha256Hex(report)]);
  });

  it('that is damaged falls back on an older backup if the last one is damaged too', async () => {
    const backups = join(workspace(), 'backups');
    const names = readdirSync(backups).sort();
    expect(names).toHaveLength(3);
    for (const name of names.slice(1)) damage(join(backups, name));
    damage(join(workspace(), 'work.db'));
    const { items } = (await desk('restore')).json(workBackupListSchema);
    // The newer ones contain a draft, too.
    expect(items).toMatchObject([{ entries: 2, drafts: 0 }]);
  });

  it('that is damaged is reported by every command until the user decides', async () => {
    damage(join(workspace(), 'work.db'));
    const offered = { id: expect.stringContaining('quarantine') as unknown, entries: 2, drafts: 1 };
    for (const command of [['cases'], ['comment', key, 'Meanwhile.'], ['queue'], ['restore']]) {
      const run = await desk(...command);
      expect([run.code, run.stderr]).toEqual([8, warning]);
      expect(run.json(damagedSchema).damaged).toMatchObject(offered);
    }
    const failed = await desk('case', 'unknown');
    expect([failed.code, failed.json(damagedSchema).damaged]).toMatchObject([1, offered]);
    const taken = await desk('restore', '--backup');
    expect([taken.code, taken.json(damagedSchema).damaged]).toEqual([0, undefined]);
    // What was done in the meantime stays.
    expect(await statesOf()).toHaveLength(3);
  });

  it('that has no sound backup is reported by the next command, and nothing is offered', async () => {
    const backups = join(workspace(), 'backups');
    for (const name of readdirSync(backups)) damage(join(backups, name), 0);
    damage(join(workspace(), 'work.db'));
    const after = await desk('queue');
    expect(after.json(damagedSchema).damaged).toEqual({ id: null });
    expect([after.code, after.stderr]).toEqual([
      8,
      'The file with your unsent work is damaged, and none of its backups is intact. It was set aside and not overwritten. Check with the insurer what has arrived.\n',
    ]);
    expect((await desk('restore')).json(workBackupListSchema).total).toBe(0);
    const aside = readdirSync(workspace()).find((name) => name.startsWith('quarantine-')) ?? '';
    expect(readdirSync(join(workspace(), aside))).toContain('work.db');
  });

  it('has the last act of a command in its backup', async () => {
    await desk('comment', key, 'The last one.');
    damage(join(workspace(), 'work.db'));
    const { items } = (await desk('restore')).json(workBackupListSchema);
    expect(items).toMatchObject([{ entries: 3, drafts: 1 }]);
  });

  it('that is left aside is offered no more, and nothing of it is taken in', async () => {
    damage(join(workspace(), 'work.db'));
    const both = await desk('restore', '--backup', '--leave');
    expect(both.code).toBe(2);
    const left = await desk('restore', '--leave');
    expect([left.code, left.json(leftSchema)]).toMatchObject([0, { entries: 2, drafts: 1 }]);
    const after = await desk('queue');
    expect(after.stderr).toBe('');
    expect(after.json(itemsSchema).total).toBe(0);
    const again = await desk('restore', '--leave');
    expect(again.code).toBe(2);
    // One reports what is missing, the other what contradicts.
    for (const [result, sentence] of [
      [both, /only one of these/],
      [await desk('restore', 'work.backup', '--leave'), /only one of these/],
      [await desk('restore', '--backup', '--leave'), /only one of these/],
      [again, /No backup of damaged work waits/],
    ] as const)
      expect(result.stderr).toMatch(sentence);
    const aside = readdirSync(workspace()).find((name) => name.startsWith('quarantine-')) ?? '';
    expect(readdirSync(join(workspace(), aside, 'backups-decided'))).toHaveLength(3);
  });

  it('is offered nowhere if nothing was damaged', async () => {
    const run = await desk('restore', '--backup');
    expect(run.code).toBe(2);
    expect(run.json(errorSchema.partial({ code: true })).message).toContain('No backup');
  });
});
