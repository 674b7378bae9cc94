import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addDays, zurichDay } from '#shared/lib/zurich-day.ts';
import { routes, type OperationId } from '#shared/api/routes.ts';
import { sayProblem } from '#shared/desk/contract/error-text.ts';
import { type DeskProblem, deskProblemSchema } from '#shared/desk/contract/errors.ts';
import { hasHiddenSigns, visibleJson } from '#shared/lib/visible-text.ts';
import type { Engine } from '#main/engine/engine.ts';
import { behindDoor } from '#main/engine/door.ts';
import { smokeOrLong, testLimitMs } from '../../support/long.ts';
import {
  json,
  startHostileServer,
  type HostileServer,
} from '../../support/partner/hostile-server.ts';
import { problemOf } from './support/test-client.ts';
import { openTestEngine, testFolder } from './support/test-engine.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privateKeyPem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));

const today = zurichDay(Date.now());
const days = { from: today, to: addDays(today, 1) };

/** Ids as servers make them; the first is a sequential GUID of a common server framework. */
const ids = [
  'd0b2c8b6-2c43-4a1a-63a8-08d9f9c1f0a5',
  'D0B2C8B6-2C43-4A1A-63A8-08D9F9C1F0A6',
  '00000000-0000-0000-0000-000000000000',
  '17',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  'SF 2026-000399',
  'Fäll:reopen',
  '\u{1F697}',
  'x'.repeat(100),
];
/** Ids that a server on the way could read as another path, if it decodes what it passes on. */
const unsafeIds = [
  'SF 2026/000399?x=1#y',
  '%2e%2e',
  '../x',
  'a\\b',
  '17;x',
  '...',
  '\uFF0E\uFF0E\uFF0F17',
];
/** What cannot be an id: nothing can be asked about such a record. */
const noIds = ['', '.', '..', 'a\nb', 'x'.repeat(101), '\uD800', '\u202Eb', 7, null, {}];

const at = new Date().toISOString();
const caseOf = (Id: unknown, more: object = {}) => ({
  Id,
  ExternalKey: `K-${String(Id)}`,
  Category: 'vehicle',
  Status: 'Accepted',
  CreatedAt: at,
  LastChangedAt: at,
  PayloadJson: JSON.stringify({ inspectionDate: today, insured: { name: 'Muster' } }),
  ...more,
});

let server: HostileServer;
let lists: Partial<Record<OperationId, unknown[]>>;
beforeEach(async () => {
  server = await startHostileServer();
  lists = {};
  server.always = (response, request, incoming) => {
    const url = new URL(request.url, server.baseUrl);
    const items = itemsOf(url.pathname, lists);
    const asked = decodeURIComponent(url.pathname.slice(routes.X1.path.length + 1));
    const one = lists.X1?.find((record) => (record as { Id: unknown }).Id === asked);
    if (asked !== '' && one) return json(200, one)(response, request, incoming);
    const page = Number(url.searchParams.get('page') ?? 1);
    const Items = page === 1 ? items : [];
    return json(200, { Total: items.length, Page: page, Size: 200, Items })(
      response,
      request,
      incoming,
    );
  };
});
afterEach(() => server.stop());

function itemsOf(path: string, lists: Partial<Record<OperationId, unknown[]>>): unknown[] {
  if (path === routes.X1.path) return lists.X1 ?? [];
  if (path.endsWith('/reports')) return lists.X10 ?? [];
  return lists.X6 ?? [];
}

async function connected(): Promise<Engine> {
  const limit = { capacity: 1_000_000, refillPerMinute: 60_000_000 };
  const policy = { limits: { standard: limit, documents: limit } };
  const engine = await openTestEngine({ home: testFolder(), policy });
  const { baseUrl } = server;
  await engine.workspaces.connect({
    baseUrl,
    audience: baseUrl,
    clientId: 'c',
    privateKey: privateKeyPem,
  });
  return engine;
}

/**
 * Reads everything that the window and the command line list of cases.
 * @param isRead whether a case's own lists are read
 */
