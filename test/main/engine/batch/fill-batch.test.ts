import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BatchInput } from '#shared/desk/batch.ts';
import type { CaseSummary } from '#shared/desk/cases.ts';
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

beforeEach(async () => {
  const dir = testFolder();
  folder = join(dir, 'files');
  mkdirSync(folder);
  desk = await openTestEngine({
    home: join(dir, 'home'),
    vault: testKeychain(),
    practice: starter,
  });
  await desk.sync.run({ documents: 'none' });
  cases = (await desk.cases.list({ status: 'InProgress' })).items.slice(0, 2);
  const body = paragraph('{case.key} {amounts.approved}') + paragraph('{#photos}{photo}{/photos}');
  const content = Readable.from([makeDocx(body)]);
  await desk.files.addTemplate({ fileName: 'Report.de.docx', content });
});

describe('a batch with a template', { timeout: 120_000 }, () => {
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

  it('takes nothing if the template is missing or its PDF cannot be made', async () => {
    write(`${cases[0]?.externalKey ?? ''} front.jpg`, [200, 0, 0]);
    const missing = fill({ template: { name: 'No such', asPdf: false } });
    await expect(missing).rejects.toMatchObject({ code: 'template_not_found' });
    const path = process.env['PATH'];
    process.env['PATH'] = '';
    try {
      const making = fill({ template: { name: 'Report', asPdf: true } });
      await expect(making).rejects.toMatchObject({ code: 'pdf_program_missing' });
    } finally {
      process.env['PATH'] = path;
    }
    expect((await desk.reports.drafts()).items).toEqual([]);
    expect((await fill()).reports).toHaveLength(1);
  });
});
