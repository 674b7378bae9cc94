import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BatchInput, BatchResult, BatchTemplate } from '#shared/desk/reports/batch.ts';
import type { CaseSummary } from '#shared/desk/cases/cases.ts';
import { formatAmount } from '#shared/i18n/format.ts';
import type { Engine } from '#main/engine/engine.ts';
import { makePlainJpeg } from '../../../support/sample-files.ts';
import { makeDocx, paragraph, picturesOf, textsOf } from '../../../support/word-documents.ts';
import { openTestEngine, sharePractice, testFolder, testKeychain } from '../support/test-engine.ts';

const { starter } = sharePractice();
let desk: Engine;
let folder: string;
let cases: CaseSummary[];

const write = (name: string, colour: readonly number[]) =>
  writeFileSync(join(folder, name), makePlainJpeg(160, 120, colour));
const fill = (input: Partial<BatchInput> = {}) =>
  desk.tools.runBatch({ folder, template: { name: 'Report', asPdf: false }, ...input });

/** The texts of the filled document of a draft, and how many pictures it has. */
async function documentOf(draftId: string) {
  const { attachments } = await desk.reports.getDraft({ draftId });
  const [document, ...others] = attachments;
  const { stream } = await desk.files.openAttachment(draftId, document?.id ?? '');
  const bytes = await buffer(stream);
  const names = others.map(({ fileName }) => fileName);
  return { texts: textsOf(bytes), pictures: picturesOf(bytes).length, names };
}

/** A sheet that names both cases, next to the folder. */
function writeSheet(amounts: readonly string[]): string {
  const lines = cases.map(({ externalKey }, index) => `${externalKey};${amounts[index] ?? ''}`);
  const sheet = join(folder, '..', 'sheet.csv');
  writeFileSync(sheet, ['externalKey;approvedAmount', ...lines, ''].join('\n'));
  return sheet;
}

function mailWith(
  subject: string,
  files: readonly { filename: string; content: Buffer }[],
): string {
  const parts = files.flatMap(({ filename, content }) => [
    '--part',
    `Content-Disposition: attachment; filename="${filename}"`,
    'Content-Type: application/octet-stream',
    'Content-Transfer-Encoding: base64',
    '',
    content.toString('base64'),
  ]);
  const head = [`Subject: ${subject}`, 'Content-Type: multipart/mixed; boundary=part', ''];
  return [...head, '--part', '', 'Guten Tag', ...parts, '--part--', ''].join('\r\n');
}

/** By the key of its case, the result of what only the sheet names. */
const outcomesOf = ({ sheetCases }: BatchResult) =>
  Object.fromEntries(sheetCases.map(({ externalKey, outcome }) => [externalKey, outcome]));

beforeEach(async () => {
  const dir = testFolder();
  folder = join(dir, 'files');
  mkdirSync(folder);
  desk = await openTestEngine({
    home: join(dir, 'home'),
    vault: testKeychain(),
    practice: starter,
    findOffice: () => null,
  });
  await desk.sync.run({ documents: 'none' });
  cases = (await desk.cases.list({ status: 'InProgress' })).items.slice(0, 2);
  const body = paragraph('{case.key} {amounts.approved}') + paragraph('{#photos}{photo}{/photos}');
  const content = Readable.from([makeDocx(body)]);
  await desk.files.addTemplate({ fileName: 'Report.de.docx', content });
});

it('puts a mail to the case of its subject, as it says before', async () => {
  const key = cases[0]?.externalKey ?? '';
  writeFileSync(join(folder, 'Anfrage.eml'), `Subject: =?utf-8?Q?Offerte_${key}?=\n\nGrüezi`);
  const outcomes = async (dryRun: boolean) => {
    const { items } = await desk.tools.runBatch({ folder, dryRun });
    return items.map(({ path, externalKey, outcome }) => [path, externalKey, outcome]);
  };
  expect(await outcomes(true)).toEqual([['Anfrage.eml', key, 'ready']]);
  expect(await outcomes(false)).toEqual([['Anfrage.eml', key, 'added']]);
});

