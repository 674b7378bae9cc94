import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { caseStatuses, categories } from '#shared/api/case-words.ts';
import { diagnosticsSchema, connectionCheckSchema } from '#shared/desk/setup/diagnostics.ts';
import { orphanedWorkspaceSchema } from '#shared/desk/setup/workspace.ts';
import { automaticBackupSchema } from '#shared/desk/setup/work-package.ts';
import { printedDetail } from '../../support/printed.ts';
import {
  caseInProgress,
  casesSchema,
  createDeskRunner,
  createMemoryVault,
  errorSchema,
  itemsSchema,
} from '../../support/desk-in-process.ts';
import { type ServiceHere, serviceFolderHere } from '../../support/service-here.ts';
import { smallPdf } from '../../support/pdf-files.ts';

const folder = serviceFolderHere();
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
let service: ServiceHere;

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
  service = await folder.start('--demo', '20', '--limits', 'x10', '--backoffice');
  await desk('connect', '--credentials', service.credentialsPath, '--name', 'Büro Müller');
  await desk('sync');
  const key = await caseInProgress(desk);
  writeFileSync(at('Gutachten Meier.pdf'), smallPdf('Secret findings'));
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
  it('contains nothing of a case, a person, a key or a token', async () => {
    const text = Object.values(await bundle(desk, 'a.zip')).join('\n');
    const forbidden = new Set<string>([
      // how every JWT begins
      'eyJ',
      'Büro Müller',
      'Gutachten',
      'Secret findings',
      'private remark',
      'told nobody',
      folder.path,
      service.baseUrl,
      service.credentials.expert.clientId,
      ...[...secrets.values()].flatMap((secret) => [secret, ...secret.split('\n')]),
    ]);
    const { items } = (await desk('cases')).json(casesSchema);
    for (const { id } of items) {
      for (const leaf of leavesOf((await desk('case', id)).json(printedDetail))) {
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
      // A case's 17:40 and a visit of today stand by chance in the program's own moments.
      const isOfMoment = /^(?:\d\d:\d\d|\d{4}-\d\d-\d\d)$/.test(leaf);
      return (isOfMoment ? withoutMoments : text).includes(leaf);
    };
    const found = [...forbidden].filter(
      (leaf) => leaf.length >= 3 && !vocabulary.has(leaf) && isIn(leaf),
    );
    expect(found).toEqual([]);
    expect(text).not.toContain('54321');
  });

  it('contains what support needs', async () => {
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

describe('desk doctor', () => {
  const resultSchema = connectionCheckSchema.extend({
    backup: automaticBackupSchema,
    items: z.array(
      connectionCheckSchema.shape.items.element.extend({ message: z.string().min(2) }),
    ),
  });
  let homes = 0;

  /** The doctor of a desk whose connection was stored with these options. */
  async function doctorOf(...connection: string[]) {
    homes += 1;
    const desk = createDeskRunner(at(`home-${String(homes)}`));
    await desk('connect', ...connection);
    const run = await desk('doctor');
    const { items, backup } = run.json(resultSchema);
    const failed = items.filter(({ outcome }) => outcome === 'failed');
    return {
      code: run.code,
      items,
      backup,
      failed,
      outcomes: items.map(({ outcome }) => outcome).join(' '),
    };
  }

  function connectionTo(baseUrl: string): string[] {
    const key = at('key.pem');
    writeFileSync(key, service.credentials.expert.privateKeyPem);
    return [
      '--base-url',
      baseUrl,
      '--audience',
      service.credentials.audience,
      '--client-id',
      service.credentials.expert.clientId,
      '--key',
      key,
    ];
  }

  async function withServer<T>(
    answer: RequestListener,
    use: (url: string) => Promise<T>,
  ): Promise<T> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      return await use(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    } finally {
      server.close();
    }
  }

  it('finds nothing wrong with a connection that works', async () => {
    const { code, items, backup, outcomes } = await doctorOf(
      '--credentials',
      service.credentialsPath,
    );
    expect(code).toBe(0);
    expect(backup).toMatchObject({ folder: null, lastAt: null, problem: null });
    expect(outcomes).toBe('ok ok skipped ok ok ok ok ok ok');
    expect(items.find(({ id }) => id === 'list')?.params['caseCount']).toBeGreaterThan(0);
    expect(items.find(({ id }) => id === 'limits')?.params).toEqual({
      standardPerMinute: 60,
      standardBurst: 20,
      documentsPerMinute: 20,
      documentsBurst: 10,
    });
  });

  it('names data of a connection that the settings do not know, also without any connection', async () => {
    const folder = at('home-orphaned/workspaces/0b8c2b9e');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'work.db'), 'x');
    const desk = createDeskRunner(at('home-orphaned'));
    const lost = await desk('doctor');
    expect([lost.code, lost.stderr]).toEqual([3, expect.stringContaining(folder)]);
    await desk('connect', '--credentials', service.credentialsPath);
    const run = await desk('doctor');
    const orphans = z.array(orphanedWorkspaceSchema);
    expect(run.json(z.object({ orphans })).orphans).toMatchObject([{ folder, held: null }]);
    expect(run.stderr).toContain(folder);
  });

  it('ends with 6 if nothing answers, and reports it', async () => {
    const { code, failed, outcomes } = await doctorOf(...connectionTo('http://127.0.0.1:9'));
    expect([code, failed[0]?.problem?.code]).toEqual([6, 'connection_refused']);
    expect(outcomes).toMatch(/^ok failed( skipped){7}$/);
    expect(failed[0]?.message).toContain('127.0.0.1');
  });

  it('names an address that does not resolve', async () => {
    const { code, failed } = await doctorOf(...connectionTo('http://nowhere.invalid'));
    expect([code, failed[0]?.id]).toEqual([6, 'address']);
  });

  it('names a server that speaks no TLS', async () => {
    const { failed } = await withServer(
      () => undefined,
      async (url) => doctorOf(...connectionTo(url.replace('http', 'https'))),
    );
    expect(failed[0]?.id).toBe('encryption');
  });

  it('names a captive portal', async () => {
    const { code, failed, outcomes } = await withServer(
      (_request, response) => response.setHeader('content-type', 'text/html').end('<html>'),
      async (url) => doctorOf(...connectionTo(url)),
    );
    expect([code, failed[0]?.id, failed[0]?.problem?.code]).toEqual([
      6,
      'partner',
      'captive_portal',
    ]);
    expect(outcomes).toBe('ok ok skipped failed skipped skipped skipped skipped skipped');
  });

  it.each([
    [{ title: 'invalid_dpop', status: 401, detail: 'htu' }, 'proof'],
    [{ title: 'invalid_org_context', status: 403 }, 'list'],
    [{ title: 'org_without_members', status: 403 }, 'list'],
  ])('names the step that the partner refuses with %j', async (problem, step) => {
    const home = at(`refused-${problem.title}`);
    const desk = createDeskRunner(home);
    await desk('connect', '--credentials', service.credentialsPath);
    const { token } = service.credentials.backoffice;
    const rules = (list: object[]) =>
      fetch(`${service.baseUrl}/_backoffice/faults`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ Rules: list }),
      });
    const { status, title } = problem;
    await rules([
      { Method: 'GET', Path: '/v1/experts/cases', Effect: 'status', Status: status, Title: title },
    ]);
    const run = await desk('doctor');
    await rules([]);
    const failed = run.json(resultSchema).items.find(({ outcome }) => outcome === 'failed');
    expect([run.code, failed?.id]).toEqual([1, step]);
  });

  it('tests what was refused again, and opens it once it works', async () => {
    const desk = createDeskRunner(at('home-mended'));
    let isMended = false;
    const lists = { Total: 0, Page: 1, Size: 1, Items: [] };
    await withServer(
      (request, response) => {
        response.setHeader('content-type', 'application/json');
        const isToken = request.url?.startsWith('/api/v1/oauth') ?? false;
        if (isToken && isMended)
          response.end(JSON.stringify({ access_token: 't', expires_in: 60 }));
        else if (request.url?.startsWith('/api/v1/experts/cases?'))
          response.end(JSON.stringify(lists));
        else if (isToken) {
          response.statusCode = 401;
          response.end(
            '{"error":"invalid_client","error_description":"client authentication failed"}',
          );
        } else response.writeHead(404).end('{}');
      },
      async (url) => {
        const wrong = await desk('connect', ...connectionTo(url));
        expect([wrong.code, wrong.json(errorSchema).code]).toEqual([1, 'path_unknown']);
        expect(wrong.stderr).toContain(`${url}/v1/oauth/token`);
        const refused = await desk('connect', ...connectionTo(`${url}/api`));
        expect(refused.json(errorSchema).code).toBe('sign_in_refused');
        expect(refused.json(errorSchema).message).toMatch(/key.*audience.*client ID/);
        const tested = await desk('doctor');
        expect(tested.code).toBe(1);
        expect(tested.json(connectionCheckSchema)).toMatchObject({
          connection: { isUsable: false },
          asked: { address: `${url}/api/v1/oauth/token`, status: 401, title: 'invalid_client' },
        });
        isMended = true;
        const mended = await desk('doctor');
        expect(mended.json(connectionCheckSchema).connection.isUsable).toBe(true);
        expect(mended.code).toBe(0);
        expect((await desk('cases')).code).toBe(0);
      },
    );
  });

  it('lists what the desk asks with, what IT has set, and what the partner ignores', async () => {
    const policy = at('paths.json');
    const cases = '/v2/cases';
    writeFileSync(policy, JSON.stringify({ paths: { X1: cases }, connection: { scope: 'desk' } }));
    const desk = createDeskRunner(at('home-settings'), { env: { DESK_POLICY: policy } });
    const old = '2020-01-01T00:00:00Z';
    const items = [1, 2, 3].map((Id) => ({ Id: String(Id), LastChangedAt: old }));
    const list = JSON.stringify({ Total: 3, Page: 1, Size: 3, Items: items });
    const check = await withServer(
      (request, response) => {
        response.setHeader('content-type', 'application/json');
        const isToken = request.method === 'POST';
        response.end(isToken ? '{"access_token":"t","expires_in":60}' : list);
      },
      async (url) => {
        await desk('connect', ...connectionTo(url), '--htu-without-query');
        return (await desk('doctor')).json(connectionCheckSchema);
      },
    );
    expect(check.ignored).toEqual(['size', 'lastChangedSince', 'page']);
    const settings = new Map(check.settings.map(({ name, ...rest }) => [name, rest]));
    expect(settings.get('path.X1')).toEqual({ value: `GET ${cases}`, isPolicy: true });
    expect(settings.get('path.X2')).toMatchObject({ isPolicy: false });
    expect(settings.get('scope')).toEqual({ value: 'desk', isPolicy: true });
    expect(settings.get('htu')).toEqual({ value: 'without the query', isPolicy: false });
    expect(settings.get('audience')?.value).toBe(service.credentials.audience);
  });

  it.each(['command', 'policy'])(
    'asks by the name that the partner has for lastChangedSince: %s',
    async (from) => {
      const policy = at('renamed.json');
      const connection = from === 'policy' ? { changedSinceParameter: 'updatedSince' } : {};
      writeFileSync(policy, JSON.stringify({ connection }));
      const desk = createDeskRunner(at(`home-renamed-${from}`), { env: { DESK_POLICY: policy } });
      const queries: string[] = [];
      const changed = { Id: '1', LastChangedAt: new Date().toISOString() };
      const items = [changed, { Id: '2', LastChangedAt: '2020-01-01T00:00:00Z' }];
      const check = await withServer(
        (request, response) => {
          response.setHeader('content-type', 'application/json');
          const { searchParams } = new URL(request.url ?? '', 'http://localhost');
          if (request.method === 'POST') {
            response.end('{"access_token":"t","expires_in":60}');
            return;
          }
          queries.push([...searchParams.keys()].join());
          const all = searchParams.has('updatedSince') ? [changed] : items;
          const page = Number(searchParams.get('page'));
          const size = Number(searchParams.get('size'));
          const Items = all.slice((page - 1) * size, page * size);
          response.end(JSON.stringify({ Total: all.length, Page: page, Size: size, Items }));
        },
        async (url) => {
          const name = from === 'command' ? ['--changed-since-parameter', 'updatedSince'] : [];
          const connected = await desk('connect', ...connectionTo(url), ...name);
          expect(connected.stderr).toBe('');
          expect((await desk('sync')).code).toBe(0);
          expect((await desk('sync')).code).toBe(0);
          return (await desk('doctor')).json(connectionCheckSchema);
        },
      );
      expect(queries.join(' ')).not.toContain('lastChangedSince');
      expect(queries).toContain('updatedSince,page,size');
      expect(check.ignored).toEqual([]);
      expect(
        check.settings.find(({ name }) => name === 'parameter.lastChangedSince'),
      ).toMatchObject({
        value: 'updatedSince',
        isPolicy: from === 'policy',
      });
      expect(
        (
          await desk(
            'connect',
            ...connectionTo('http://127.0.0.1'),
            '--changed-since-parameter',
            'a b',
          )
        ).code,
      ).toBe(1);
    },
  );

  it('names the address that IT has set, which is the one it asked', async () => {
    const policy = at('policy.json');
    const home = at('set-by-it');
    const baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
    writeFileSync(policy, JSON.stringify({ connection: { baseUrl } }));
    const vault = createMemoryVault();
    const connected = createDeskRunner(home, { vault });
    await connected('connect', '--credentials', service.credentialsPath);
    const desk = createDeskRunner(home, { vault, env: { DESK_POLICY: policy } });
    const { items } = (await desk('doctor')).json(resultSchema);
    expect(items[0]).toMatchObject({ id: 'address', params: { host: new URL(baseUrl).host } });
  });
});
