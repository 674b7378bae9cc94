import { readFileSync, statSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseExportSchema } from '#shared/desk/case-export.ts';
import { caseSummarySchema } from '#shared/desk/cases.ts';
import { z } from 'zod';
import { casesSchema, createDeskRunner, errorSchema } from '../../support/desk-in-process.ts';
import { type RunningService, serviceFolder } from '../../support/processes.ts';

const folder = serviceFolder();
const { at } = folder;
const desk = createDeskRunner(at('home'));
const exportedSchema = caseExportSchema.extend({ event: z.literal('exported') });
let service: RunningService;

async function exported(name: string, ...options: string[]) {
  const run = await desk('export', '--to', at(name), ...options);
  expect(run.stderr).toBe('');
  return run.json(exportedSchema);
}

beforeAll(async () => {
  service = await folder.start('--demo', '40', '--limits', 'x10');
  await desk('connect', '--credentials', service.credentialsPath);
  await desk('sync');
});
afterAll(folder.end);

describe('desk export', () => {
  it('writes every case as csv', async () => {
    const { total } = (await desk('cases')).json(casesSchema);
    expect(await exported('a.csv', '--format', 'csv')).toMatchObject({ cases: total });
    const text = readFileSync(at('a.csv'), 'utf8');
    expect(text.startsWith('\ufeffClaim number;Status;')).toBe(true);
    expect(text.match(/\r\n/g)?.length).toBeGreaterThanOrEqual(total + 1);
    expect(statSync(at('a.csv')).mode & 0o777).toBe(0o600);
  });

  it('writes the filtered cases as json of the contract, by external key', async () => {
    const { total } = (await desk('cases', '--status', 'InProgress')).json(casesSchema);
    await exported('a.json', '--format', 'json', '--status', 'InProgress');
    const schema = z.object({ items: z.array(caseSummarySchema), total: z.int() });
    const read = schema.parse(JSON.parse(readFileSync(at('a.json'), 'utf8')));
    expect([read.total, read.items.length]).toEqual([total, total]);
    const keys = read.items.map(({ externalKey }) => externalKey);
    expect(keys).toEqual(keys.toSorted());
    await exported('none.json', '--format', 'json', '--q', 'nobodyhasthis');
    expect(JSON.parse(readFileSync(at('none.json'), 'utf8'))).toEqual({ items: [], total: 0 });
  });

  it('writes a workbook', async () => {
    const { cases } = await exported('a.xlsx', '--format', 'xlsx');
    const parts = unzipSync(readFileSync(at('a.xlsx')));
    const sheet = Buffer.from(parts['xl/worksheets/sheet1.xml'] ?? []).toString('utf8');
    expect(sheet.match(/<row\b/g)).toHaveLength(cases + 1);
  });

  it('overwrites nothing, and knows no other format', async () => {
    const run = await desk('export', '--format', 'csv', '--to', at('a.csv'));
    expect([run.code, run.json(errorSchema).code]).toEqual([1, 'file_exists']);
    expect((await desk('export', '--format', 'pdf', '--to', at('b.pdf'))).code).toBe(2);
    const status = await desk('export', '--format', 'csv', '--to', at('c.csv'), '--status', 'Nope');
    expect(status.code).toBe(2);
  });
});