it('takes the files that a mail carries if asked to, to the case of its subject, each checked', async () => {
  const [key, other] = cases.map(({ externalKey }) => externalKey);
  const file = (filename: string, bytes: Uint8Array | string) => ({
    filename,
    content: Buffer.from(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes),
  });
  const half = makePlainJpeg(160, 120, [200, 40, 40]).subarray(0, 300);
  const files = [file('Foto.jpg', makePlainJpeg(160, 120, [200, 40, 40])), file('a/b.txt', 'one')];
  files.push(file('a_b.txt', 'two'), file(`${other ?? ''}.txt`, 'three'));
  writeFileSync(join(folder, 'Anfrage.eml'), mailWith(`Offerte ${key ?? ''}`, files));
  writeFileSync(join(folder, `${other ?? ''} b.eml`), mailWith('', [file('half.jpg', half)]));
  const outcomes = async (input: Partial<BatchInput>) => {
    const { items } = await desk.tools.runBatch({ folder, submit: true, ...input });
    return items.map(({ path, externalKey, outcome }) => [path, externalKey, outcome]);
  };
  expect(await outcomes({ dryRun: true })).toHaveLength(2);
  const expected = (outcome: string) => [
    [`${other ?? ''} b.eml`, other, 'kept_back'],
    [`${other ?? ''} b.eml/half.jpg`, other, 'refused'],
    ['Anfrage.eml', key, outcome],
    ['Anfrage.eml/Foto.jpg', key, outcome],
    ['Anfrage.eml/a_b.txt', key, outcome],
    ['Anfrage.eml/a_b (2).txt', key, outcome],
    [`Anfrage.eml/${other ?? ''}.txt`, other, 'kept_back'],
  ];
  const sorted = (rows: readonly (readonly unknown[])[]) => rows.map(String).toSorted();
  const dry = await outcomes({ dryRun: true, attachments: true });
  expect(sorted(dry)).toEqual(sorted(expected('ready')));
  expect(sorted(await outcomes({ attachments: true }))).toEqual(sorted(expected('added')));
});

it('names the files that a mail carries and that were not read, and keeps back their case', async () => {
  const [key] = cases.map(({ externalKey }) => externalKey);
  const files = Array.from({ length: 1001 }, () => ({
    filename: 'a.txt',
    content: Buffer.from('a'),
  }));
  files.push({ filename: 'Rechnung.txt', content: Buffer.from('b') });
  writeFileSync(join(folder, 'Anfrage.eml'), mailWith(`Offerte ${key ?? ''}`, files));
  const run = { folder, submit: true, attachments: true, dryRun: true };
  const { items } = await desk.tools.runBatch(run);
  const refused = items.filter(({ outcome }) => outcome === 'refused');
  expect(refused.map(({ path }) => path)).toEqual([
    'Anfrage.eml/a (1001).txt',
    'Anfrage.eml/Rechnung.txt',
  ]);
  expect(refused[1]?.problem).toEqual({
    code: 'mail_files_left_out',
    params: { fileName: 'Anfrage.eml', n: 2, names: 'a (1001).txt, Rechnung.txt' },
  });
  expect(items[0]).toMatchObject({ path: 'Anfrage.eml', outcome: 'kept_back' });
});

