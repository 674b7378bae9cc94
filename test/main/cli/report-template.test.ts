import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { batchResultSchema } from '#shared/desk/reports/batch.ts';
import { templateFolderSchema } from '#shared/desk/reports/templates.ts';
import { findOffice } from '#main/engine/templates/make-pdf.ts';
import {
  caseInProgress,
  createDeskRunner,
  createMemoryVault,
  errorSchema,
  itemsSchema,
} from '../../support/desk-in-process.ts';
import { printedItem } from '../../support/printed.ts';
import { type ServiceHere, serviceFolderHere } from '../../support/service-here.ts';
import { smallPdf } from '../../support/pdf-files.ts';
import { makeJpeg, writeSample } from '../../support/sample-files.ts';
import { makeDocx, paragraph } from '../../support/word-documents.ts';

const folder = serviceFolderHere();
const { at } = folder;
const env = { DESK_POLICY: at('policy.json') };
const vault = createMemoryVault();
const desk = createDeskRunner(at('home'), { env, vault });
const office = findOffice();
let service: ServiceHere;
let key: string;

beforeAll(async () => {
  mkdirSync(at('office'));
  const body = paragraph('{case.key}{#photos}{photo}{/photos}');
  writeFileSync(at('office/Gutachten.docx'), makeDocx(body));
  writeFileSync(at('office/Faulty.docx'), makeDocx(paragraph('{nothing}')));
  writeFileSync(at('policy.json'), JSON.stringify({ templateFolder: at('office') }));
  service = await folder.start('--demo', '12', '--limits', 'x10');
  await desk('connect', '--credentials', service.credentialsPath);
  await desk('sync');
  key = await caseInProgress(desk);
});
afterAll(folder.end);

const reportsSchema = batchResultSchema.pick({ reports: true });
const doctorSchema = z.looseObject({ templates: templateFolderSchema });
const stepsSchema = z.looseObject({
  steps: z.array(z.looseObject({ kind: z.string(), fileName: z.string().nullable() })),
});
const appraiserShown = z.object({ name: z.string(), hasSignature: z.boolean() });
const filesOf = (entry: z.infer<typeof stepsSchema>) =>
  entry.steps.filter(({ kind }) => kind === 'document').map(({ fileName }) => fileName);

it('desk report --template fills, attaches and queues', async () => {
  const photo = writeSample(at('.'), 'front.jpg', makeJpeg());
  const run = await desk('report', key, '--template', 'gutachten', '--file', photo);
  expect(run).toMatchObject({ code: 0 });
  const queued = run.json(printedItem.and(stepsSchema));
  expect(queued.state).toBe('waiting');
  expect(filesOf(queued)).toEqual([`Gutachten ${key}.docx`, 'front.jpg']);
});

const title = 'desk report --template --pdf sends the PDF alone';
if (office === null) it.skip(`${title}: LibreOffice is not installed`);
else
  it(title, async () => {
    const run = await desk('report', key, '--template', 'Gutachten', '--pdf');
    expect(filesOf(run.json(stepsSchema))).toEqual([`Gutachten ${key}.pdf`]);
  });

it('desk report --annex binds a finished report with its annexes, without LibreOffice', async () => {
  const without = createDeskRunner(at('home'), { env, vault, findOffice: () => null });
  const report = writeSample(at('.'), 'report.pdf', smallPdf('Gutachten'));
  const estimate = writeSample(at('.'), 'estimate.pdf', smallPdf('KV'));
  const rear = writeSample(at('.'), 'rear.jpg', makeJpeg());
  const annexes = ['--annex', estimate, rear, '--submit'];
  const run = await without('report', key, '--file', report, ...annexes);
  expect(filesOf(run.json(stepsSchema))).toEqual(['report mit Beilagen.pdf']);
  expect((await without('report', key, ...annexes)).code).toBe(2);
  const wrong = await without('report', key, '--file', rear, '--annex', estimate, '--submit');
  expect(wrong.json(errorSchema).code).toBe('annex_not_bound');
  const alone = await without('report', key, '--template', 'Gutachten', '--annex', estimate);
  expect(alone.code).toBe(2);
});

it('desk appraiser stores the details and the signature of templates', async () => {
  const signature = writeSample(at('.'), 'signature.jpg', makeJpeg());
  const set = await desk('appraiser', '--name', 'Ada Muster', '--signature', signature);
  expect(set.json(appraiserShown)).toEqual({ name: 'Ada Muster', hasSignature: true });
  await desk('appraiser', '--office', 'Muster AG');
  const removed = await desk('appraiser', '--signature', 'none');
  expect(removed.json(appraiserShown)).toEqual({ name: 'Ada Muster', hasSignature: false });
  const text = await desk(
    'appraiser',
    '--signature',
    writeSample(at('.'), 's.txt', Buffer.from('no picture')),
  );
  expect(text.json(errorSchema).code).toBe('file_type_not_allowed');
});

