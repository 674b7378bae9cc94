import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { PacedBucket } from '#main/partner/pacing/pacing.ts';
import {
  backoffMs,
  createCaller,
  operationUrl,
  parseRetryAfter,
  type Call,
  type CallerOptions,
  type DeliveryOptions,
} from '#main/partner/requests/call.ts';
import type { Exchanged } from '#main/partner/requests/signed-request.ts';
import { RequestFailure } from '#main/partner/requests/transport.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { createEagerClock } from '../../engine/support/stepped-clock.ts';

/* How often a request is sent, and what is known of it in the end. */

const place = { host: 'partner.example' };
const lost = () => new RequestFailure(new DeskError('connection_lost', place), true);
const notReached = () => new RequestFailure(new DeskError('connection_refused', place), false);
const problem = (code: string, params: object = {}) => ({ problem: { code, params } });

function answer(status: number, headers: Record<string, string> = {}, text = '{}'): Exchanged {
  return {
    answer: {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: Readable.from([Buffer.from(text)]),
    },
    host: place.host,
    correlationId: 'theirs',
    serverDateMs: null,
    corrected: false,
    nonceOffered: false,
  };
}

/** A caller whose requests have these outcomes, and what it did. */
function callerWith(...outcomes: (Exchanged | Error)[]) {
  const clock = createEagerClock();
  const done = { sent: 0, consumed: 0, released: 0, invalidated: 0, waits: [] as number[] };
  const requests: { url: URL; headers: Readonly<Record<string, string>> }[] = [];
  const slot = { consumed: () => void done.consumed++, release: () => void done.released++ };
  const pacer = {
    acquire: () => Promise.resolve(slot),
    throttled: () => undefined,
    succeeded: () => undefined,
    learn: () => undefined,
  };
  const fresh: boolean[] = [];
  const closing = new AbortController();
  const parts = {
    baseUrl: new URL('https://partner.example/api/'),
    paths: {},
    changedSinceParameter: 'updatedSince',
    tokens: {
      get: () => Promise.resolve('token'),
      isFresh: () => fresh.shift() ?? true,
      pauseMs: () => null,
      invalidate: () => void done.invalidated++,
    },
    sender: {
      send(request: (typeof requests)[number]) {
        requests.push(request);
        const outcome = outcomes[done.sent++] ?? answer(200);
        return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
      },
      noteTitle: () => undefined,
      countThrottle: () => undefined,
    },
    pacers: { standard: pacer, documents: pacer },
    portals: { judge: (error: DeskError) => Promise.resolve(error) },
    serverClock: { now: () => clock.now() },
    clock: {
      ...clock,
      after(ms: number, run: () => void) {
        done.waits.push(ms);
        return clock.after(ms, run);
      },
    },
    random: () => 0.5,
    refillMs: { standard: 1000, documents: 4000 } satisfies Record<PacedBucket, number>,
    closing: closing.signal,
  };
  // A caller uses these parts of the sender and the clock of the server alone.
  const caller = createCaller(parts as unknown as CallerOptions);
  const call = (operation: Call<unknown>['operation'], options?: DeliveryOptions, more = {}) =>
    caller(
      { operation, params: { caseId: 'a' }, read: () => Promise.resolve('read'), ...more },
      options,
    );
  return { call, done, fresh, requests };
}

describe('a request without an answer', () => {
  it('that may have been carried out stays unknown, even if the next certainly was not', async () => {
    const { call, done } = callerWith(lost(), notReached(), notReached());
    await expect(call('X4')).rejects.toMatchObject(
      problem('outcome_unknown', { cause: 'connection_refused' }),
    );
    expect(done).toMatchObject({ sent: 3, consumed: 1, released: 2, waits: [200, 400] });
  });

  it('that never reached the partner was not carried out', async () => {
    const { call, done } = callerWith(notReached(), notReached(), notReached(), notReached());
    await expect(call('X4')).rejects.toMatchObject(problem('connection_refused'));
    expect(done).toMatchObject({ sent: 3, consumed: 0, released: 3 });
  });

  it('is a failure of a read, and sent once if it is a POST', async () => {
    const read = callerWith(lost(), lost(), lost());
    await expect(read.call('X2')).rejects.toMatchObject(problem('connection_lost'));
    expect(read.done.sent).toBe(3);
    const post = callerWith(lost());
    await expect(post.call('X5')).rejects.toMatchObject(problem('outcome_unknown'));
    expect(post.done.sent).toBe(1);
  });

  it('is not sent again after an abort', async () => {
    const { call, done } = callerWith(lost());
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(call('X2', { signal })).rejects.toMatchObject(problem('connection_lost'));
    expect(done).toMatchObject({ sent: 1, waits: [] });
  });

  it('because its body failed has used its turn, and the failure stays what it is', async () => {
    const broken = new Error('the file is damaged');
    const { call, done } = callerWith(broken);
    await expect(call('X4')).rejects.toBe(broken);
    expect(done).toMatchObject({ sent: 1, consumed: 1, released: 0 });
  });
});

