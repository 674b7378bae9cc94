import { createHash, generateKeyPairSync } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { documentsBucket, standardBucket } from '#shared/api/limits.ts';
import { paramOf, type DeskError } from '#shared/desk/contract/errors.ts';
import {
  openUpstream,
  type Change,
  type Turn,
  type Upstream,
  type UpstreamOptions,
} from '#main/gateway/upstream.ts';
import {
  emptyPage,
  json,
  loginPage,
  problem,
  reset,
  startHostileServer,
  type HostileServer,
} from '../../support/partner/hostile-server.ts';
import { createFakeClock, machineClock } from '../service/support/fake-clock.ts';
import { shareGatewayStore } from './support/store.ts';

/* The gateway as the one client of the partner, in front of a server that does as the test demands. */

const store = shareGatewayStore();
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const dpopKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const plenty = { capacity: 100_000, refillPerMinute: 6_000_000 };
const limits = { standard: plenty, documents: plenty };
const caseId = '0b8c2b9e-5c38-4d0a-8a75-0a3a7f3b2c11';
const asker = { client: 'one' };

let partner: HostileServer;
let upstream: Upstream;
let turns: Turn[];

const open = (more: Partial<UpstreamOptions> = {}) =>
  openUpstream({
    baseUrl: partner.baseUrl,
    audience: `${partner.baseUrl}/v1/oauth/token`,
    clientId: 'office',
    privateKey,
    dpopKey,
    db: store().db,
    clock: machineClock,
    limits,
    shared: undefined,
    onTurn: (turn) => turns.push(turn),
    ...more,
  });

beforeAll(async () => {
  partner = await startHostileServer();
});
afterAll(() => partner.stop());
beforeEach(() => {
  turns = [];
  partner.seen.length = 0;
  partner.always = json(200, emptyPage);
  upstream = open();
});
afterEach(() => {
  upstream.close();
  vi.restoreAllMocks();
});

const schema = z.object({ Id: z.string() });
const what = { operation: 'X2', params: { caseId } } as const;
const read = (by: Parameters<Upstream['read']>[0] = asker) => upstream.read(by, schema, what);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error as DeskError).code,
  );

const change = (more: Partial<Change> = {}): Change => ({
  operation: 'X4',
  params: { caseId },
  body: () => Buffer.from('{ "A":1.50 }'),
  idempotencyKey: undefined,
  correlationId: 'c-1',
  disconnected: new AbortController().signal,
  beforeSending: () => Promise.resolve(),
  ...more,
});

test('upstream: an answer is read by its schema, and one that is none is refused', async () => {
  partner.next(json(200, { Id: 'a', More: 1 }), json(200, { Id: 1 }));
  expect((await read()).value).toEqual({ Id: 'a' });
  expect(await codeOf(read())).toBe('answer_invalid');
  expect(partner.seen.map(({ url }) => url)).toEqual(
    Array.from({ length: 2 }, () => `/v1/experts/cases/${caseId}`),
  );
});

test('upstream: an answer is passed on as it is, with its own size only, and the page of a portal is not', async () => {
  const bytes = Buffer.from('{"Total":0 }');
  const headers = { 'content-type': 'application/json' };
  partner.next(
    (response) => void response.writeHead(200, { ...headers, 'content-length': 12 }).end(bytes),
    (response) => {
      response.writeHead(200, headers).write(bytes.subarray(0, 5));
      response.end(bytes.subarray(5));
    },
    (response) => {
      const packed = gzipSync(bytes);
      const own = { 'content-encoding': 'gzip', 'content-length': packed.length };
      response.writeHead(200, { ...headers, ...own }).end(packed);
    },
    loginPage,
  );
  const relayed = async () => {
    const { sizeBytes, body } = await upstream.relay(asker, what);
    return [sizeBytes, String(await buffer(body))];
  };
  const text = String(bytes);
  expect([await relayed(), await relayed(), await relayed()]).toEqual([
    [12, text],
    [undefined, text],
    [undefined, text],
  ]);
  expect(await codeOf(relayed())).toBe('answer_foreign');
});

test('upstream: a document arrives in its bytes', async () => {
  const document = {
    Id: 'd',
    FileName: 'a.txt',
    ContentType: 'text/plain',
    SizeBytes: 3,
    CreatedAt: '2026-03-01T10:00:00.000Z',
    ContentBase64: 'YWJj',
  };
  partner.next(json(200, document));
  const received: Buffer[] = [];
  await upstream.fetchDocument(asker, caseId, 'd', (bytes) => {
    received.push(Buffer.from(bytes));
    return Promise.resolve();
  });
  expect(String(Buffer.concat(received))).toBe('abc');
  expect(turns).toMatchObject([{ bucket: 'documents', client: 'one' }]);
});

