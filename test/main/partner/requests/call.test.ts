import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
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

type SentRequest = Parameters<CallerOptions['sender']['send']>[0];

/** A caller whose requests have these outcomes, and what it did. */
function callerWith(...outcomes: (Exchanged | Error)[]) {
  return callerOver({}, outcomes);
}
function callerOver(changes: Partial<CallerOptions>, outcomes: (Exchanged | Error)[]) {
  const clock = createEagerClock();
  const done = { sent: 0, consumed: 0, released: 0, invalidated: 0, waits: [] as number[] };
  const requests: (SentRequest & { signal: AbortSignal })[] = [];
  /** What pacers and sender were told, in turn. */
  const told: string[] = [];
  const judged: string[] = [];
  const slot = { consumed: () => void done.consumed++, release: () => void done.released++ };
  const pacerOf = (bucket: PacedBucket) => ({
    acquire(priority: string) {
      told.push(`${bucket} for ${priority}`);
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve(slot);
    },
    throttled: (ms: number) => void told.push(`${bucket} pauses ${ms}`),
    succeeded: () => void told.push(`${bucket} is free`),
    learn: (policy: string) => void told.push(`${bucket} learns ${policy}`),
  });
  const fresh: boolean[] = [];
  /** What fails in place of the next slots. */
  const failures: (Error | null)[] = [];
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
      send(request: SentRequest, signal: AbortSignal) {
        requests.push({ ...request, signal });
        const outcome = outcomes[done.sent++] ?? answer(200);
        return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
      },
      noteTitle: (title: string) => void told.push(`title ${title}`),
      countThrottle: () => void told.push('a throttle'),
    },
    pacers: { standard: pacerOf('standard'), documents: pacerOf('documents') },
    portals: {
      judge(error: DeskError) {
        judged.push(error.code);
        return Promise.resolve(error);
      },
    },
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
    ...changes,
  };
  // A caller uses these parts of the sender and the clock of the server alone.
  const caller = createCaller(parts as unknown as CallerOptions);
  const call = (operation: Call<unknown>['operation'], options?: DeliveryOptions, more = {}) =>
    caller(
      { operation, params: { caseId: 'a' }, read: () => Promise.resolve('read'), ...more },
      options,
    );
  return { call, done, fresh, failures, closing, requests, told, judged };
}

