import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { batchResultSchema } from '#shared/desk/batch.ts';
import { templateFolderSchema } from '#shared/desk/templates.ts';
import { findOffice } from '#main/engine/templates/make-pdf.ts';
import {
  caseInProgress,
  createDeskRunner,
  createMemoryVault,
  errorSchema,
  itemsSchema,
} from '../../support/desk-in-process.ts';
import { printedItem } from '../../support/printed.ts';
import { type RunningService, serviceFolder } from '../../support/processes.ts';
import { makeJpeg, writeSample } from '../../support/sample-files.ts';
import { makeDocx, paragraph } from '../../support/word-documents.ts';

const folder = serviceFolder();
const { at } = folder;
const env = { DESK_POLICY: at('policy.json') };
const vault = createMemoryVault();
const desk = createDeskRunner(at('home'), { env, vault });
const office = findOffice();
let service: RunningService;
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
  it(title, { timeout: 180_000 }, async () => {
    const run = await desk('report', key, '--template', 'Gutachten', '--pdf');
    expect(filesOf(run.json(stepsSchema))).toEqual([`Gutachten ${key}.pdf`]);
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
