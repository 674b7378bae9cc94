import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createDeskRunner, createMemoryVault, errorSchema } from '../../support/desk-in-process.ts';
import { serviceFolderHere } from '../../support/service-here.ts';

const folder = serviceFolderHere();
const vault = createMemoryVault();
const desk = createDeskRunner(folder.at('home'), { vault });
const itemsOf = <Item extends z.ZodType>(item: Item) => z.looseObject({ items: z.array(item) });
const namedSchema = z.looseObject({ id: z.string(), fileName: z.string() });
let caseId: string;
let names: string[];

beforeAll(async () => {
  const service = await folder.start('--demo', '12', '--limits', 'x10');
  await desk('connect', '--credentials', service.credentialsPath);
  await desk('sync');
  const listed = await desk('cases', '--category', 'vehicle');
  const { items } = listed.json(itemsOf(z.looseObject({ id: z.string() })));
  for (const { id } of items) {
    const documents = (await desk('documents', id)).json(itemsOf(namedSchema)).items;
    names = documents.map(({ fileName }) => fileName);
    if (!names.some((name) => /^(?:Kostenvoranschlag|Rechnung)/.test(name))) continue;
    caseId = id;
    return;
  }
  throw new Error('practice has no vehicle with an estimate');
});
afterAll(folder.end);

const lineSchema = z.looseObject({ text: z.string(), lineAmount: z.number() });
const sumSchema = z.object({ document: z.looseObject({ totalAmount: z.number() }) });

it('desk positions prints the lines of an estimate, and their sum', async () => {
  const estimate = names.find((name) => /^(?:Kostenvoranschlag|Rechnung)/.test(name)) ?? '';
  const run = await desk('positions', caseId, estimate, '--use');
  expect(run).toMatchObject({ code: 0 });
  const printed = run.json(itemsOf(lineSchema).and(sumSchema));
  expect(printed.items.map(({ text }) => text)[0]).toBe('Drücken ohne Lackieren');
  const sum = printed.items.reduce((all, { lineAmount }) => all + Math.round(lineAmount * 100), 0);
  expect(sum).toBe(560_225);
  expect(printed.document.totalAmount).toBe(5602.25);
  const known = await desk('positions', caseId);
  expect(known.json(itemsOf(z.looseObject({ lines: z.number() }))).items[0]?.lines).toBe(5);
  const compared = await desk('positions', caseId, estimate, '--against', estimate);
  expect(compared.json(z.looseObject({}))).toMatchObject({
    cutsAmount: 0,
    assessedAmount: 5602.25,
  });
});

it('desk positions names a document whose lines are not certain, and a wrong use', async () => {
  const report = names.find((name) => name.startsWith('Schadenanzeige')) ?? '';
  const run = await desk('positions', caseId, report);
  expect(run).toMatchObject({ code: 1 });
  expect(run.json(errorSchema).code).toBe('positions_unknown');
  expect(await desk('positions', caseId, '--use')).toMatchObject({ code: 2 });
});
