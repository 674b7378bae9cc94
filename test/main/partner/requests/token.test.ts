import { Readable } from 'node:stream';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { createServerClock } from '#main/partner/clock.ts';
import { type OpenMemory, openMemory } from '#main/partner/memory.ts';
import { createProofSigner, type Exchanged } from '#main/partner/requests/signed-request.ts';
import { createTokenSource, type TokenSourceOptions } from '#main/partner/requests/token.ts';
import { RequestFailure } from '#main/partner/requests/transport.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { createEagerClock, type EagerClock } from '../../engine/support/stepped-clock.ts';
import {
  createTestMemory,
  dpopKeys,
  problemOf,
  rsaKeys,
} from '../../engine/support/test-client.ts';

/* How often a token is requested, how long it is used, and what is known if there is none. */

const host = 'partner.example';
const failed = (code: 'connection_lost' | 'connection_refused' | 'timeout') =>
  new RequestFailure(new DeskError(code, { host }), true);

function answer(
  status: number,
  value: unknown = {},
  { headers = {}, ...more }: Partial<Exchanged> & { headers?: Record<string, string> } = {},
): Exchanged {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    answer: {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: Readable.from([Buffer.from(text)]),
    },
    host,
    correlationId: 'theirs',
    serverDateMs: null,
    corrected: false,
    nonceOffered: false,
    ...more,
  };
}
let granted = 0;
const grant = (members: Record<string, unknown> = { expires_in: 300 }) =>
  answer(200, { access_token: `token-${(granted += 1)}`, ...members });

type Sent = Parameters<TokenSourceOptions['sender']['send']>[0];

let clock: EagerClock;
let memory: OpenMemory;
let closing: AbortController;
/** The outcomes of the next requests; after them a token is granted. */
let outcomes: (Exchanged | Error)[];
let sent: { request: Sent; atMs: number; signal: AbortSignal }[];
let seen: { titles: string[]; throttles: number; pauses: (number | null)[]; waits: number[] };
let startMs: number;

beforeEach(() => {
  clock = createEagerClock();
  startMs = clock.now();
  memory = openMemory(createTestMemory());
  closing = new AbortController();
  [outcomes, sent] = [[], []];
  seen = { titles: [], throttles: 0, pauses: [], waits: [] };
});

function open(changes: Partial<TokenSourceOptions> = {}) {
  const watched = {
    ...clock,
    after(ms: number, run: () => void) {
      seen.waits.push(ms);
      return clock.after(ms, run);
    },
  };
  const sender = {
    send(request: Sent, signal: AbortSignal) {
      sent.push({ request, signal, atMs: clock.now() - startMs });
      const outcome = outcomes.shift() ?? grant();
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    },
    noteTitle: (title: string) => void seen.titles.push(title),
    countThrottle: () => void (seen.throttles += 1),
  };
  const source = createTokenSource({
    url: new URL('https://partner.example/v1/oauth/token'),
    audience: 'https://partner.example/audience',
    clientId: 'client-1',
    scope: undefined,
    privateKey: rsaKeys.privateKey,
    proofs: createProofSigner({
      key: dpopKeys.privateKey,
      htuWithoutQuery: false,
      serverNow: () => clock.now(),
    }),
    serverClock: createServerClock(clock, { offsetMs: 0, serverMs: null }),
    clock: watched,
    random: () => 1,
    memory,
    // The source uses these parts of the sender alone.
    sender: sender as unknown as TokenSourceOptions['sender'],
    portals: {
      judge: (error) => Promise.resolve(new DeskError('internal', { reason: error.code })),
    },
    closing: closing.signal,
    onPause: () => void seen.pauses.push(source.pauseMs()),
    ...changes,
  });
  return source;
}
const get = (source = open()) => source.get(new AbortController().signal);
/** A problem that the check for a portal has seen. */
const judged = (reason: string) => ({ code: 'internal', params: { reason } });