describe('a batch with a template', () => {
  it('fills it for each case with its files, and with the amounts of the sheet', async () => {
    const [one, other] = cases.map(({ externalKey }) => externalKey);
    write(`${one} front.jpg`, [200, 0, 0]);
    write(`${one} rear.jpg`, [0, 0, 200]);
    write(`${other} front.jpg`, [0, 200, 0]);
    const sheet = join(folder, '..', 'sheet.csv');
    writeFileSync(sheet, `externalKey;approvedAmount\n${one};1234.50\n${other};99\n`);
    const { reports } = await fill({ sheet });
    const byKey = new Map(reports.map((report) => [report.externalKey, report]));
    expect(await documentOf(byKey.get(one ?? '')?.draftId ?? '')).toEqual({
      texts: [`${one} ${formatAmount(123_450, 'de')}`, ''],
      pictures: 2,
      names: [`${one} front.jpg`, `${one} rear.jpg`],
    });
    expect(await documentOf(byKey.get(other ?? '')?.draftId ?? '')).toMatchObject({
      texts: [`${other} ${formatAmount(9900, 'de')}`, ''],
      pictures: 1,
    });
    expect(reports.map(({ files }) => files).sort()).toEqual([2, 3]);
  });

  it('leaves a report with the document that it has', async () => {
    const key = cases[0]?.externalKey ?? '';
    write(`${key} front.jpg`, [200, 0, 0]);
    const [first] = (await fill()).reports;
    expect((await fill()).reports).toEqual([]);
    write(`${key} rear.jpg`, [0, 0, 200]);
    const [again] = (await fill()).reports;
    expect(again).toMatchObject({ draftId: first?.draftId, files: 3 });
    expect(await documentOf(first?.draftId ?? '')).toMatchObject({ pictures: 1 });
  });

  it('queues the document with the files on request', async () => {
    const key = cases[0]?.externalKey ?? '';
    write(`${key} front.jpg`, [200, 0, 0]);
    const [report] = (await fill({ submit: true })).reports;
    const { steps } = await desk.queue.get({ id: report?.queueId ?? 0 });
    const sent = steps.flatMap(({ kind, fileName }) => (kind === 'document' ? [fileName] : []));
    expect(sent).toEqual([`Report ${key}.docx`, `${key} front.jpg`]);
  });

  it('fills a draft of an earlier run before it is queued', async () => {
    const key = cases[0]?.externalKey ?? '';
    write(`${key} front.jpg`, [200, 0, 0]);
    const [draft] = (await desk.tools.runBatch({ folder })).reports;
    const [sent] = (await fill({ submit: true })).reports;
    expect(sent).toMatchObject({ draftId: draft?.draftId, files: 2 });
    const { steps } = await desk.queue.get({ id: sent?.queueId ?? 0 });
    expect(steps.map(({ fileName }) => fileName)).toContain(`Report ${key}.docx`);
  });

  it('sends no document with other amounts than those of the sheet', async () => {
    const [one = '', other = ''] = cases.map(({ externalKey }) => externalKey);
    write(`${one} front.jpg`, [200, 0, 0]);
    write(`${other} front.jpg`, [0, 200, 0]);
    await fill({ sheet: writeSheet(['100', '200']) });
    const { items, reports } = await fill({ sheet: writeSheet(['101', '200']), submit: true });
    expect(reports.map(({ externalKey }) => externalKey)).toEqual([other]);
    const codes = items.map(({ externalKey, problem }) => [externalKey, problem?.code]);
    expect(Object.fromEntries(codes)).toEqual({ [one]: 'draft_filled_otherwise' });
  });

  it('queues no draft of a case that takes no work any more', async () => {
    const [one = '', other = ''] = cases.map(({ externalKey }) => externalKey);
    write(`${one} front.jpg`, [200, 0, 0]);
    const sheet = writeSheet(['100', '200']);
    await fill({ sheet });
    for (const { id } of cases) await desk.practice.act({ id, act: 'cancel', reason: '' });
    await desk.sync.run({ documents: 'none' });
    const { items, reports, sheetCases } = await fill({ sheet, submit: true });
    expect(reports).toEqual([]);
    expect(items.map(({ problem }) => problem?.code)).toEqual(['case_state']);
    expect(outcomesOf({ sheetCases } as BatchResult)).toEqual({ [other]: 'refused' });
  });

  it('takes nothing if the template is missing or its PDF cannot be made', async () => {
    write(`${cases[0]?.externalKey ?? ''} front.jpg`, [200, 0, 0]);
    const missing = fill({ template: { name: 'No such', asPdf: false } });
    await expect(missing).rejects.toMatchObject({ code: 'template_not_found' });
    const making = fill({ template: { name: 'Report', asPdf: true } });
    await expect(making).rejects.toMatchObject({ code: 'pdf_program_missing' });
    expect((await desk.reports.drafts()).items).toEqual([]);
    expect((await fill()).reports).toHaveLength(1);
  });
});