const bound = 'desk report and desk batch with --pdf and annexes send one PDF';
if (office === null) it.skip(`${bound}: LibreOffice is not installed`);
else
  it(bound, async () => {
    const estimate = writeSample(at('.'), 'kv.pdf', smallPdf('KV'));
    const run = await desk('report', key, '--template', 'Gutachten', '--pdf', '--annex', estimate);
    expect(filesOf(run.json(stepsSchema))).toEqual([`Gutachten ${key} mit Beilagen.pdf`]);
    const files = at('batch with annexes');
    mkdirSync(files);
    writeSample(files, `${key} invoice.pdf`, smallPdf('Rechnung'));
    const order = ['--template', 'Gutachten', '--pdf', '--annexes', '--submit'];
    const [report] = (await desk('batch', files, ...order)).json(reportsSchema).reports;
    const entry = await desk('queue', 'show', String(report?.queueId));
    expect(filesOf(entry.json(stepsSchema))).toEqual([`Gutachten ${key} mit Beilagen.pdf`]);
  });

it('desk report and desk batch with --pdf and without LibreOffice name it, and queue nothing', async () => {
  const without = createDeskRunner(at('home'), { env, vault, findOffice: () => null });
  const before = (await desk('queue')).json(itemsSchema).total;
  const files = at('batch without');
  mkdirSync(files);
  writeSample(files, `${key} front.jpg`, makeJpeg());
  for (const order of [
    ['report', key],
    ['batch', files, '--submit'],
  ]) {
    const run = await without(...order, '--template', 'Gutachten', '--pdf');
    expect(run.code).toBe(1);
    expect(run.json(errorSchema)).toMatchObject({
      code: 'pdf_program_missing',
      message: expect.stringContaining('no LibreOffice on this device') as string,
    });
  }
  expect((await desk('queue')).json(itemsSchema).total).toBe(before);
});

it('a template that is missing or faulty leaves nothing behind', async () => {
  const before = (await desk('queue')).json(itemsSchema).total;
  const missing = await desk('report', key, '--template', 'No such');
  expect(missing.json(errorSchema).code).toBe('template_not_found');
  const faulty = await desk('report', key, '--template', 'Faulty');
  expect(faulty.json(errorSchema).code).toBe('template_faulty');
  expect((await desk('report', key, '--pdf')).code).toBe(2);
  expect((await desk('queue')).json(itemsSchema).total).toBe(before);
  expect((await desk('draft', key)).json(errorSchema).code).toBe('draft_not_found');
});

it('a name of several templates is asked back, and one for other cases is refused', async () => {
  const docx = (text: string) => makeDocx(paragraph(`{case.key} ${text}`));
  writeFileSync(at('office/Befund.fr.docx'), docx('fr'));
  writeFileSync(at('office/Befund.de.docx'), docx('de'));
  writeFileSync(at('office/Gebäude.special.docx'), docx('special'));
  const before = (await desk('queue')).json(itemsSchema).total;
  const several = await desk('report', key, '--template', 'Befund');
  expect(several.code).toBe(1);
  expect(several.json(errorSchema)).toMatchObject({
    code: 'template_ambiguous',
    message: expect.stringContaining('office:Befund.de.docx, office:Befund.fr.docx') as string,
  });
  const other = await desk('report', key, '--template', 'Gebäude');
  expect(other.json(errorSchema).code).toBe('template_wrong_category');
  const byId = await desk('report', key, '--template', 'office:Gebäude.special.docx');
  expect(byId.json(errorSchema).code).toBe('template_wrong_category');
  expect((await desk('queue')).json(itemsSchema).total).toBe(before);
});

it('desk batch --template fills and queues a report for each case', async () => {
  const files = at('batch');
  mkdirSync(files);
  writeSample(files, `${key} front.jpg`, makeJpeg());
  const run = await desk('batch', files, '--template', 'Gutachten', '--submit');
  const [report] = run.json(reportsSchema).reports;
  expect(report).toMatchObject({ externalKey: key, files: 2 });
  const entry = await desk('queue', 'show', String(report?.queueId));
  expect(filesOf(entry.json(stepsSchema))).toEqual([`Gutachten ${key}.docx`, `${key} front.jpg`]);
  expect((await desk('batch', files, '--pdf')).code).toBe(2);
});

it('desk doctor names the folder of templates, and that it is out of reach', async () => {
  const doctor = async () => (await desk('doctor')).json(doctorSchema).templates;
  const path = at('office');
  expect(await doctor()).toEqual({ folder: path, folderProblem: null });
  renameSync(path, at('elsewhere'));
  expect(await doctor()).toMatchObject({ folderProblem: { code: 'template_folder_unreachable' } });
  renameSync(at('elsewhere'), path);
});
