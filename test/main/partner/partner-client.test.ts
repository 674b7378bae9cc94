import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Answer, TransportFactory } from '#main/partner/requests/transport.ts';
import { createSteppedClock } from '../engine/support/stepped-clock.ts';
import { createTestClient, createTestMemory, problemOf } from '../engine/support/test-client.ts';

/* What a client knows of its limits, its pauses and the server's time. */

const caseId = '00000000-0000-4000-8000-000000000001';
const startMs = Date.parse('2026-03-02T08:00:00Z');
const answerOf = (
  status: number,
  headers: Record<string, string> = {},
  value: object = {},
): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Readable.from([Buffer.from(JSON.stringify(value))]),
});
const token = (headers?: Record<string, string>) =>
  answerOf(200, headers, { access_token: 'a', expires_in: 300 });

type Options = NonNullable<Parameters<typeof createTestClient>[1]>;

/** A client of a partner that gives these answers, and then refuses each request. */
function clientWith(answers: readonly Answer[] = [], options: Options = {}) {
  const left = [...answers];
  let sent = 0;
  const createTransport: TransportFactory = () => ({
    send() {
      sent += 1;
      return Promise.resolve(left.shift() ?? answerOf(409, {}, { title: 'no' }));
    },
    close: () => undefined,
  });
  const clock = options.clock ?? createSteppedClock(startMs);
  const made = createTestClient('https://partner.example', { createTransport, ...options, clock });
  return { ...made, sent: () => sent };
}

it('paces by the published limits, or by those that IT has set', () => {
  const { client } = clientWith();
  expect([client.slotInMs('standard', 20), client.slotInMs('standard', 21)]).toEqual([0, 1000]);
  expect([client.slotInMs('documents', 10), client.slotInMs('documents', 11)]).toEqual([0, 3000]);
  expect(client.slotInMs('standard')).toBe(0);
  const limits = { standard: { capacity: 2, refillPerMinute: 6 } };
  const own = clientWith([], { limits }).client;
  expect([own.slotInMs('standard', 3), own.slotInMs('documents', 11)]).toEqual([10_000, 3000]);
});

it('waits without a named time as long as a token of its bucket takes', async () => {
  const limits = { documents: { capacity: 2, refillPerMinute: 6 } };
  for (const [bucket, ms] of [
    ['standard', 1000],
    ['documents', 10_000],
  ] as const) {
    const { client, clock } = clientWith([token(), answerOf(429)], { limits });
    const page = { page: 1, size: 1 };
    const asked = problemOf(
      bucket === 'standard' ? client.listCases(page) : client.listDocuments(caseId, page),
    );
    await clock.waitsFor((delayMs) => delayMs === ms);
    expect(client.counters.throttled).toBe(1);
    await client.close();
    await asked;
  }
});

it('names the longest pause of a bucket and of the token endpoint', async () => {
  const memory = createTestMemory();
  const throttled = answerOf(429, { 'retry-after': '100' });
  const { client, clock } = clientWith([token(), throttled], { memory });
  await problemOf(client.getCase(caseId));
  expect([client.pauseMs('standard'), client.pauseMs('documents')]).toEqual([100_000, null]);
  const tokenRefused = clientWith([answerOf(429, { 'retry-after': '200' })], { memory, clock });
  const pauseMs = (bucket: 'standard' | 'documents') => tokenRefused.client.pauseMs(bucket);
  expect(pauseMs('documents')).toBeNull();
  await clock.advance(300_000);
  expect(pauseMs('standard')).toBeNull();
  await problemOf(tokenRefused.client.getCase(caseId));
  expect([pauseMs('standard'), pauseMs('documents')]).toEqual([200_000, 200_000]);
});

it('knows the server’s time from an answer, and stores the difference for the next process', async () => {
  const memory = createTestMemory();
  const date = new Date(startMs + 3_600_000).toUTCString();
  const { client, clock } = clientWith([token({ date }), answerOf(200, { date })], { memory });
  expect(client.clockOffset()).toMatchObject({ offsetMs: 0, source: 'unknown' });
  client.saveClockOffset();
  expect(memory.text ?? '').not.toContain('"offsetMs":0');
  await problemOf(client.getCase(caseId));
  expect(client.clockOffset()).toMatchObject({ source: 'answer' });
  expect(Math.round((client.serverNow() - startMs) / 60_000)).toBe(60);
  expect(client.deviceNow()).toBe(startMs);
  clock.setWall(startMs + 1_800_000);
  client.saveClockOffset();
  const next = clientWith([], { memory, clock }).client;
  expect(next.clockOffset().source).toBe('before');
  expect(Math.round(next.clockOffset().offsetMs / 60_000)).toBe(30);
});

it('tells its parameter, its counters and its last request', async () => {
  const { client } = clientWith([token()]);
  expect([client.changedSinceParameter, client.lastExchange()]).toEqual(['lastChangedSince', null]);
  await problemOf(client.getCase(caseId));
  expect(client.counters).toEqual({ requests: 2, throttled: 0 });
  expect(client.lastExchange()).toMatchObject({ operation: 'X2', status: 409, title: 'no' });
  const renamed = clientWith([], { changedSinceParameter: 'updatedSince' }).client;
  expect(renamed.changedSinceParameter).toBe('updatedSince');
});

it('learns a lower limit for one bucket', async () => {
  const policy = { 'x-ratelimit-policy': 'standard; token-bucket; 6/min; burst=2' };
  const { client } = clientWith([token(), answerOf(409, policy)]);
  await problemOf(client.getCase(caseId));
  expect(client.loweredLimit('standard')).toMatchObject({ refillPerMinute: 6 });
  expect(client.loweredLimit('documents')).toBeNull();
});

it('sends nothing more once it is closed, and refuses what waits', async () => {
  const { client, sent } = clientWith([token(), answerOf(429, { 'retry-after': '30' })]);
  const waiting = problemOf(client.getCase(caseId));
  while (sent() < 2) await new Promise((resolve) => setImmediate(resolve));
  await client.close();
  expect(await waiting).toMatchObject({ code: 'connection_lost' });
  expect(await problemOf(client.getCase(caseId))).toMatchObject({ code: 'connection_lost' });
  expect(sent()).toBe(2);
});