describe('a case that only the sheet of a batch names', () => {
  it('is filled too, once for each content of its line', async () => {
    const [one = '', other = ''] = cases.map(({ externalKey }) => externalKey);
    write(`${one} front.jpg`, [200, 0, 0]);
    const sheet = writeSheet(['1234.50', '99']);
    const looked = await fill({ sheet, dryRun: true });
    expect([outcomesOf(looked), looked.reports]).toEqual([{ [other]: 'ready' }, []]);
    const first = await fill({ sheet });
    expect(first.reports.map(({ externalKey }) => externalKey)).toEqual([one, other]);
    expect(outcomesOf(first)).toEqual({ [other]: 'added' });
    const alone = first.reports[1]?.draftId ?? '';
    expect(await documentOf(alone)).toEqual({
      texts: [`${other} ${formatAmount(9900, 'de')}`, ''],
      pictures: 0,
      names: [],
    });
    const again = await fill({ sheet });
    expect([outcomesOf(again), again.reports]).toEqual([{ [other]: 'known' }, []]);
    const queued = await fill({ sheet, submit: true });
    expect(queued.reports.map(({ draftId }) => draftId)).toEqual([
      first.reports[0]?.draftId,
      alone,
    ]);
    const sent = await fill({ sheet, submit: true });
    expect([outcomesOf(sent), sent.reports]).toEqual([{ [other]: 'known' }, []]);
  });

  it('is filled after a kill between its amount and its document', async () => {
    const sheet = writeSheet(['1234.50', '99']);
    await desk.tools.runBatch({ folder, sheet });
    const { reports, sheet: read } = await fill({ sheet });
    expect([read?.items, reports.length]).toEqual([[], 2]);
  });

  it('is filled again for other values, unless a draft has those of before', async () => {
    const [one = '', other = ''] = cases.map(({ externalKey }) => externalKey);
    const [kept, sent] = (await fill({ sheet: writeSheet(['100', '200']) })).reports;
    await desk.reports.submitDraft({ draftId: sent?.draftId ?? '' });
    const changed = await fill({ sheet: writeSheet(['101', '201']), submit: true });
    expect(outcomesOf(changed)).toEqual({ [one]: 'kept_back', [other]: 'added' });
    expect(changed.sheetCases[0]).toMatchObject({ draftId: kept?.draftId, queueId: null });
    expect(await documentOf(changed.reports[0]?.draftId ?? '')).toMatchObject({
      texts: [`${other} ${formatAmount(20_100, 'de')}`, ''],
    });
  });

  it('stays filled for its line when the user fills it again', async () => {
    const sheet = writeSheet(['100', '200']);
    const [report] = (await fill({ sheet })).reports;
    const draftId = report?.draftId ?? '';
    const [document] = (await desk.reports.getDraft({ draftId })).attachments;
    const templateId = document?.details.filled?.templateId ?? '';
    await desk.templates.fill({ draftId, templateId, replaces: document?.id });
    await desk.reports.submitDraft({ draftId });
    const again = await fill({ sheet });
    expect(Object.values(outcomesOf(again))).toEqual(['known', 'known']);
  });

  it('is left to its files if it has some, and is not filled without a template', async () => {
    const [one = '', other = ''] = cases.map(({ externalKey }) => externalKey);
    write(`${one} front.jpg`, [200, 0, 0]);
    writeFileSync(join(folder, `${other} damaged.jpg`), 'no picture');
    const sheet = writeSheet(['100', '200']);
    expect((await desk.tools.runBatch({ folder, sheet, dryRun: true })).sheetCases).toEqual([]);
    const { reports, sheetCases } = await fill({ sheet });
    expect([reports.map(({ externalKey }) => externalKey), sheetCases]).toEqual([[one], []]);
  });

  it('is named if it takes no report', async () => {
    const [closed] = (await desk.cases.list({ status: 'Final' })).items;
    const sheet = join(folder, '..', 'sheet.csv');
    writeFileSync(sheet, `externalKey;approvedAmount\n${closed?.externalKey ?? ''};\n`);
    const { sheetCases } = await fill({ sheet });
    expect(sheetCases).toMatchObject([
      { outcome: 'refused', problem: { code: 'case_state', params: { status: 'Final' } } },
    ]);
  });
});