test('upstream: a change is passed on byte for byte under its id, and its answer is returned as it is', async () => {
  partner.next(
    json(200, { a: 1 }, { 'idempotency-replayed': 'true' }),
    json(200, { a: 1 }, { 'idempotency-replayed': 'false' }),
    (response) => void response.writeHead(204).end(),
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(),
  );
  const jsonType = 'application/json; charset=utf-8';
  const answered = async () => {
    const { answer, replayed } = await upstream.pass('one', change());
    return [answer.status, answer.contentType, String(answer.body), replayed];
  };
  expect([await answered(), await answered(), await answered(), await answered()]).toEqual([
    [200, jsonType, '{"a":1}', true],
    [200, jsonType, '{"a":1}', false],
    [204, '', '', false],
    [200, '', '', false],
  ]);
  for (const { method, url, headers, body } of partner.seen) {
    expect([method, url, String(body)]).toEqual([
      'PUT',
      `/v1/experts/cases/${caseId}/amounts`,
      '{ "A":1.50 }',
    ]);
    expect(headers['x-correlation-id']).toBe('c-1');
    expect(headers['idempotency-key']).toBeUndefined();
  }
});

test('upstream: a key of a client is its own at the partner, and the same for each repetition', async () => {
  partner.always = (response) => void response.writeHead(204).end();
  const submit = (client: string, idempotencyKey?: string) =>
    upstream.pass(
      client,
      change({
        operation: 'X15',
        params: { submissionId: 's' },
        body: undefined,
        idempotencyKey,
      }),
    );
  await submit('one', 'key');
  await submit('one', 'key');
  await submit('two', 'key');
  await submit('one');
  const keyOf = (client: string) => createHash('sha256').update(`${client}\nkey`).digest('hex');
  expect(partner.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([
    keyOf('one'),
    keyOf('one'),
    keyOf('two'),
    undefined,
  ]);
  expect(partner.seen.map(({ body }) => body.length)).toEqual([0, 0, 0, 0]);
});

test('upstream: a page that answers a change is no answer, and it is not known whether the change was made', async () => {
  partner.next(loginPage);
  const error: unknown = await upstream.pass('one', change()).catch((each: unknown) => each);
  expect((error as DeskError).code).toBe('outcome_unknown');
  expect(paramOf(error as DeskError, 'cause')).toBe('answer_foreign');
});

test('upstream: the partner is reachable if its latest answer is later than the latest failure', async () => {
  const clock = createFakeClock();
  upstream.close();
  // Waits take their own time; the moments are set by the test.
  upstream = open({ clock: { ...machineClock, now: () => clock.now() } });
  expect(upstream.reachable()).toBeNull();
  const failed = () => ({
    atMs: clock.now(),
    reason: 'it answers with a page in place of data',
  });
  partner.next(loginPage);
  await codeOf(read());
  expect(upstream.reachable()).toEqual(failed());
  partner.next(json(200, { Id: 'a' }));
  await read();
  expect(upstream.reachable()).toBe(true);
  clock.advance(1);
  partner.next(loginPage);
  await codeOf(read());
  const before = failed();
  expect(upstream.reachable()).toEqual(before);
  clock.advance(1);
  // A refusal is an answer.
  partner.next(problem(400, 'invalid_state'));
  expect(await codeOf(upstream.pass('one', change()))).toBe('server_refused');
  expect(upstream.reachable()).toBe(true);
  clock.advance(1);
  // Neither is a change whose client left a failure of the partner.
  const left = new AbortController();
  left.abort(new Error('left'));
  partner.seen.length = 0;
  const sent = upstream.pass('one', change({ disconnected: left.signal }));
  expect(await codeOf(sent)).toBe('connection_lost');
  expect([upstream.reachable(), partner.seen]).toEqual([true, []]);
  // Nor is a pause that it asks for.
  partner.next(problem(429, 'rate_limited', { 'retry-after': '3600' }));
  expect(await codeOf(read())).toBe('rate_limited');
  expect(upstream.reachable()).toBe(true);
});

test('upstream: a person waits for six refusals of the partner at most', async () => {
  partner.always = problem(429, 'rate_limited', { 'retry-after': '0' });
  expect(await codeOf(read())).toBe('rate_limited');
  expect(partner.seen).toHaveLength(6);
});

test('upstream: a turn whose request never left is returned', async () => {
  const other = await startHostileServer();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  upstream.close();
  const few = { capacity: 3, refillPerMinute: 6_000_000 };
  upstream = open({
    baseUrl: other.baseUrl,
    audience: `${other.baseUrl}/v1/oauth/token`,
    limits: { standard: few, documents: few },
  });
  other.always = json(200, { Id: 'a' });
  await read();
  await other.stop();
  const ignored = () => Promise.resolve();
  expect(await codeOf(read())).toBe('connection_refused');
  const fetched = upstream.fetchDocument(asker, caseId, 'd', ignored);
  expect(await codeOf(fetched)).toBe('connection_refused');
  const left = () => Promise.all([upstream.turns.standard.left(), upstream.turns.documents.left()]);
  // One less than the partner's, because two processes may count at the same time.
  await expect.poll(left).toEqual([2, 2]);
});

test('upstream: it has the partner’s time and counts its requests, and what waits ends with it', async () => {
  partner.next(json(200, { Id: 'a' }));
  const { requests } = upstream.counters;
  const aheadMs = 3_600_000;
  partner.now = () => Date.now() + aheadMs;
  await read();
  partner.now = () => Date.now();
  expect(upstream.counters.requests - requests).toBeGreaterThan(0);
  const differenceMs = upstream.serverNow() - Date.now();
  expect(Math.abs(differenceMs - aheadMs)).toBeLessThan(60_000);
  const answer = Promise.withResolvers<null>();
  partner.next(async (response) => {
    await answer.promise;
    response.destroy();
  });
  const waits = codeOf(read());
  await vi.waitFor(() => expect(partner.seen).toHaveLength(2));
  upstream.close();
  expect(await waits).toBe('connection_lost');
  answer.resolve(null);
});

test('upstream: a failure of the gateway itself is no failure of the partner, and sends nothing', async () => {
  const failure = new Error('the store is full');
  for (const [operation, params] of [
    ['X4', { caseId }],
    ['X13', { submissionId: 's' }],
  ] as const) {
    const beforeSending = () => Promise.reject(failure);
    const sent = upstream.pass('one', change({ operation, params, beforeSending }));
    await expect(sent).rejects.toBe(failure);
  }
  expect(upstream.reachable()).toBeNull();
  expect(partner.seen).toEqual([]);
});

test('upstream: a change that may have been made says so, although its next attempt failed in the gateway', async () => {
  partner.next(reset);
  let attempts = 0;
  const beforeSending = () => {
    attempts += 1;
    return attempts > 1 ? Promise.reject(new Error('the store is full')) : Promise.resolve();
  };
  expect(await codeOf(upstream.pass('one', change({ beforeSending })))).toBe('outcome_unknown');
  expect(partner.seen).toHaveLength(1);
});

test('upstream: each request has the turn of whom it is for', async () => {
  partner.always = json(200, { Id: 'a' });
  const lanes = vi.spyOn(upstream.turns.standard, 'lane');
  const parties: unknown[] = [];
  for (const by of [asker, { client: '' }, 'pull', 'refresh', 'follow_up'] as const) {
    await read(by);
    parties.push(lanes.mock.calls.at(-2)?.[0]);
    // A further attempt belongs to the turn.
    expect(lanes.mock.lastCall).toEqual(['follow_up']);
  }
  expect(parties).toEqual([asker, 'ahead', 'poll', 'refresh', 'follow_up']);
  expect(turns.map(({ bucket, client }) => [bucket, client])).toEqual(
    ['one', '', '', '', ''].map((client) => ['standard', client]),
  );
});

/** What a client is told while the partner asks to wait for 40 s, and no token is left. */
async function toldS(bucket: Turn['bucket'], more: Partial<UpstreamOptions>): Promise<number> {
  upstream.close();
  upstream = open({ clock: createFakeClock(), ...more });
  upstream.turns[bucket].lane('poll').throttled(40_000);
  const lane = upstream.turns[bucket].lane(asker);
  const refused = lane.acquire('person', new AbortController().signal);
  return Number(
    paramOf((await refused.catch((error: unknown) => error)) as DeskError, 'retryAfterS'),
  );
}

test('upstream: a wait is estimated by the partner’s limits, with the read after a change of a case', async () => {
  // The refill of a token is one second, and three.
  const granted = { capacity: 2, refillPerMinute: 60 };
  const slow = { capacity: 2, refillPerMinute: 20 };
  for (const [bucket, more, turnMs] of [
    ['standard', { limits: { standard: granted, documents: slow } }, 2 * 1000],
    ['documents', { limits: { standard: granted, documents: slow } }, 3000],
    ['standard', { limits: undefined }, (2 * 60_000) / standardBucket.refillPerMinute],
    ['documents', { limits: undefined }, 60_000 / documentsBucket.refillPerMinute],
  ] as const) {
    const waitMs = 40_000 + turnMs;
    const told = Math.ceil((waitMs - waitMs / 10) / 1000);
    expect([bucket, await toldS(bucket, more)]).toEqual([bucket, told]);
  }
});