async function readEveryPage(engine: Engine, isRead = (_id: string) => true): Promise<string[]> {
  const { items } = await engine.cases.list({ limit: 1000 });
  const shown = items.map(({ id }) => id);
  await engine.cases.ids({ limit: 1000 });
  await engine.cases.hits({ q: 'Muster', ids: shown.slice(0, 100) });
  await engine.cases.insurers();
  await engine.cases.insights({});
  await engine.day.today({});
  await engine.day.visits({ ids: shown });
  await engine.day.ready(days);
  await engine.edits.list();
  await engine.own.get();
  await engine.queue.list({});
  await engine.queue.forecast({ reports: 1, files: 1, bytes: 1, values: 1 });
  await engine.reports.drafts();
  await engine.scans.state();
  await engine.storage.get();
  await engine.sync.status();
  await engine.batch.search({ q: 'Muster' });
  await engine.batch.announce({ files: [{ path: 'K-17.pdf', sizeBytes: 1 }], leftOut: [] });
  await engine.batch.get();
  await engine.tools.previewDiagnostics();
  for (const id of shown.filter(isRead)) {
    await engine.cases.get({ id });
    await engine.cases.history({ id });
    await engine.documents.list({ id, refresh: true });
    await engine.documents.totals({ id });
    await engine.reports.list({ id, refresh: true });
    await engine.own.of({ id });
    await engine.notes.get({ id });
    await engine.scans.of({ id });
  }
  return shown;
}