describe('the batch of the window with a template', () => {
  const templateId = async () => {
    const { items } = await desk.templates.list();
    return items.find(({ source }) => source === 'own')?.id ?? '';
  };
  /** A photo of the first case, and a sheet with this case and others. */
  async function drop(...keys: readonly string[]): Promise<void> {
    const [one = ''] = cases.map(({ externalKey }) => externalKey);
    const path = `${one} front.jpg`;
    await desk.batch.announce({ files: [{ path, sizeBytes: 20 }] });
    const { batch } = await desk.batch.get();
    const content = Readable.from([makePlainJpeg(160, 120, [200, 0, 0])]);
    await desk.files.addBatchFile(batch?.id ?? '', path, { content, isSeen: true });
    const lines = [one, ...keys].map((key) => `${key};77`);
    const text = ['externalKey;approvedAmount', ...lines, ''].join('\n');
    const contentBase64 = Buffer.from(text).toString('base64');
    await desk.batch.setSheet({ fileName: 'sheet.csv', contentBase64 });
  }
  async function queueWith(template: BatchTemplate) {
    await desk.batch.setTemplate({ template });
    return await desk.batch.queue();
  }
  const reportsOf = async () =>
    (await desk.queue.list({})).items.filter(({ kind }) => kind === 'report');

  beforeEach(() => desk.sync.setPaused({ paused: true }));

  it('fills it for the cases of its files and of its sheet, and ends with both', async () => {
    const [one = '', other = ''] = cases.map(({ externalKey }) => externalKey);
    await drop(other);
    const template = { templateId: await templateId(), asPdf: false };
    const { batch, unfilled } = await queueWith(template);
    expect([unfilled, batch?.sheet, batch?.template]).toEqual([[], null, null]);
    expect((await reportsOf()).map(({ externalKey }) => externalKey).sort()).toEqual(
      [one, other].sort(),
    );
    await drop(other);
    expect((await queueWith(template)).unfilled).toEqual([]);
    expect(await reportsOf(), 'what was filled before is not filled again').toHaveLength(2);
  });

  it('takes nothing, and keeps the sheet, if the template cannot be filled', async () => {
    await drop();
    const template = { templateId: 'no such', asPdf: false };
    await expect(queueWith(template)).rejects.toMatchObject({
      code: 'template_not_found',
    });
    const noPdf = queueWith({ templateId: await templateId(), asPdf: true });
    await expect(noPdf).rejects.toMatchObject({ code: 'pdf_program_missing' });
    expect((await desk.queue.list({})).total).toBe(0);
    expect((await desk.batch.get()).batch?.sheet?.read.items).toHaveLength(1);
  });

  it('keeps the sheet until the case of a refused file is filled, and sends it once', async () => {
    const [one = ''] = cases.map(({ externalKey }) => externalKey);
    await drop();
    const path = `${one} damaged.jpg`;
    await desk.batch.announce({ files: [{ path, sizeBytes: 20 }] });
    const id = (await desk.batch.get()).batch?.id ?? '';
    const damaged = { content: Readable.from([Buffer.from('no picture')]), isSeen: true };
    await desk.files.addBatchFile(id, path, damaged).catch(() => undefined);
    const template = { templateId: await templateId(), asPdf: false };
    expect((await queueWith(template)).batch?.sheet).not.toBeNull();
    expect(await reportsOf()).toEqual([]);

    await desk.batch.remove({ paths: [path] });
    expect((await queueWith(template)).batch?.sheet).toBeNull();
    await desk.batch.removeQueued();
    await drop();
    await desk.batch.remove({ paths: [`${one} front.jpg`] });
    expect((await queueWith(template)).unfilled).toEqual([]);
    expect(await reportsOf()).toHaveLength(1);
  });

  it('names a case that has no report of it', async () => {
    const [, other] = cases;
    const id = await templateId();
    const { id: draftId } = await desk.reports.createDraft({ id: other?.id ?? '' });
    await desk.templates.fill({ draftId, templateId: id });
    await drop(other?.externalKey ?? '');
    const { unfilled } = await queueWith({ templateId: id, asPdf: false });
    const problem = { code: 'draft_filled_otherwise', params: {} };
    expect(unfilled).toEqual([{ externalKey: other?.externalKey, problem }]);
    expect(await reportsOf()).toHaveLength(1);
  });
});
