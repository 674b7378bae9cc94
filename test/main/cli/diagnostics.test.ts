import { readFileSync, writeFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { caseStatuses, categories } from '#shared/api/case.ts';
import { caseDetailSchema } from '#shared/desk/cases.ts';
import { diagnosticsSchema } from '#shared/desk/diagnostics.ts';
import {
  caseInProgress,
  casesSchema,
  createDeskRunner,
  createMemoryVault,
  errorSchema,
  itemsSchema,
} from '../../support/desk-in-process.ts';
import { type RunningService, serviceFolder } from '../../support/processes.ts';

const folder = serviceFolder();
const { at } = folder;
const secrets = new Map<string, string>();
const desk = createDeskRunner(at('home'), { vault: createMemoryVault(secrets) });
const writtenSchema = diagnosticsSchema.extend({ event: z.literal('diagnosed') });
/** What the practice data share with the program's own words: a driver and a network may be unknown. */
const vocabulary = new Set<string>([...caseStatuses, ...categories, 'unknown']);
/**
 * Times, ids, aliases, and the sizes and durations that the program itself counts: a postal code may
 * stand in them by chance. A number in any other place is looked at.
 */
const madeByTheProgram =
  /"(?:[0-9a-f]{12}|[0-9a-f-]{36})"|"\d{4}-\d\d-\d\dT[^"]*"|(?<="(?:bytes|sizeBytes|durationMs|remainingMs)": )[\d.]+(?=[,\n])/g;
let service: RunningService;

async function bundle(runner: typeof desk, name: string): Promise<Record<string, string>> {
  const run = await runner('diagnostics', '--to', at(name));
  expect([run.code, run.stderr]).toEqual([0, '']);
  const { parts } = run.json(writtenSchema);
  const files = unzipSync(readFileSync(at(name)));
  expect(Object.keys(files)).toEqual(parts);
  return Object.fromEntries(
    Object.entries(files).map(([part, bytes]) => [part, Buffer.from(bytes).toString('utf8')]),
  );
}

/** Every text of four characters and more, and its words; numbers of five digits and more. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') {
    const parsed = value.startsWith('{') ? leavesOf(JSON.parse(value)) : [];
    return value.length >= 4 ? [value, ...parsed] : parsed;
  }
  if (typeof value === 'number') return value >= 10_000 ? [String(value)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}

beforeAll(async () => {
  service = await folder.start('--demo', '40', '--limits', 'x10');
  await desk('connect', '--credentials', service.credentialsPath, '--name', 'Büro Müller');
  await desk('sync');
  const key = await caseInProgress(desk);
  writeFileSync(at('Gutachten Meier.pdf'), '%PDF-1.4\n% Secret findings\n%%EOF\n');
  await desk('comment', key, 'A private remark');
  await desk('amounts', key, '--estimate', '54321.05');
  await desk(
    'report',
    key,
    '--file',
    at('Gutachten Meier.pdf'),
    '--comment',
    'To be told nobody',
    '--submit',
  );
  await desk('report', key, '--file', at('Gutachten Meier.pdf'));
  await desk('sync');
  await desk('comment', key, 'Another private remark');
});
afterAll(folder.end);

describe('desk diagnostics', () => {
  it('holds nothing of a case, a person, a key or a token', async () => {
    const text = Object.values(await bundle(desk, 'a.zip')).join('\n');
    const forbidden = new Set<string>([
      // how every JWT begins
      'eyJ',
      ...['Büro Müller', 'Gutachten', 'Secret findings', 'private remark', 'told nobody'],
      ...[folder.path, service.baseUrl, service.credentials.expert.clientId],
      ...[...secrets.values()].flatMap((secret) => [secret, ...secret.split('\n')]),
    ]);
    const { items } = (await desk('cases')).json(casesSchema);
    for (const { id } of items) {
      for (const leaf of leavesOf((await desk('case', id)).json(caseDetailSchema))) {
        forbidden.add(leaf);
      }
    }
    for (const { id } of items.slice(0, 5)) {
      const documents = (await desk('documents', id)).json(itemsSchema);
      for (const document of documents.items) forbidden.add(String(document['fileName']));
    }
    expect(forbidden.size).toBeGreaterThan(500);
    const words = new Set(text.replace(madeByTheProgram, '').split(/[^\p{L}\p{N}]+/u));
    const withoutMoments = text.replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '');
    const isIn = (leaf: string) => {
      if (/^\d+$/.test(leaf)) return words.has(leaf);
      // A case's 17:40 stands by chance in minutes and seconds of the program's own moments.
      return (/^\d\d:\d\d$/.test(leaf) ? withoutMoments : text).includes(leaf);
    };
    const found = [...forbidden].filter(
      (leaf) => leaf.length >= 3 && !vocabulary.has(leaf) && isIn(leaf),
    );
    expect(found).toEqual([]);
    expect(text).not.toContain('54321');
  });

  it('holds what support needs', async () => {
    const parts = await bundle(desk, 'b.zip');
    const read = (name: string): unknown => JSON.parse(parts[name] ?? '');
    expect(read('about.json')).toMatchObject({
      version: expect.any(String) as string,
      vault: 'passphrase',
    });
    expect(read('figures.json')).toMatchObject({ queue: 4, drafts: [{}], hasSetAside: false });
    const queue = z.array(z.looseObject({ case: z.string() })).parse(read('queue.json'));
    expect(queue).toMatchObject([
      { kind: 'comment', state: 'waiting' },
      { kind: 'report', state: 'delivered', steps: [{ delivered: { status: 201 } }, {}, {}] },
      { kind: 'amounts', state: 'delivered' },
      { kind: 'comment', state: 'delivered' },
    ]);
    expect(new Set(queue.map((row) => row.case)).size).toBe(1);
  });

  it('can be had before anything is connected', async () => {
    const parts = await bundle(createDeskRunner(at('empty')), 'c.zip');
    expect(Object.keys(parts)).toContain('about.json');
  });

  it('overwrites nothing', async () => {
    const run = await desk('diagnostics', '--to', at('a.zip'));
    expect([run.code, run.json(errorSchema).code]).toEqual([1, 'file_exists']);
  });
});