describe('engine: ids of the partner', () => {
  it('takes any printable id, and asks with it as it came', async () => {
    lists = { X1: ids.map((id) => caseOf(id)) };
    const engine = await connected();
    await engine.sync.run({});
    const shown = await readEveryPage(engine);
    expect(new Set(shown)).toEqual(new Set(ids));
    const asked = server.seen.map(({ url }) => url.split('?')[0]);
    for (const id of ids) {
      expect(asked).toContain(`${routes.X1.path}/${encodeURIComponent(id)}/documents`);
    }
  });

  it('shows a case whose id is no safe part of a path, and sends and asks nothing about it', async () => {
    lists = { X1: [...unsafeIds, '17'].map((id) => caseOf(id)) };
    const engine = await connected();
    await engine.sync.run({});
    const shown = await readEveryPage(engine, (id) => id === '17');
    expect(new Set(shown)).toEqual(new Set([...unsafeIds, '17']));
    for (const id of unsafeIds) await engine.cases.setComment({ id, text: 'Comment' });
    await engine.sync.run({});
    const { items } = await engine.queue.list({});
    expect(items.map(({ problem }) => problem)).toEqual(
      expect.arrayContaining(unsafeIds.map((id) => ({ code: 'id_unsafe', params: { id } }))),
    );
    const paths = server.seen.map(({ url }) => url.split('?')[0]);
    expect(paths.filter((path) => path !== routes.X1.path && !path?.includes('/17/'))).toEqual([]);
    expect(server.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('names a record whose id cannot be asked with, and shows the others', async () => {
    lists = { X1: [...noIds.map((id) => caseOf(id)), caseOf('17')] };
    const engine = await connected();
    await engine.sync.run({});
    expect(await readEveryPage(engine)).toEqual(['17']);
    const { notices } = await engine.sync.status();
    const [notice] = notices.filter(({ code }) => code === 'records_unreadable');
    expect(notice?.params).toMatchObject({ count: noIds.length, place: 'Id' });
  });

  it('works on a case, its report and its documents by them', async () => {
    const [id = ''] = ids;
    const document = { Id: '5', FileName: 'a.pdf', ContentType: 'application/pdf', CreatedAt: at };
    const report = { Id: 'R 1', ClaimId: id, SequenceNo: 1, Status: 'Submitted', CreatedAt: at };
    lists = { X1: [caseOf(id)], X6: [document], X10: [report] };
    const engine = await connected();
    await engine.sync.run({ documents: 'none' });
    const documents = await engine.documents.list({ id, refresh: true });
    expect(documents.items).toMatchObject([{ id: '5', caseId: id }]);
    const reports = await engine.reports.list({ id, refresh: true });
    expect(reports.items).toMatchObject([{ id: 'R 1', caseId: id }]);
    await engine.notes.set({ id, text: 'note' });
    await engine.day.setVisit({ id, time: '08:30', note: '' });
    const { id: draftId } = await engine.reports.createDraft({ id });
    expect(await engine.reports.getDraft({ draftId })).toMatchObject({ caseId: id });
    const row = await engine.cases.setComment({ id, text: 'Comment' });
    expect(row).toMatchObject({ caseId: id });
    expect((await engine.queue.list({ caseId: id })).items).toHaveLength(1);
  });
});

const odd = fc.oneof(
  fc.constantFrom<unknown>(...ids, ...noIds, 'not a date', '2026-02-30T25:00:00Z', '+275760-09-13'),
  fc.constantFrom<unknown>(-1, 0.1, 1e15, 1e300, -0, true, [], [[]], { Name: 7 }, { Name: null }),
  fc.constantFrom<unknown>(
    '{',
    '[]',
    '{"__proto__":{"a":1},"inspectionDate":7}',
    '{"insured":[7]}',
  ),
  fc.constantFrom<unknown>(
    '{"inspectionDate":"2026-13-99","location":{"city":{}}}',
    '\0',
    '\uDC00',
  ),
  fc.string({ unit: 'grapheme' }),
);
const members = Object.keys(caseOf('', { UpdatedAt: at, Insurer: null, ExpertComment: '' }));
const oddCase = fc
  .dictionary(fc.constantFrom(...members, 'CostEstimateAmount', 'ApprovedAmount'), odd, {
    maxKeys: 4,
  })
  .map((change) => ({ Id: undefined, change }));
const oddList = (item: fc.Arbitrary<object>) => fc.array(item, { maxLength: 3 });
const oddDocument = fc.dictionary(
  fc.constantFrom('Id', 'FileName', 'ContentType', 'SizeBytes', 'CreatedAt'),
  odd,
);
const oddReport = fc.dictionary(
  fc.constantFrom('Id', 'ClaimId', 'SequenceNo', 'RevisionNo', 'Status', 'Comment', 'SubmittedAt'),
  odd,
);

describe('engine: odd records', () => {
  it(
    'cost no list its other records, in any call',
    { timeout: smokeOrLong(testLimitMs, 1_200_000) },
    async () => {
      const engine = await connected();
      let round = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(oddCase, { minLength: 1, maxLength: 4 }),
          oddList(oddDocument),
          oddList(oddReport),
          async (cases, documents, reports) => {
            round += 1;
            const healthy = `healthy-${String(round)}`;
            lists = {
              X1: [
                ...cases.map(({ change }, index) =>
                  caseOf(`${String(round)}-${String(index)}`, change),
                ),
                caseOf(healthy),
              ],
              X6: documents,
              X10: reports,
            };
            await engine.sync.run({});
            const { items } = await engine.cases.list({ q: healthy, limit: 1000 });
            expect(items.map(({ id }) => id)).toContain(healthy);
            // Those of earlier rounds have been read.
            const prefix = `${String(round)}-`;
            await readEveryPage(engine, (id) => id === healthy || id.startsWith(prefix));
          },
        ),
        { numRuns: smokeOrLong(12, 150) },
      );
    },
  );
});

describe('engine: a record that the contract refuses', () => {
  const handlersWith = (items: unknown[]) =>
    ({
      cases: { list: () => ({ items, total: items.length, totalIsExact: true, byStatus: {} }) },
    }) as never;

  it('is left out of its list, logged with its place and reported with its id', async () => {
    const logged: Record<string, unknown>[] = [];
    const leftOut: unknown[] = [];
    const calls = behindDoor(handlersWith([{ id: 'bad', externalKey: 7 }]), {
      log: { error: (fields) => logged.push({ ...fields }) },
      onLeftOut: (records) => leftOut.push(...records),
    });
    const answer = await calls.cases.list({});
    expect(answer).toMatchObject({ items: [], total: 1 });
    expect(leftOut).toMatchObject([{ id: 'bad' }]);
    expect(logged).toMatchObject([
      { where: 'cases.list', code: expect.stringMatching(/^items\./) as unknown },
    ]);
    expect(JSON.stringify(logged)).not.toContain('"bad"');
  });
});

/** The engine, with everything that it answers put into `answers`. */
function recording(engine: Engine, answers: unknown[]): Engine {
  const recorded =
    (call: (...input: unknown[]) => unknown) =>
    async (...input: unknown[]) => {
      const answer = await call(...input);
      answers.push(answer);
      return answer;
    };
  return new Proxy(engine, {
    get(target, name) {
      const group: unknown = Reflect.get(target, name);
      if (typeof group !== 'object' || group === null) return group;
      return new Proxy(group, {
        get: (calls, call) =>
          recorded(Reflect.get(calls, call) as (...input: unknown[]) => unknown),
      });
    },
  });
}

describe('engine: signs in the texts of the partner that turn others around', () => {
  /** As a name that looks like a picture's, and with a sign that a terminal obeys. */
  const turned = (text: string) => `\u202e${text}\u202c \u0007\u2066b\u2069`;
  const texts = (n: number) => ({
    ExternalKey: turned(`K ${String(n)}`),
    Category: turned('vehicle'),
    ExpertComment: turned('Muster comment'),
    Insurer: {
      Name: turned('Insurer'),
      Responsible: { Name: turned('R'), Email: turned('r@x'), Phone: turned('1') },
    },
    PayloadJson: JSON.stringify({
      policyNumber: turned(String(n)),
      insured: { name: turned('Muster'), city: turned('Bern'), licensePlate: turned('ZH 1') },
      [turned('more')]: [turned('Muster a'), { b: turned('c') }],
    }).replaceAll('\u202e', n === 1 ? '\\u202e' : '\u202e'),
  });

  it('are nowhere in what is shown, written and exported', async () => {
    const id = '17';
    const unreadable = { PayloadJson: turned('Muster is no JSON'), ExternalKey: 'B' };
    lists = {
      X1: [caseOf(id, texts(1)), caseOf('18', unreadable)],
      X6: [{ Id: '5', FileName: turned('fdp.exe'), ContentType: turned('a/b'), CreatedAt: at }],
      X10: [
        {
          Id: '6',
          ClaimId: id,
          SequenceNo: 1,
          Status: turned('S'),
          Comment: turned('C'),
          CreatedAt: at,
        },
      ],
    };
    const answers: unknown[] = [];
    const engine = recording(await connected(), answers);
    await engine.sync.run({ documents: 'none' });
    const later = new Date(Date.parse(at) + 1000).toISOString();
    lists.X1 = [
      { ...caseOf(id, texts(2)), LastChangedAt: later },
      { ...caseOf('18', { ...unreadable, PayloadJson: turned('Muster') }), LastChangedAt: later },
    ];
    await engine.sync.run({ documents: 'none' });
    await readEveryPage(engine);
    const folder = testFolder();
    for (const format of ['csv', 'json', 'xlsx'] as const) {
      const file = join(folder, `list.${format}`);
      await engine.tools.exportCases({ file, format, language: 'de' });
      const bytes = readFileSync(file);
      const parts = format === 'xlsx' ? Object.values(unzipSync(bytes)) : [bytes];
      answers.push(parts.map((part) => strFromU8(part)));
    }
    const written = JSON.stringify(answers);
    for (const text of ['K 2', 'Muster comment', 'r@x', 'fdp.exe', 'Muster is no JSON', 'Muster a'])
      expect(written).toContain(`\ufffd${text}`);
    expect(
      answers.filter((answer) => JSON.stringify(visibleJson(answer)) !== JSON.stringify(answer)),
    ).toEqual([]);
  });

  it('are nowhere in a refusal, which is shown with the words of the partner', async () => {
    lists = { X1: [caseOf('17')] };
    const engine = await connected();
    server.always = json(400, { title: turned('no'), detail: turned('because'), status: 400 });
    const problems: DeskProblem[] = [
      deskProblemSchema.parse(await problemOf(engine.sync.run({ documents: 'none' }))),
      { code: 'server_has_other', params: { field: 'comment', sent: 'a', found: turned('b') } },
    ];
    const sentences = problems.map((problem) => sayProblem(problem, 'en'));
    expect(sentences).toMatchObject([
      expect.stringContaining('\ufffdno  b'),
      expect.stringContaining('\ufffdb'),
    ]);
    expect(sentences.filter(hasHiddenSigns)).toEqual([]);
  });
});
