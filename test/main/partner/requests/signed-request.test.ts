import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, exportJWK } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import packageJson from '../../../../package.json' with { type: 'json' };
import { type OpenMemory, openMemory } from '#main/partner/memory.ts';
import {
  type ClientLogEntry,
  createProofSigner,
  createSender,
  type Sender,
} from '#main/partner/requests/signed-request.ts';
import { type OutgoingRequest, RequestFailure } from '#main/partner/requests/transport.ts';
import { createSteppedClock, type SteppedClock } from '../../engine/support/stepped-clock.ts';
import { createTestMemory, dpopKeys } from '../../engine/support/test-client.ts';

const dateMs = Date.parse('2026-03-02T08:00:00Z');
const date = new Date(dateMs).toUTCString();

let clock: SteppedClock;
let memory: OpenMemory;
let sender: Sender;
let sent: OutgoingRequest[];
let log: ClientLogEntry[];
/** The next answers' headers, or what the transport throws. */
let answers: (IncomingHttpHeaders | Error)[];
/** The server's clock as it is known, and by how much the last date corrected it. */
let known: { offsetMs: number; nowMs: number; correctedMs: number };
let learned: { dateMs: number; sentAt: number; receivedAt: number }[];

beforeEach(() => {
  clock = createSteppedClock(dateMs);
  memory = openMemory(createTestMemory());
  [sent, log, answers, learned] = [[], [], [], []];
  known = { offsetMs: 0, nowMs: dateMs, correctedMs: 0 };
  sender = createSender({
    transport: {
      async send(request) {
        sent.push(request);
        await clock.advance(40);
        const headers = answers.shift() ?? {};
        if (headers instanceof Error) throw headers;
        return { status: 200, headers, body: Readable.from([]) };
      },
      close: () => undefined,
    },
    proofs: createProofSigner({
      key: dpopKeys.privateKey,
      htuWithoutQuery: false,
      serverNow: () => known.nowMs,
    }),
    serverClock: {
      local: () => clock.monotonic(),
      now: () => known.nowMs,
      offsetMs: () => known.offsetMs,
      difference: () => ({ offsetMs: known.offsetMs, source: 'answer' }),
      learn(ms, times) {
        learned.push({ dateMs: ms, ...times });
        return known.correctedMs;
      },
    },
    clock,
    memory,
    log: (entry) => log.push(entry),
  });
});

const send = (accessToken: string | undefined = 'token') =>
  sender.send(
    {
      operation: 'X1',
      method: 'GET',
      url: new URL('http://partner/v1/experts/cases?q=Muster'),
      headers: {},
      body: null,
      accessToken,
    },
    new AbortController().signal,
  );
const sendForToken = () =>
  sender.send(
    {
      operation: 'token',
      method: 'POST',
      url: new URL('http://partner/v1/oauth/token'),
      headers: {},
      body: null,
      accessToken: undefined,
    },
    new AbortController().signal,
  );
const nonces = () => sent.map(({ headers }) => decodeJwt(headers['dpop'] ?? '')['nonce'] ?? null);

describe('a proof', () => {
  const url = new URL('http://partner/v1/experts/cases?q=Muster#top');
  const sign = (htuWithoutQuery: boolean, accessToken?: string) =>
    createProofSigner({
      key: dpopKeys.privateKey,
      htuWithoutQuery,
      serverNow: () => dateMs + 999,
    }).sign({ method: 'PUT', url, accessToken, nonce: undefined });

  it.each([
    ['with its query', false, 'http://partner/v1/experts/cases?q=Muster'],
    ['without it, if the connection asks for it', true, 'http://partner/v1/experts/cases'],
  ])('names method, address %s and second', async (_what, htuWithoutQuery, htu) => {
    expect(decodeJwt(await sign(htuWithoutQuery))).toEqual({
      htm: 'PUT',
      htu,
      iat: dateMs / 1000,
      jti: expect.stringMatching(/^[\da-f-]{36}$/) as unknown,
    });
  });

  it('is bound to the token of its request', async () => {
    // SHA-256 of `token` in base64url, as a shell computes it.
    const ath = 'PEaenWxYddN6Q_NT1PiOYfz4EsZu7jRXRlpAsNpBU-A';
    expect(decodeJwt(await sign(false, 'token'))).toMatchObject({ ath });
  });

  it('carries the public key alone, whose thumbprint the token is bound to', async () => {
    const jwk = await exportJWK(dpopKeys.publicKey);
    expect(decodeProtectedHeader(await sign(false))).toEqual({
      typ: 'dpop+jwt',
      alg: 'ES256',
      jwk,
    });
    const proofs = createProofSigner({
      key: dpopKeys.privateKey,
      htuWithoutQuery: false,
      serverNow: () => dateMs,
    });
    const thumbprint = await calculateJwkThumbprint(jwk);
    expect([await proofs.jkt(), await proofs.jkt()]).toEqual([thumbprint, thumbprint]);
  });
});

it('a request asks for JSON, unpacked and in English, and only a token request has no token', async () => {
  await send();
  await sendForToken();
  expect(sent[0]?.headers).toMatchObject({
    'user-agent': `AppraiserDesk/${packageJson.version}`,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'accept-language': 'en',
    authorization: 'DPoP token',
  });
  expect(sent[1]?.headers).not.toHaveProperty('authorization');
});