describe('a request without an answer', () => {
  it('that may have been carried out stays unknown, even if the next certainly was not', async () => {
    const { call, done } = callerWith(lost(), notReached(), notReached());
    await expect(call('X4')).rejects.toMatchObject({
      ...problem('outcome_unknown', { cause: 'connection_refused' }),
      cause: problem('connection_refused'),
    });
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
    await expect(call('X2', {}, { params: { caseId: '..' } })).rejects.toMatchObject({
      ...problem('id_unsafe', { id: '..' }),
      cause: { name: 'UnsafePathError' },
    });
    await expect(call('X2', {}, { params: {} })).rejects.toBeInstanceOf(RangeError);
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

describe('a call and its bucket', () => {
  it('waits in the one of its operation, with its priority', async () => {
    const { call, told } = callerWith();
    await call('X2');
    await call('X6', { priority: 'person' });
    expect(told).toEqual([
      'standard for background',
      'standard is free',
      'documents for person',
      'documents is free',
    ]);
  });

  it('passes on what the server says about its limit', async () => {
    const { call, told } = callerWith(
      answer(200, { 'x-ratelimit-policy': 'less' }),
      answer(409, { 'x-ratelimit-policy': 'more' }, '{"title":"no"}'),
    );
    await call('X2');
    await call('X2').catch(() => undefined);
    expect(told).toEqual([
      'standard for background',
      'standard learns less',
      'standard is free',
      'standard for background',
      'standard learns more',
      'title no',
      'standard is free',
    ]);
  });

  it('pauses as long as the server says, or longer each time', async () => {
    const waits = async (operation: 'X2' | 'X6', count: number, header?: string) => {
      const refusal = () => answer(429, header === undefined ? {} : { 'retry-after': header });
      const { call, told } = callerWith(...Array.from({ length: count }, refusal));
      await call(operation);
      expect(told.filter((each) => each === 'a throttle')).toHaveLength(count);
      return told.filter((each) => each.includes('pauses'));
    };
    expect(await waits('X2', 1, '60')).toEqual(['standard pauses 60000']);
    expect(await waits('X2', 2)).toEqual(['standard pauses 2000', 'standard pauses 3000']);
    expect(await waits('X6', 1)).toEqual(['documents pauses 8000']);
    expect((await waits('X2', 7)).at(-1)).toBe('standard pauses 60000');
  });

  it('is given up if the pause is longer than a minute', async () => {
    const { call, done, told } = callerWith(answer(429, { 'retry-after': '61' }));
    await expect(call('X5')).rejects.toMatchObject(problem('rate_limited', { retryAfterS: 61 }));
    expect([done.sent, told.at(-1)]).toEqual([1, 'standard pauses 61000']);
  });

  it.each([
    ['person', 6],
    ['delivery', 9],
    ['background', 9],
  ] as const)('is refused in it for %s: at most %i of nine times', async (priority, sent) => {
    const refusal = () => answer(429, { 'retry-after': '1' });
    const { call, done } = callerWith(...Array.from({ length: 8 }, refusal));
    await call('X2', { priority }).catch(() => undefined);
    expect(done.sent).toBe(sent);
  });
});

describe('a turn that does not come', () => {
  it('is the failure of the call, and may leave a change unknown', async () => {
    const closed = callerWith();
    closed.failures.push(new Error('closed'));
    await expect(closed.call('X2')).rejects.toMatchObject(problem('connection_lost'));
    const refused = callerWith();
    const limited = new DeskError('rate_limited', { until: '' });
    refused.failures.push(limited);
    await expect(refused.call('X4')).rejects.toBe(limited);
    const lostBefore = callerWith(lost());
    lostBefore.failures.push(null, limited);
    await expect(lostBefore.call('X4')).rejects.toMatchObject(
      problem('outcome_unknown', { cause: 'rate_limited' }),
    );
    expect(lostBefore.done).toMatchObject({ sent: 1, consumed: 1, released: 0 });
  });

  it('is not announced while the token is too old for it', async () => {
    const { call, fresh, done } = callerWith();
    fresh.push(false, false);
    let announced = 0;
    await call('X5', {
      onSend() {
        expect(done.released).toBe(2);
        announced += 1;
      },
    });
    expect([announced, done.sent, done.consumed]).toEqual([1, 1, 1]);
  });

  it('ends with its caller, and with the client', async () => {
    const own = new AbortController();
    const { call, requests, closing } = callerWith();
    await call('X2', { signal: own.signal });
    await call('X2');
    closing.abort();
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    const other = callerWith();
    await other.call('X2', { signal: own.signal });
    own.abort();
    expect(other.requests[0]?.signal.aborted).toBe(true);
  });
});

describe('an answer', () => {
  const reading = (error: Error) => ({ read: () => Promise.reject(error) });
  const brokenOff = () => reading(new DeskError('connection_lost', place));

  it('is given with its status, correlation id and date', async () => {
    const { call } = callerWith({ ...answer(202), serverDateMs: 7 });
    expect(await call('X2')).toEqual({
      value: 'read',
      status: 202,
      correlationId: 'theirs',
      serverDateMs: 7,
    });
    for (const status of [199, 300])
      await expect(callerWith(answer(status)).call('X2')).rejects.toMatchObject(
        problem('redirect_refused'),
      );
    expect((await callerWith(answer(299)).call('X2')).status).toBe(299);
  });

  it('that breaks off is asked for again, unless a part was passed on', async () => {
    const again = callerWith();
    await expect(again.call('X2', {}, brokenOff())).rejects.toMatchObject(
      problem('connection_lost'),
    );
    expect(again.done).toMatchObject({ sent: 3, waits: [200, 400] });
    const passedOn = callerWith();
    const more = { ...brokenOff(), mayRepeat: () => false };
    await expect(passedOn.call('X2', {}, more)).rejects.toMatchObject(problem('connection_lost'));
    expect(passedOn.done.sent).toBe(1);
    expect([again.judged, passedOn.judged]).toEqual([['connection_lost'], ['connection_lost']]);
  });

  it('that cannot be read leaves a change unknown', async () => {
    const invalid = () => reading(new DeskError('answer_invalid', { operation: 'X5', detail: '' }));
    for (const operation of ['X4', 'X5'] as const) {
      const { call, done } = callerWith();
      await expect(call(operation, {}, invalid())).rejects.toMatchObject(
        problem('outcome_unknown', { cause: 'answer_invalid' }),
      );
      expect(done.sent).toBe(1);
    }
    await expect(callerWith().call('X2', {}, invalid())).rejects.toMatchObject(
      problem('answer_invalid'),
    );
    const full = new Error('disk full');
    await expect(callerWith().call('X5', {}, reading(full))).rejects.toBe(full);
  });
});

describe('a failure of the server', () => {
  it('is told from one that certainly did nothing', async () => {
    const outcome = async (operation: 'X2' | 'X4' | 'X5', ...statuses: number[]) => {
      const { call, done } = callerWith(...statuses.map((status) => answer(status)));
      const code = await call(operation).then(
        () => 'done',
        (error: unknown) => (error as DeskError).code,
      );
      return [code, done.sent];
    };
    expect(await outcome('X5', 503)).toEqual(['outcome_unknown', 1]);
    expect(await outcome('X5', 421)).toEqual(['server_failed', 1]);
    expect(await outcome('X4', 421, 421, 421)).toEqual(['server_failed', 3]);
    expect(await outcome('X4', 503, 421, 421)).toEqual(['outcome_unknown', 3]);
    expect(await outcome('X4', 503, 503)).toEqual(['done', 3]);
    expect(await outcome('X2', 503, 503, 503)).toEqual(['server_failed', 3]);
  });

  it('is not waited for after the caller gave up', async () => {
    for (const [operation, code] of [
      ['X2', 'connection_lost'],
      ['X4', 'outcome_unknown'],
    ] as const) {
      const giveUp = new AbortController();
      const { call, done, told } = callerWith(answer(503));
      const asked = call(operation, { signal: giveUp.signal });
      const outcome = asked.catch((error: unknown) => error);
      while (!told.includes('standard is free')) await setImmediate();
      giveUp.abort(new Error('stopped'));
      expect(await outcome).toMatchObject(problem(code));
      expect(done.sent).toBe(1);
    }
  });
});

describe('a refusal that is final', () => {
  it('names the operation of a read, and the address if it names no record', async () => {
    const refused = (operation: 'X1' | 'X2' | 'X5', status = 404) => {
      const { call, judged } = callerWith(answer(status, {}, '{"title":"no"}'));
      return call(operation).then(
        () => null,
        (error: unknown) => ({ ...(error as DeskError).problem, judged }),
      );
    };
    const params = { title: 'no', status: 404, detail: '', correlationId: 'theirs' };
    const judged = ['server_refused'];
    expect(await refused('X2')).toEqual({
      code: 'server_refused',
      params: { ...params, operation: 'X2' },
      judged,
    });
    expect(await refused('X5')).toEqual({ code: 'server_refused', params, judged });
    expect(await refused('X1')).toMatchObject({ code: 'path_unknown', judged: ['path_unknown'] });
  });

  it('may be mended by a nonce and then by another token, each once', async () => {
    const unauthorized = () => ({ ...answer(401), nonceOffered: true });
    const { call, done } = callerWith(unauthorized(), unauthorized(), unauthorized());
    await expect(call('X5')).rejects.toMatchObject(problem('unauthorized'));
    expect(done).toMatchObject({ sent: 3, invalidated: 1, waits: [] });
    const once = callerWith(unauthorized());
    await once.call('X5');
    expect(once.done).toMatchObject({ sent: 2, invalidated: 0 });
    const other = callerWith({ ...answer(409), nonceOffered: true });
    await expect(other.call('X5')).rejects.toMatchObject(problem('server_refused'));
    expect(other.done.sent).toBe(1);
  });
});

it('a body is made for each attempt', async () => {
  const { call, requests } = callerWith(lost());
  let made = 0;
  const body = () => Buffer.from(String((made += 1)));
  await call('X4', { correlationId: 'ours' }, { body });
  expect(requests.map(({ body: sent }) => sent)).toEqual([Buffer.from('1'), Buffer.from('2')]);
  expect(requests[0]).toMatchObject({
    operation: 'X4',
    method: 'PUT',
    accessToken: 'token',
    headers: { 'content-type': 'application/json', 'x-correlation-id': 'ours' },
  });
});

it('an address is that of IT, and a parameter has the published name if nothing else is set', async () => {
  const { call, requests } = callerOver(
    { paths: { X2: '/faelle/{caseId}' }, changedSinceParameter: undefined },
    [],
  );
  await call('X2');
  await call('X1', {}, { query: { lastChangedSince: 'then' } });
  await call('X1', {}, { query: { page: '1' } });
  expect(requests.map(({ url }) => url.pathname + url.search)).toEqual([
    '/api/faelle/a',
    '/api/v1/experts/cases?lastChangedSince=then',
    '/api/v1/experts/cases?page=1',
  ]);
});

it('a request has the key of its act if it is a POST, and the partner’s name of a parameter', async () => {
  const { call, requests } = callerWith();
  const options = { idempotencyKey: 'key', correlationId: 'ours' };
  const more = { query: { lastChangedSince: 'then', page: '1' } };
  await call('X5', options);
  await call('X5');
  await call('X4', options);
  await call('X1', {}, more);
  expect(requests.map(({ headers }) => headers)).toStrictEqual([
    { 'idempotency-key': 'key', 'x-correlation-id': 'ours' },
    {},
    { 'x-correlation-id': 'ours' },
    {},
  ]);
  expect(requests[3]?.url.href).toBe(
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
  // A date begins and ends with a number, too.
  expect(read('28 Feb 2026')).toBe(0);
  expect([undefined, 'soon', ''].map(read)).toEqual([null, null, null]);
});
