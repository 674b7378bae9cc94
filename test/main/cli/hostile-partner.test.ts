import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deskProblemSchema } from '#shared/desk/contract/errors.ts';
import {
  casesSchema,
  createDeskRunner,
  type DeskRunner,
  errorSchema,
  itemsSchema,
} from '../../support/desk-in-process.ts';
import { temporaryFolder } from '../../support/processes.ts';
import {
  emptyPage,
  json,
  loginPage,
  problem,
  startHostileServer,
  type Handler,
  type HostileServer,
} from '../../support/partner/hostile-server.ts';

const folder = temporaryFolder();
const keyFile = join(folder.path, 'key.pem');
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
afterAll(() => folder.remove());

const syncedSchema = z.looseObject({
  event: z.literal('synced'),
  pulled: z.int(),
  notices: z.array(deskProblemSchema).default([]),
});
const noticesSchema = z.looseObject({ notices: z.array(deskProblemSchema) });
const untilSchema = z.looseObject({ until: z.iso.datetime() });

let server: HostileServer;
let desk: DeskRunner;
let homes = 0;
beforeEach(async () => {
  server = await startHostileServer();
  homes += 1;
  desk = createDeskRunner(join(folder.path, `home-${String(homes)}`));
  const { baseUrl } = server;
  const connection = ['--base-url', baseUrl, '--audience', baseUrl, '--client-id', 'c'];
  await desk('connect', ...connection, '--key', keyFile);
  server.seen.length = 0;
});
afterEach(() => server.stop());