describe('the correlation id', () => {
  const sentId = () => sent[0]?.headers['x-correlation-id'];

  it.each([
    ['of the answer', 'theirs', 'theirs'],
    ['of an answer that repeats the header', ['theirs', 'other'], 'theirs'],
  ])('is that %s', async (_what, header, expected) => {
    answers = [{ 'x-correlation-id': header }];
    expect((await send()).correlationId).toBe(expected);
    expect(log[0]?.correlationId).toBe(expected);
  });

  it.each([[{}], [{ 'x-correlation-id': '' }]])(
    'is the one that was sent if the answer has %j',
    async (headers) => {
      answers = [headers];
      const { correlationId } = await send();
      expect(correlationId).toBe(sentId());
      expect(correlationId).toMatch(/^[\da-f-]{36}$/);
    },
  );
});

describe('the record of a request', () => {
  it('counts requests and refusals for their number', async () => {
    await send();
    await send();
    sender.countThrottle();
    expect(sender.counters).toEqual({ requests: 2, throttled: 1 });
  });

  it('is without the query, with the time that it took, and with the title of a refusal', async () => {
    sender.noteTitle('nothing was sent yet');
    expect(sender.lastExchange).toBeNull();
    await clock.advance(1000);
    const { correlationId } = await send();
    const exchange = {
      operation: 'X1',
      address: 'http://partner/v1/experts/cases',
      status: 200,
      title: '',
      correlationId,
    };
    expect(sender.lastExchange).toEqual(exchange);
    sender.noteTitle('forbidden');
    expect(sender.lastExchange).toEqual({ ...exchange, title: 'forbidden' });
    expect(log).toMatchObject([{ status: 200, problem: null, durationMs: 40 }]);
  });

  it('names the failure of one that got no answer', async () => {
    const problem = new DeskError('connection_lost', { host: 'partner' });
    answers = [new RequestFailure(problem, true)];
    await expect(send()).rejects.toBeInstanceOf(RequestFailure);
    expect(log).toMatchObject([{ status: null, problem: 'connection_lost' }]);
  });

  it('has no line for a body whose file failed', async () => {
    const failure = new Error('the file is gone');
    answers = [failure];
    await expect(send()).rejects.toBe(failure);
    expect(log).toEqual([]);
  });
});

describe('a nonce of the server', () => {
  it('is in the next proof for the same server, and is required as long as it is new', async () => {
    answers = [{ 'dpop-nonce': 'a' }, { 'dpop-nonce': 'a' }, {}, { 'dpop-nonce': 'b' }];
    const offered = [];
    for (let index = 0; index < 4; index += 1) offered.push((await send()).nonceOffered);
    await send();
    expect(offered).toEqual([true, false, false, true]);
    expect(nonces()).toEqual([null, 'a', 'a', 'a', 'b']);
  });

  it('of the token endpoint is not used at the API', async () => {
    answers = [{ 'dpop-nonce': 'of the token endpoint' }, { 'dpop-nonce': 'of the API' }];
    await sendForToken();
    await send();
    await sendForToken();
    await send();
    expect(nonces()).toEqual([null, null, 'of the token endpoint', 'of the API']);
  });
});

describe('the date of an answer', () => {
  it('is the server’s time between the sending and the receipt', async () => {
    answers = [{ date }];
    expect((await send()).serverDateMs).toBe(dateMs);
    expect(learned).toEqual([{ dateMs, sentAt: 0, receivedAt: 40 }]);
  });

  it.each([
    ['that has none', {}, null],
    ['that is no date', { date: 'today' }, null],
    ['of a portal’s page', { date, 'content-type': 'text/html' }, dateMs],
  ])('%s teaches nothing', async (_what, headers, serverDateMs) => {
    known.correctedMs = 60_000;
    answers = [headers];
    expect(await send()).toMatchObject({ serverDateMs, corrected: false });
    expect(learned).toEqual([]);
  });

  it.each([
    [5_000, false],
    [5_001, true],
  ])('that corrects the known time by %i ms explains a refusal: %s', async (ms, corrected) => {
    known.correctedMs = ms;
    answers = [{ date }];
    expect(await send()).toMatchObject({ corrected });
  });

  it.each([
    ['the offset is the same within a quarter of a second', 250, 0, false],
    ['the offset is another one', 251, 0, true],
    ['the offset is another one, to the other side', -251, 0, true],
    ['the last one is a minute old', 0, 60_000, false],
    ['the last one is older than a minute', 0, 60_001, true],
  ])('is stored for the next start if needed: %s', async (_what, otherMs, laterMs, isStored) => {
    known = { ...known, offsetMs: 10_000 };
    answers = [{ date }, { date }];
    await send();
    const first = { offsetMs: 10_000, serverMs: dateMs };
    expect(memory.state).toMatchObject(first);
    const offsetMs = 10_000 + otherMs;
    known = { ...known, offsetMs, nowMs: dateMs + laterMs };
    await send();
    expect(memory.state).toMatchObject(isStored ? { offsetMs, serverMs: dateMs + laterMs } : first);
  });

  it('is stored also if an earlier version kept only the offset', async () => {
    memory.update({ offsetMs: 0, serverMs: null });
    answers = [{ date }];
    await send();
    expect(memory.state.serverMs).toBe(dateMs);
  });
});