describe('the turn of a request', () => {
  it('is announced once, however often the request is sent', async () => {
    const { call, done, fresh } = callerWith(lost(), answer(503), answer(200));
    fresh.push(false);
    let announced = 0;
    const onSend = () => void announced++;
    expect((await call('X4', { onSend })).value).toBe('read');
    expect([announced, done.sent]).toEqual([1, 3]);
    // The token was too old for the first turn.
    expect(done).toMatchObject({ consumed: 3, released: 1 });
  });

  it('is given back if nothing may be sent', async () => {
    const { call, done } = callerWith();
    const refused = new Error('no');
    const onSend = () => {
      throw refused;
    };
    await expect(call('X4', { onSend })).rejects.toBe(refused);
    expect(done).toMatchObject({ sent: 0, consumed: 0, released: 1 });
    await expect(call('X2', {}, { params: { caseId: '..' } })).rejects.toMatchObject(
      problem('id_unsafe', { id: '..' }),
    );
    expect(done.sent).toBe(0);
  });
});

describe('a refusal', () => {
  it('for too many requests is final if the pauses come to more than five minutes', async () => {
    const throttled = () => answer(429, { 'retry-after': '60' });
    const { call, done } = callerWith(...Array.from({ length: 9 }, throttled));
    await expect(call('X2')).rejects.toMatchObject(problem('rate_limited', { retryAfterS: 60 }));
    expect(done.sent).toBe(6);
  });

  it('that passes is followed by the pause that it names, of a minute at most', async () => {
    for (const [seconds, waitMs] of [
      ['5', 5000],
      ['0', 200],
      ['120', 60_000],
    ] as const) {
      const { call, done } = callerWith(answer(503, { 'retry-after': seconds }));
      await call('X2');
      expect([done.sent, done.waits]).toEqual([2, [waitMs]]);
    }
  });

  it('of the token drops it once, and a page in its place does not', async () => {
    const ours = callerWith(answer(401), answer(401));
    await expect(ours.call('X2')).rejects.toBeInstanceOf(DeskError);
    expect(ours.done).toMatchObject({ sent: 2, invalidated: 1 });
    const page = callerWith(answer(401, { 'content-type': 'text/html' }, '<html>'));
    await expect(page.call('X2')).rejects.toMatchObject(problem('captive_portal'));
    expect(page.done).toMatchObject({ sent: 1, invalidated: 0 });
  });

  it('to look elsewhere after something was done leaves a change unknown', async () => {
    const change = callerWith(answer(303));
    await expect(change.call('X5')).rejects.toMatchObject(
      problem('outcome_unknown', { cause: 'redirect_refused' }),
    );
    await expect(callerWith(answer(302)).call('X5')).rejects.toMatchObject(
      problem('redirect_refused'),
    );
    await expect(callerWith(answer(303)).call('X2')).rejects.toMatchObject(
      problem('redirect_refused'),
    );
  });
});

it('a request has the key of its act if it is a POST, and the partner’s name of a parameter', async () => {
  const { call, requests } = callerWith();
  const options = { idempotencyKey: 'key', correlationId: 'ours' };
  const more = { query: { lastChangedSince: 'then', page: '1' } };
  await call('X5', options);
  await call('X4', options);
  await call('X1', {}, more);
  expect(requests.map(({ headers }) => headers)).toEqual([
    { 'idempotency-key': 'key', 'x-correlation-id': 'ours' },
    { 'x-correlation-id': 'ours' },
    {},
  ]);
  expect(requests[2]?.url.href).toBe(
    'https://partner.example/api/v1/experts/cases?updatedSince=then&page=1',
  );
});

it('an address has the path of the base address, and nothing else of it', () => {
  const base = new URL('https://partner.example/api//?a=b#c');
  expect(operationUrl(base, '/v1/x', { q: 'ä' }).href).toBe(
    'https://partner.example/api/v1/x?q=%C3%A4',
  );
  expect(operationUrl(base, '/v1/x').href).toBe('https://partner.example/api/v1/x');
});

it('the time between attempts doubles up to half a minute', () => {
  expect([1, 2, 3, 20].map((attempt) => backoffMs(attempt, () => 1))).toEqual([
    400, 800, 1600, 30_000,
  ]);
  expect(backoffMs(2, () => 0.25)).toBe(200);
});

it('a pause is named in seconds or as a date, and is an hour at most', () => {
  const now = Date.parse('2026-03-01T10:00:00Z');
  const read = (header: string | undefined) => parseRetryAfter(header, now);
  expect(['7', ' 7 ', '0', '3601'].map(read)).toEqual([7000, 7000, 0, 3_600_000]);
  expect(read('Sun, 01 Mar 2026 10:00:05 GMT')).toBe(5000);
  expect(read('Sun, 01 Mar 2026 09:00:00 GMT')).toBe(0);
  expect([undefined, 'soon', ''].map(read)).toEqual([null, null, null]);
});
