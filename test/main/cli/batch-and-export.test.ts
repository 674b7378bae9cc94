import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { unzipSync, zipSync } from 'fflate';
import { caseExportSchema } from '#shared/desk/cases/case-export.ts';
import { printedBatch, printedSummary } from '../../support/printed.ts';
import {
  createDeskRunner,
  errorSchema,
  itemsSchema,
  casesSchema,
} from '../../support/desk-in-process.ts';
import { type ServiceHere, serviceFolderHere } from '../../support/service-here.ts';
import { cutPdf, protectedPdf, smallPdf } from '../../support/pdf-files.ts';

const folder = serviceFolderHere();
const { at } = folder;
const inbox = folder.at('inbox');
const desk = createDeskRunner(folder.at('home'));
const pdf = (text: string) => smallPdf(text).toString();
const put = (path: string, content: string | Buffer) => {
  const file = join(inbox, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
};
const caseSchema = z.looseObject({
  externalKey: z.string(),
  status: z.string(),
  partyName: z.string(),
  policyNumber: z.string(),
  licensePlate: z.string(),
});
const listSchema = z.object({ items: z.array(caseSchema), total: z.int() });
type Case = z.infer<typeof caseSchema>;

let service: ServiceHere;
let car: Case;
let other: Case;
let closed: Case;
let third: Case;

async function run(...options: string[]) {
  const ended = await desk('batch', inbox, ...options);
  const result = ended.json(printedBatch);
  const outcomes = Object.fromEntries(result.items.map((item) => [item.path, item.outcome]));
  return { code: ended.code, outcomes, ...result };
}
const queued = async () => (await desk('queue')).json(itemsSchema).total;

beforeAll(async () => {
  service = await folder.start('--demo', '40', '--limits', 'x10');
  await desk('connect', '--credentials', service.credentialsPath);
  await desk('sync');
  const { items } = (await desk('cases')).json(listSchema);
  const plates = items.map(({ licensePlate }) => licensePlate);
  const found = (isWanted: (item: Case) => boolean) => {
    const item = items.find(isWanted);
    if (!item) throw new Error('the practice data have no such case');
    return item;
  };
  const takesWork = ({ status }: Case) => ['Accepted', 'InProgress'].includes(status);
  car = found(
    (item) =>
      takesWork(item) &&
      item.licensePlate !== '' &&
      plates.filter((plate) => plate === item.licensePlate).length === 1,
  );
  other = found((item) => takesWork(item) && item !== car);
  closed = found(({ status }) => status === 'Final');
  third = found((item) => takesWork(item) && item !== car && item !== other);
  put(`${car.licensePlate.toLowerCase().replaceAll(' ', '-')} front.pdf`, pdf('front'));
  put(`${car.externalKey}/Restwertbörse/offer.pdf`, pdf('offer'));
  put(`${car.externalKey}/report.pdf`, pdf('report'));
  put(`${car.externalKey}/report again.pdf`, pdf('report'));
  put(`${other.externalKey}.pdf`, pdf('other'));
  put(`${other.externalKey} program.exe`, 'MZ');
  put(`${closed.externalKey}.pdf`, pdf('closed'));
  put('holiday.pdf', pdf('holiday'));
  put(`${third.externalKey} cut.pdf`, cutPdf());
  const zip = zipSync({ 'a.txt': new Uint8Array(5000).fill(120) });
  put(`${third.externalKey} half.zip`, Buffer.from(zip.subarray(0, zip.length / 2)));
  put(`${third.externalKey}/.Gutachten.pdf.icloud`, 'bplist00');
  truncateSync(put(`${third.externalKey} in cloud.pdf`, ''), 500_000);
  put(`${third.externalKey} locked.pdf`, await protectedPdf('geheim'));
  put('.DS_Store', 'x');
  put('Thumbs.db', 'x');
  symlinkSync('/etc/passwd', join(inbox, `${third.externalKey} link.txt`));
  symlinkSync(folder.at(), join(inbox, 'elsewhere'));
  // Windows has no pipes in its file system.
  if (process.platform === 'win32') put('pipe.exe', 'MZ');
  else execFileSync('mkfifo', [join(inbox, 'pipe.pdf')]);
});
afterAll(folder.end);

describe('desk batch', () => {
  it('reports with --dry-run what it would do, and makes nothing', async () => {
    const { outcomes, items, reports, code } = await run('--dry-run', '--submit');
    expect(items.find(({ externalKey }) => externalKey === closed.externalKey)).toMatchObject({
      outcome: 'refused',
      case: { partyName: closed.partyName, problem: { code: 'case_state' } },
    });
    expect([code, reports, await queued()]).toEqual([1, [], 0]);
    expect(Object.values(outcomes).toSorted()).toEqual([
      'duplicate',
      'kept_back',
      'kept_back',
      'ready',
      'ready',
      'ready',
      'refused',
      'refused',
      'refused',
      'refused',
      'refused',
      'refused',
      'refused',
      'unmatched',
      'unmatched',
      'unmatched',
    ]);
    const ofThird = (name: string) => items.find(({ path }) => path.endsWith(name));
    expect(ofThird(' cut.pdf')?.problem?.code).toBe('pdf_damaged');
    expect(ofThird(' half.zip')?.problem).toMatchObject({
      code: 'file_damaged',
      params: { rule: 'archive_directory' },
    });
    expect(ofThird('.icloud')?.problem).toMatchObject({
      code: 'file_kind',
      params: { rule: 'kind_cloud' },
    });
    expect(ofThird(' in cloud.pdf')?.problem?.code).toBe('file_in_cloud');
    expect(items.filter(({ isProtected }) => isProtected)).toEqual([ofThird(' locked.pdf')]);
  });

  it('makes one draft per case, and leaves out a case whole of which it refuses a file', async () => {
    const { outcomes, items, reports, code } = await run();
    expect([code, await queued()]).toEqual([1, 0]);
    expect(reports).toHaveLength(1);
    expect(outcomes).toMatchObject({
      [`${car.externalKey}/report.pdf`]: expect.stringMatching(/added|duplicate/) as string,
      [`${car.externalKey}/Restwertbörse/offer.pdf`]: 'added',
      [`${other.externalKey}.pdf`]: 'kept_back',
      'holiday.pdf': 'unmatched',
    });
    expect(items.find(({ path }) => path.endsWith(' cut.pdf'))?.problem?.code).toBe('pdf_damaged');
    expect(items.filter(({ isProtected }) => isProtected)).toHaveLength(1);
    expect(items.find(({ path }) => path.includes('program'))?.problem?.code).toBe(
      'file_type_not_allowed',
    );
    expect(items.find(({ externalKey }) => externalKey === closed.externalKey)?.problem).toEqual({
      code: 'case_state',
      params: { status: 'Final' },
    });
    const salvage = items.filter(({ isSalvageSale }) => isSalvageSale);
    expect(salvage.map(({ path }) => path)).toEqual([`${car.externalKey}/Restwertbörse/offer.pdf`]);
  });

  it.each([['--dry-run'], []])(
    'names links and pipes with the reason, and follows none (%#)',
    async (...options) => {
      const { items } = await run(...options);
      const of = (start: string) => items.filter(({ path }) => path.startsWith(start));
      const link = { outcome: 'refused', problem: { code: 'file_is_link' }, sizeBytes: null };
      expect(of(`${third.externalKey} link`)).toMatchObject([link]);
      expect(of('elsewhere')).toMatchObject([{ ...link, path: 'elsewhere', outcome: 'unmatched' }]);
      const code = process.platform === 'win32' ? 'file_type_not_allowed' : 'file_not_regular';
      expect(of('pipe')).toMatchObject([{ outcome: 'unmatched', problem: { code } }]);
    },
  );

  it('queues the drafts that it began with --submit, and a late file with them', async () => {
    rmSync(join(inbox, `${other.externalKey} program.exe`));
    put(`${other.externalKey} late.pdf`, pdf('late'));
    const { reports } = await run('--submit');
    expect(reports.map(({ files, queueId }) => [files, queueId !== null])).toEqual(
      expect.arrayContaining([
        [3, true],
        [2, true],
      ]),
    );
    expect(await queued()).toBe(2);
  });

  it('takes nothing twice, before and after it is delivered', async () => {
    const before = await run('--submit');
    expect(before.reports).toEqual([]);
    expect(before.items.filter(({ outcome }) => outcome === 'known')).toHaveLength(6);
    await desk('sync');
    const after = await run('--submit');
    expect([after.reports, await queued()]).toEqual([[], 2]);
    const states = after.items.flatMap(({ queueState }) => queueState ?? []);
    expect(states).toEqual(Array.from({ length: 6 }, () => 'delivered'));
  });

  it('names a folder that is not there', async () => {
    const ended = await desk('batch', folder.at('nowhere'));
    expect([ended.code, ended.json(errorSchema).code]).toEqual([1, 'file_not_found']);
  });
});

describe('desk batch --sheet', () => {
  const empty = folder.at('empty');
  const sheetFile = (name: string, lines: string[]) => {
    const file = folder.at(name);
    writeFileSync(file, lines.join('\r\n'), 'latin1');
    return file;
  };
  const runSheet = async (file: string) => {
    mkdirSync(empty, { recursive: true });
    const ended = await desk('batch', empty, '--sheet', file);
    return { code: ended.code, ...ended.json(printedBatch).sheet };
  };

  it('names every bad line and why, and changes nothing', async () => {
    const before = await queued();
    const file = sheetFile('bad.csv', [
      'Schadennummer;Partei;Kostenvoranschlag CHF;Freigegeben;Kommentar',
      `${third.externalKey};x;1'234.50;;"in Ordnung"`,
      'SF-0000-000000;x;5;;',
      `${third.externalKey};x;6;;`,
      ';;;;',
      `${other.externalKey};x;12,345;;`,
      `${closed.externalKey};x;;;darf nicht`,
      ';x;5;;',
      `SF-0000-000000;x;12,345;-5;`,
    ]);
    const { code, problems } = await runSheet(file);
    expect(code).toBe(1);
    expect(problems?.map(({ line, problem }) => [line, problem.code])).toEqual([
      [3, 'case_not_found'],
      [4, 'sheet_line_twice'],
      [6, 'amount_not_a_number'],
      [7, 'case_state'],
      [8, 'sheet_columns'],
      // Every fault of a line.
      [9, 'amount_not_a_number'],
      [9, 'amount_negative'],
      [9, 'case_not_found'],
    ]);
    expect(await queued()).toBe(before);
  });

  it.each([
    ['a key without anything to set', ['externalKey;Partei', 'x;y'], 1, 'sheet_columns'],
    ['a quote that never ends', ['externalKey;Kommentar', 'x;"y'], 2, 'sheet_cell_quote'],
    ['a workbook of before 2007', ['\u00d0\u00cf\u0011\0;\0'], 1, 'sheet_unreadable'],
    ['an archive that is no workbook', ['PK\u0003\u0004nonsense'], 1, 'sheet_unreadable'],
  ])('says of %s what is wrong', async (_, lines, line, code) => {
    const { problems } = await runSheet(sheetFile('odd.csv', lines));
    expect(problems).toEqual([{ line, problem: expect.objectContaining({ code }) as unknown }]);
  });

  it.each([
    [
      'Excel’s own first line',
      (text: string) => Buffer.from(`sep=,\r\n${text.replaceAll(';', ',')}`),
    ],
    [
      'Unicode text',
      (text: string) => Buffer.from(`\ufeff${text.replaceAll(';', '\t')}`, 'utf16le'),
    ],
    [
      'Excel’s first line, lines and letters of an older Mac',
      (text: string) =>
        Buffer.from(`sep=;\r${text.replaceAll('\r\n', '\r').replace('Felge', 'T\x9fr')}`, 'latin1'),
    ],
    ['an inch sign in a cell', (text: string) => Buffer.from(text.replace('Felge', 'Felge 18"'))],
  ])('reads a sheet with %s', async (name, written) => {
    const file = folder.at(`${name}.csv`);
    const key = third.externalKey;
    const lines = ['externalKey;approvedAmount;expertComment', `${key};900;Felge vorne`, 'x;1;y'];
    writeFileSync(file, written(lines.join('\r\n')));
    const { problems } = await runSheet(file);
    const line = name.startsWith('Excel') ? 4 : 3;
    expect(problems?.map((one) => [one.line, one.problem.code])).toEqual([
      [line, 'case_not_found'],
    ]);
  });

  it('reports a sheet that is too large, and one that is missing', async () => {
    mkdirSync(empty, { recursive: true });
    const file = sheetFile('large.csv', ['externalKey;Kommentar']);
    truncateSync(file, 9_000_001);
    const large = await desk('batch', empty, '--sheet', file);
    expect([large.code, large.json(errorSchema).code]).toEqual([1, 'file_too_large']);
    const none = await desk('batch', empty, '--sheet', `${file}.gone`);
    expect([none.code, none.json(errorSchema).code]).toEqual([1, 'file_not_found']);
  });

  it('queues what differs from the case, in the letters of any program', async () => {
    const before = await queued();
    const file = sheetFile('good.csv', [
      'externalKey,approvedAmount,expertComment',
      `${third.externalKey},812.5,"Geprüft, ""gut"""`,
    ]);
    const { code, items, problems } = await runSheet(file);
    expect([code, problems]).toEqual([0, []]);
    expect(items).toMatchObject([{ line: 2, approvedAmount: 812.5, comment: 'Geprüft, "gut"' }]);
    expect(await queued()).toBe(before + 2);
    expect(await runSheet(file)).toMatchObject({ items: [], unchanged: 1, problems: [] });
    expect(await queued()).toBe(before + 2);
  });

  it.each(['Freigegeben', 'Approved amount', 'Approuvé', 'Approvato CHF'])(
    'reads the former heading %s of the assessed amount',
    async (heading) => {
      const lines = [`externalKey;${heading}`, `${third.externalKey};-5`];
      const { problems } = await runSheet(sheetFile('former.csv', lines));
      expect(problems?.map(({ problem }) => problem.code)).toEqual(['amount_negative']);
    },
  );

  it.each(['csv', 'xlsx'])(
    'finds nothing new in the list that it exported as %s',
    async (format) => {
      const file = folder.at(`list.${format}`);
      await desk('--lang', 'fr', 'export', '--format', format, '--to', file);
      const total = (await desk('cases')).json(listSchema).total;
      expect(await runSheet(file)).toMatchObject({ items: [], unchanged: total, problems: [] });
    },
  );
});

describe('desk export', () => {
  const exportedSchema = caseExportSchema.extend({ event: z.literal('exported') });

  async function exported(name: string, ...options: string[]) {
    const run = await desk('export', '--to', at(name), ...options);
    expect(run.stderr).toBe('');
    return run.json(exportedSchema);
  }

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
    const schema = z.object({ items: z.array(printedSummary), total: z.int() });
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