describe('a token request', () => {
  const textOf = (body: Sent['body']) =>
    body instanceof Uint8Array ? Buffer.from(body).toString() : '';
  const formOf = ({ request }: (typeof sent)[number]) =>
    Object.fromEntries(new URLSearchParams(textOf(request.body)));

  it('has the form of the client, with the scope if there is one', async () => {
    await get();
    await get(open({ scope: 'cases' }));
    const expected = {
      grant_type: 'client_credentials',
      client_id: 'client-1',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: expect.any(String) as unknown,
    };
    expect(sent.map(formOf)).toEqual([expected, { ...expected, scope: 'cases' }]);
    const [first] = sent;
    expect(first?.signal).toBe(closing.signal);
    expect(first?.request).toMatchObject({
      operation: 'token',
      method: 'POST',
      url: new URL('https://partner.example/v1/oauth/token'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      accessToken: undefined,
    });
  });

  it('is signed for this moment, each time as another one', async () => {
    clock.skip(999);
    await get();
    await get(open({ scope: 'cases' }));
    const ids = new Set<unknown>();
    for (const each of sent) {
      const assertion = formOf(each)['client_assertion'] ?? '';
      const { payload } = await jwtVerify(assertion, rsaKeys.publicKey, {
        currentDate: new Date(clock.now()),
      });
      ids.add(payload.jti);
      const iat = startMs / 1000;
      expect(payload).toEqual({
        iss: 'client-1',
        sub: 'client-1',
        aud: 'https://partner.example/audience',
        jti: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        iat,
        exp: iat + 600,
      });
      expect(decodeProtectedHeader(assertion)).toEqual({ alg: 'RS256', typ: 'JWT' });
    }
    expect(ids.size).toBe(2);
  });

  it('is one for all who ask at a time, and one who gives up does not end it', async () => {
    const source = open();
    const giveUp = new AbortController();
    const first = source.get(giveUp.signal);
    const second = get(source);
    giveUp.abort(new Error('stopped'));
    await expect(first).rejects.toThrow('stopped');
    expect(await second).toBe(`token-${granted}`);
    expect(sent).toHaveLength(1);
  });

  it('is made again after one that failed', async () => {
    const source = open();
    outcomes = [failed('timeout')];
    expect(await problemOf(get(source))).toEqual({ code: 'timeout', params: { host } });
    expect(await get(source)).toBe(`token-${granted}`);
    expect(sent).toHaveLength(2);
  });
});

describe('a token', () => {
  const jwtWith = (claims: object) =>
    `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
  const expInS = (seconds: number) =>
    Math.floor(Date.parse('2026-03-02T08:00:00Z') / 1000) + seconds;

  it.each([
    ['the lifetime that is stated', { expires_in: 300 }, 300_000],
    [
      'that before its own exp',
      { access_token: jwtWith({ exp: expInS(900) }), expires_in: 300 },
      300_000,
    ],
    ['its own exp', { access_token: jwtWith({ exp: expInS(900) }) }, 900_000],
    ['a minute if its exp is past', { access_token: jwtWith({ exp: expInS(-900) }) }, 60_000],
    ['a minute if it has no exp', { access_token: jwtWith({}) }, 60_000],
    ['a minute if nothing is known', {}, 60_000],
    ['a minute if it lasts no time', { expires_in: 0 }, 60_000],
  ])('lasts %s', async (_, members, lifetimeMs) => {
    outcomes = [grant(members)];
    const value = await get();
    expect(memory.state.token).toMatchObject({
      value,
      lifetimeMs,
      expiresAtServerMs: startMs + lifetimeMs,
    });
  });

  it.each([
    [300, 269_999],
    [100, 79_999],
  ])('of %i seconds is used for %i ms', async (seconds, usedMs) => {
    outcomes = [grant({ expires_in: seconds })];
    const source = open();
    const value = await get(source);
    clock.skip(usedMs);
    expect(await get(source)).toBe(value);
    expect([source.isFresh(value), source.isFresh('other')]).toEqual([true, false]);
    clock.skip(1);
    expect(source.isFresh(value)).toBe(false);
    expect(await get(source)).not.toBe(value);
    expect(sent).toHaveLength(2);
  });

  it('belongs to address, client, scope and key', async () => {
    const value = await get();
    expect(await get(open())).toBe(value);
    const others: Partial<TokenSourceOptions>[] = [
      { url: new URL('https://partner.example/other') },
      { clientId: 'client-2' },
      { scope: 'cases' },
    ];
    for (const other of others) {
      await get();
      const before = sent.length;
      await get(open(other));
      expect(sent).toHaveLength(before + 1);
    }
  });

  it('that is granted reports no pause', async () => {
    await get();
    expect(seen.pauses).toEqual([]);
  });

  it('is dropped if it was refused, but not its successor', async () => {
    const source = open();
    expect(source.isFresh('token')).toBe(false);
    const value = await get(source);
    source.invalidate('other');
    expect(memory.state.token?.value).toBe(value);
    source.invalidate(value);
    expect(memory.state.token).toBeNull();
    source.invalidate(value);
    expect(await get(source)).not.toBe(value);
  });
});

describe('the window of the server', () => {
  const limit = { requests: 2, windowMs: 60_000 };
  const atTimes = () => sent.map(({ atMs }) => atMs);
  const refresh = (source: ReturnType<typeof open>) => {
    memory.update({ token: null });
    return get(source);
  };

  it('is a second longer than it is said to be, and counts over processes', async () => {
    await get(open({ limit }));
    clock.skip(10_000);
    await refresh(open({ limit }));
    clock.skip(10_000);
    await refresh(open({ limit }));
    expect(atTimes()).toEqual([0, 10_000, 61_000]);
    expect(memory.state.tokenRequests).toEqual([startMs + 10_000, startMs + 61_000]);
    clock.skip(61_000);
    await refresh(open({ limit }));
    await refresh(open({ limit }));
    expect(atTimes().slice(3)).toEqual([122_000, 122_000]);
  });

  it('takes ten requests if nothing else is said', async () => {
    const source = open();
    for (let count = 0; count < 11; count += 1) await refresh(source);
    expect(atTimes()).toEqual([...Array.from({ length: 10 }, () => 0), 61_000]);
  });

  it('counts the latest requests if it took more before', async () => {
    memory.update({ tokenRequests: [0, 10_000, 20_000, 30_000].map((ms) => startMs + ms) });
    clock.skip(30_000);
    await get(open({ limit }));
    expect(atTimes()).toEqual([81_000]);
  });

  it('does not count what is dated far ahead, because the clock was set since', async () => {
    memory.update({ tokenRequests: [startMs + 61_000, startMs + 61_000] });
    await get(open({ limit }));
    expect(atTimes()).toEqual([0]);
    memory.update({ token: null, tokenRequests: [startMs + 60_999, startMs + 60_999] });
    await get(open({ limit }));
    expect(atTimes()).toEqual([0, 121_999]);
  });
});

describe('a pause of the server', () => {
  const throttled = (seconds?: number) =>
    answer(429, {}, { headers: seconds === undefined ? {} : { 'retry-after': String(seconds) } });

  it('is waited for, reported at its begin and end, and counted', async () => {
    outcomes = [throttled(45)];
    const source = open();
    expect(source.pauseMs()).toBeNull();
    await get(source);
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 45_000]);
    expect(seen).toMatchObject({ throttles: 1, pauses: [45_000, null], titles: [''] });
    expect(memory.state.tokenBlockedUntilMs).toBeNull();
  });

  it('is a part of a minute if the server does not say', async () => {
    outcomes = [throttled()];
    await get(open({ random: () => 0.25 }));
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 15_000]);
  });

  it('of a minute is waited for, and a longer one ends the request', async () => {
    outcomes = [throttled(60), throttled(61)];
    const until = new Date(startMs + 121_000).toISOString();
    const source = open();
    expect(await problemOf(get(source))).toEqual({
      code: 'rate_limited',
      params: { retryAfterS: 61, until },
    });
    expect(sent).toHaveLength(2);
    // Another one is not sent before its end, and is not waited for.
    const later = open();
    expect(await problemOf(get(later))).toMatchObject({ params: { retryAfterS: 61, until } });
    clock.skip(1_000);
    expect(later.pauseMs()).toBe(60_000);
    await get(later);
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 60_000, 121_000]);
  });

  it('ends the request with the third', async () => {
    outcomes = [throttled(1), throttled(1), throttled(1)];
    expect(await problemOf(get())).toMatchObject({ code: 'rate_limited' });
    expect(sent).toHaveLength(3);
    expect(seen.throttles).toBe(3);
  });

  it('ends with a refusal, too', async () => {
    outcomes = [throttled(45), answer(400, { title: 'no' })];
    await problemOf(get());
    expect(seen.pauses).toEqual([45_000, null]);
    expect(seen.titles).toEqual(['', 'no']);
  });

  it('lasts an hour at most, if the clock was set back since', () => {
    memory.update({ tokenBlockedUntilMs: startMs + 3_600_000 });
    const source = open();
    expect(source.pauseMs()).toBe(3_600_000);
    memory.update({ tokenBlockedUntilMs: startMs + 86_400_000 });
    expect(source.pauseMs()).toBe(3_600_000);
    expect(memory.state.tokenBlockedUntilMs).toBe(startMs + 3_600_000);
    clock.skip(3_599_999);
    expect(source.pauseMs()).toBe(1);
    clock.skip(1);
    expect(source.pauseMs()).toBeNull();
  });

  it('is not waited for after the client is closed', async () => {
    memory.update({ tokenBlockedUntilMs: startMs + 30_000 });
    closing.abort(new Error('closed'));
    await expect(get()).rejects.toThrow('closed');
    memory.update({ tokenBlockedUntilMs: null, tokenRequests: [startMs] });
    await expect(get(open({ limit: { requests: 1, windowMs: 60_000 } }))).rejects.toThrow('closed');
    memory.update({ tokenRequests: [] });
    outcomes = [answer(503)];
    await expect(get()).rejects.toThrow('closed');
    expect(sent).toHaveLength(1);
  });
});

describe('a request that fails', () => {
  it.each([
    ['the server', () => answer(503, { title: 'down' }), 'server_failed'],
    ['its moment', () => answer(421), 'server_failed'],
    ['the connection', () => failed('connection_lost'), 'connection_lost'],
  ])('by %s is made three times', async (_, outcome, code) => {
    outcomes = [outcome(), outcome(), outcome()];
    expect(await problemOf(get())).toMatchObject({ code });
    expect(sent).toHaveLength(3);
    expect(seen.waits).toEqual([400, 800]);
    outcomes = [outcome(), outcome()];
    await get();
  });

  it.each(['connection_refused', 'timeout'] as const)('with %s is not made again', async (code) => {
    outcomes = [failed(code)];
    expect(await problemOf(get())).toEqual({ code, params: { host } });
    expect(sent).toHaveLength(1);
  });

  it('for another reason fails with it', async () => {
    const broken = new Error('broken');
    outcomes = [broken];
    await expect(get()).rejects.toBe(broken);
    async function* breaking() {
      yield await Promise.resolve(Buffer.from('{'));
      throw broken;
    }
    outcomes = [answer(200, {}, {})].map((exchanged) => ({
      ...exchanged,
      answer: { ...exchanged.answer, body: breaking() },
    }));
    await expect(get()).rejects.toBe(broken);
  });

  it.each([
    [400, { title: 'no' }, 'server_refused'],
    [401, { error: 'invalid_client', detail: 'the aud' }, 'audience_wrong'],
    [404, { title: 'no' }, 'path_unknown'],
    [300, {}, 'redirect_refused'],
    [199, {}, 'redirect_refused'],
  ])('by a refusal with %i is not made again', async (status, body, reason) => {
    outcomes = [answer(status, body)];
    expect(await problemOf(get())).toEqual(judged(reason));
    expect(sent).toHaveLength(1);
  });

  it('tells what was wrong about the clock', async () => {
    outcomes = [answer(401, { detail: 'the exp' })];
    const serverClock = createServerClock(clock, { offsetMs: 300_000, serverMs: null });
    const found = open({
      serverClock,
      portals: { judge: (error) => Promise.resolve(error) },
    });
    expect(await problemOf(get(found))).toEqual({
      code: 'clock_wrong',
      params: { offsetMinutes: 5 },
    });
  });

  it('is told apart from an answer without a token', async () => {
    outcomes = [answer(200, {})];
    expect(await problemOf(get())).toEqual({
      code: 'answer_invalid',
      params: { operation: 'token', detail: 'access_token' },
    });
    outcomes = [answer(200, 'no')];
    expect(await problemOf(get())).toEqual(judged('answer_invalid'));
    outcomes = [answer(200, 'no')];
    const unjudged = open({ portals: { judge: (error) => Promise.resolve(error) } });
    expect(await problemOf(get(unjudged))).toEqual({
      code: 'answer_invalid',
      params: { operation: 'token', detail: 'JSON' },
    });
    outcomes = [answer(200, '<html>', { headers: { 'content-type': 'text/html' } })];
    expect(await problemOf(get())).toEqual(judged('captive_portal'));
    expect(sent).toHaveLength(4);
    expect(memory.state.token).toBeNull();
  });
});

describe('a request that another clock or nonce mends', () => {
  const refused = (more: Partial<Exchanged>, status = 401) => answer(status, {}, more);

  it.each([{ corrected: true }, { nonceOffered: true }])(
    'is made again at once (%j)',
    async (more) => {
      outcomes = [refused(more)];
      await get();
      expect(sent.map(({ atMs }) => atMs)).toEqual([0, 0]);
    },
  );

  it('is made again once', async () => {
    outcomes = [refused({ corrected: true }), refused({ nonceOffered: true })];
    expect(await problemOf(get())).toEqual(judged('sign_in_refused'));
    expect(sent).toHaveLength(2);
  });

  it('is not one that the server failed at, and that does not use up the repair', async () => {
    outcomes = [refused({ corrected: true }, 503), refused({ corrected: true }), answer(503)];
    await get();
    expect(sent).toHaveLength(4);
    expect(seen.waits).toEqual([400, 800]);
  });
});