describe('desk sync with a partner that', () => {
  it('asks for a pause of a month ends with 7 and the moment it asks again, every time', async () => {
    server.always = problem(429, 'rate_limited', { 'retry-after': '2592000' });
    server.next(
      json(200, {
        ...emptyPage,
        Total: 1,
        Items: [{ Id: randomUUID(), ExternalKey: 'W-1', LastChangedAt: new Date().toISOString() }],
      }),
    );
    await desk('sync');
    // Work that waits is not waited for either.
    await desk('comment', 'W-1', 'Steht bereit');
    for (const command of ['sync', 'sync', 'doctor']) {
      server.seen.length = 0;
      const run = await desk(command);
      expect(run.code, command).toBe(7);
      if (command === 'doctor') break;
      expect(run.json(errorSchema)).toMatchObject({ code: 'rate_limited' });
      const until = Date.parse(run.json(untilSchema).until);
      expect(until).toBeGreaterThan(Date.now() + 3_500_000);
      expect(until).toBeLessThanOrEqual(Date.now() + 3_600_000);
    }
    const second = await desk('sync');
    expect(second.code).toBe(7);
    // The pause is stored: the partner was not asked again.
    expect(server.seen).toHaveLength(1);
  });

  it('refuses the list of cases is named with that, and no entry is to be discarded', async () => {
    server.always = problem(403, 'forbidden');
    const run = await desk('sync');
    expect([run.code, run.json(errorSchema).code]).toEqual([1, 'server_refused']);
    expect(run.stderr).toContain('refuses the list of cases (status 403): you have no access.');
    expect(run.stderr).not.toContain('discard');
  });

  it('lists an item that is no case loses no other item, and the item is named', async () => {
    const at = new Date().toISOString();
    const good = { Id: randomUUID(), ExternalKey: 'G-1', Category: 'vehicle', LastChangedAt: at };
    const bad = { ...good, Id: randomUUID(), PayloadJson: { not: 'a text' } };
    server.always = json(200, { ...emptyPage, Total: 2, Items: [bad, good] });
    const notice = {
      code: 'records_unreadable',
      params: { count: 1, id: bad.Id, place: 'PayloadJson' },
    };
    const run = await desk('sync');
    expect(run.code).toBe(0);
    expect(run.json(syncedSchema)).toMatchObject({ pulled: 1, notices: [notice] });
    expect((await desk('cases')).json(casesSchema).items).toMatchObject([{ externalKey: 'G-1' }]);
    for (const command of ['queue', 'doctor']) {
      const result = await desk(command);
      expect(result.json(noticesSchema).notices, command).toEqual([notice]);
      expect(result.stderr).toContain(bad.Id);
    }
    server.always = json(200, { ...emptyPage, Total: 1, Items: [{ ...bad, PayloadJson: '{}' }] });
    expect((await desk('sync')).json(syncedSchema).notices).toEqual([]);
  });

  it('gives one number to two cases has nothing done to the wrong one', async () => {
    const at = new Date().toISOString();
    const twins = [randomUUID(), randomUUID()].map((Id) => ({
      Id,
      ExternalKey: 'T-1',
      Category: 'vehicle',
      Status: 'Accepted',
      LastChangedAt: at,
    }));
    server.always = json(200, { ...emptyPage, Total: 2, Items: twins });
    await desk('sync');
    const run = await desk('comment', 'T-1', 'meant for one');
    expect([run.code, run.json(errorSchema).code]).toEqual([1, 'case_ambiguous']);
    expect((await desk('queue')).json(itemsSchema).items).toEqual([]);
    expect((await desk('comment', twins[1]?.Id ?? '', 'meant for this one')).code).toBe(0);
    expect((await desk('queue')).json(itemsSchema).items).toMatchObject([{ caseId: twins[1]?.Id }]);
  });

  it('leaves out SizeBytes, and calls a file what Windows does not take: it is fetched', async () => {
    const at = new Date().toISOString();
    const found = { Id: randomUUID(), ExternalKey: 'S-1', Category: 'vehicle', LastChangedAt: at };
    const document = { Id: randomUUID(), FileName: 'con\u202Etxt.pdf', ContentType: 'text/plain' };
    const content = { ...document, ContentBase64: Buffer.from('content').toString('base64') };
    server.always = (response, request, incoming) => {
      const page = (item: object) => ({ ...emptyPage, Total: 1, Items: [item] });
      const value = request.url.includes(document.Id)
        ? content
        : page(request.url.includes('/documents') ? document : found);
      return json(200, value)(response, request, incoming);
    };
    const to = join(folder.path, 'downloads');
    await desk('sync');
    const run = await desk('download', 'S-1', '--to', to);
    expect(run.code).toBe(0);
    expect(readdirSync(to)).toEqual(['con_txt.pdf']);
    expect(readFileSync(join(to, 'con_txt.pdf'), 'utf8')).toBe('content');
    const listed = (await desk('documents', 'S-1')).json(itemsSchema);
    expect(listed.items).toMatchObject([{ sizeBytes: 7, onLaptop: true }]);
  });

  it('nests a payload, or an item itself, 400,000 levels deep: the other cases are here', async () => {
    const at = new Date().toISOString();
    const deep = '{"a":'.repeat(400_000) + '1' + '}'.repeat(400_000);
    const item = (key: string, more: object) => {
      const known = { Id: randomUUID(), ExternalKey: key, Category: 'vehicle', LastChangedAt: at };
      return JSON.stringify({ ...known, ...more });
    };
    const nested = item('D-2', { PayloadJson: 'here' }).replace('"here"', deep);
    const items = [item('D-1', { PayloadJson: deep }), nested, item('D-3', {})];
    server.always = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"Total":3,"Page":1,"Size":50,"Items":[${items.join()}]}`);
    };
    const run = await desk('sync');
    expect(run.code, run.stderr).toBe(0);
    expect(run.json(syncedSchema).notices).toMatchObject([
      { code: 'records_unreadable', params: { count: 1, place: 'PayloadJson' } },
    ]);
    const shown = (await desk('case', 'D-1')).json(z.looseObject({ payload: z.null() }));
    expect(shown['payloadJson']).toBe(deep);
    expect((await desk('cases')).json(casesSchema).total).toBe(2);
  });

  it('lowers its limit causes a notice next to the result', async () => {
    const policy = { 'x-ratelimit-policy': 'standard; token-bucket; 30/min; burst=10' };
    server.always = json(200, emptyPage, policy);
    const run = await desk('sync');
    expect(run.code).toBe(0);
    expect(run.json(syncedSchema).notices).toMatchObject([
      { code: 'limit_lowered', params: { bucket: 'standard', perMinute: 30 } },
    ]);
    expect(run.stderr).toContain('per minute: 30 requests');
  });

  it('counts cases that it does not list is never called synced, and ready is not known', async () => {
    const at = new Date().toISOString();
    const found = { Id: randomUUID(), ExternalKey: 'T-1', Category: 'vehicle', LastChangedAt: at };
    server.always = json(200, { ...emptyPage, Total: 56, Items: [found] });
    const run = await desk('sync');
    expect(run.code).toBe(1);
    expect(run.json(z.looseObject({}))).toMatchObject({
      event: 'incomplete',
      incomplete: 'repeats',
      pulled: 1,
      problem: { code: 'list_incomplete', params: { seen: 1, total: 56 } },
    });
    const ready = await desk('ready');
    expect(ready.code).toBe(1);
    expect(ready.json(errorSchema).code).toBe('list_incomplete');
    const doctor = await desk('doctor');
    expect(doctor.code).toBe(1);
    expect(doctor.line).toContain('list_incomplete');
    server.always = (response, request, incoming) =>
      json(
        200,
        request.url.includes('page=1') ? { ...emptyPage, Total: 1, Items: [found] } : emptyPage,
      )(...([response, request, incoming] as const));
    expect((await desk('sync')).code).toBe(0);
    expect((await desk('doctor')).code).toBe(0);
  });

  it('lists documents and fails at their contents is never called synced', async () => {
    const at = new Date().toISOString();
    const found = { Id: randomUUID(), ExternalKey: 'F-1', Category: 'vehicle', LastChangedAt: at };
    const document = { Id: randomUUID(), FileName: 'a.txt', ContentType: 'text/plain' };
    const page = (item: object) => json(200, { ...emptyPage, Total: 1, Items: [item] });
    server.always = (...request) => {
      const { url } = request[1];
      if (url.includes(document.Id)) return problem(500, 'internal_error')(...request);
      return page(url.includes('/documents') ? document : found)(...request);
    };
    const run = await desk('sync', '--documents', 'all');
    expect(run.code).toBe(1);
    expect(run.json(z.looseObject({}))).toMatchObject({
      event: 'incomplete',
      incomplete: 'server_failed',
      pulled: 1,
      documents: 0,
      problem: { code: 'server_failed' },
    });
  });

  it('refuses the list alone with a page gets everything that waits', async () => {
    const at = new Date().toISOString();
    const found = { Id: randomUUID(), ExternalKey: 'A-1', Category: 'vehicle', LastChangedAt: at };
    const isList = (url: string) => url.startsWith('/v1/experts/cases?');
    server.always = (response, request, incoming) =>
      json(
        200,
        isList(request.url) ? { ...emptyPage, Total: 1, Items: [found] } : found,
      )(...([response, request, incoming] as const));
    await desk('sync');
    await desk('comment', 'A-1', 'Gesehen');
    server.always = (response, request, incoming) =>
      (isList(request.url) ? loginPage : json(200, { ...found, ExpertComment: 'Gesehen' }))(
        ...([response, request, incoming] as const),
      );
    const run = await desk('sync');
    expect(run.code).toBe(1);
    expect(run.json(z.looseObject({}))).toMatchObject({ event: 'incomplete', delivered: 1 });
  });
});

describe('desk with a partner that fails at the lists of a case', () => {
  const at = new Date().toISOString();
  const found = { Id: randomUUID(), ExternalKey: 'L-1', Category: 'vehicle', LastChangedAt: at };
  const commands = [
    ['documents', 'L-1'],
    ['reports', 'L-1'],
    ['download', 'L-1', '--to', join(folder.path, 'none')],
  ];
  const answer = (lists: Handler) => {
    server.always = (...request) => {
      if (/documents|reports/.test(request[1].url)) return lists(...request);
      const isCase = request[1].url.includes(found.Id);
      return json(200, isCase ? found : { ...emptyPage, Total: 1, Items: [found] })(...request);
    };
  };

  it.each([
    ['500', problem(500, 'internal_error'), 'server_failed'],
    ['a page in the place of the answer', loginPage, 'answer_foreign'],
  ])('(%s) calls no list empty that was never read', async (_title, lists, code) => {
    answer(lists);
    await desk('sync');
    for (const command of commands) {
      const run = await desk(...command);
      expect([run.code, run.json(errorSchema).code], command[0]).toEqual([1, code]);
    }
  });

  it('(404, and the case is there) takes it for an empty list', async () => {
    answer(problem(404, 'not_found'));
    await desk('sync');
    for (const command of commands) {
      const run = await desk(...command);
      expect([run.code, run.json(itemsSchema).items], command[0]).toEqual([0, []]);
    }
  });
});
