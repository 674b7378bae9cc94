import { getEventListeners, once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createIdleTimeout,
  createTransport,
  networkFailure,
  RequestFailure,
  type Answer,
  type OutgoingRequest,
  type Transport,
} from '#main/partner/requests/transport.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { createSteppedClock, type SteppedClock } from '../../engine/support/stepped-clock.ts';
import { problemOf } from '../../engine/support/test-client.ts';

/* One request over a real connection: what is known of it if it fails, and when it is given up. */

/** A clock that tells which delays are waited for now. */
function createCountedClock(): SteppedClock & { pending: () => number[] } {
  const clock = createSteppedClock(0);
  const pending = new Map<symbol, number>();
  return {
    ...clock,
    pending: () => [...pending.values()],
    after(ms, run) {
      const key = Symbol('delay');
      pending.set(key, ms);
      const cancel = clock.after(ms, () => {
        pending.delete(key);
        run();
      });
      return () => {
        pending.delete(key);
        cancel();
      };
    },
  };
}

let clock: ReturnType<typeof createCountedClock>;
let transport: Transport;
beforeEach(() => {
  clock = createCountedClock();
  transport = createTransport({ clock });
});
afterEach(() => transport.close());

/** A server for this test; its address, and the number of connections to it. */
async function serve(listener: RequestListener) {
  const server = createServer(listener);
  const found = { url: new URL('http://127.0.0.1'), connections: 0 };
  server.on('connection', () => void found.connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  found.url.port = String((server.address() as AddressInfo).port);
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return found;
}

/** Resolves when the connection is closed, broken or not. */
const endOf = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

const send = (url: URL, more: Partial<OutgoingRequest> = {}, signal?: AbortSignal) =>
  transport.send(
    { method: 'GET', url, headers: {}, body: null, ...more },
    signal ?? new AbortController().signal,
  );

async function textOf({ body }: Answer): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** What is known of a request that got no answer. */
async function failureOf(work: Promise<unknown>) {
  try {
    await work;
  } catch (error) {
    if (error instanceof RequestFailure) return { ...error.problem.problem, left: error.left };
    throw error;
  }
  return null;
}

/** A body whose pieces come as the test gives them. */
function streamedBody(sizeBytes: number, pieces: () => AsyncIterable<Buffer>) {
  const done = { pulled: 0, taken: 0 };
  const body = {
    sizeBytes,
    async *pieces() {
      for await (const bytes of pieces()) {
        done.pulled += 1;
        yield { bytes, taken: () => void done.taken++ };
      }
    },
  };
  return { body, done };
}

async function* inPieces(...texts: string[]) {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

/** What the server received: method, headers and body. */
function received() {
  const found: { method: string; length: string | undefined; mark: unknown; body: string }[] = [];
  const listener: RequestListener = (incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      const { 'content-length': length, mark } = incoming.headers;
      found.push({ method: incoming.method ?? '', length, mark, body });
      response.writeHead(202, { mark: 'theirs' }).end('answer');
    });
  };
  return { found, listener };
}

describe('a request', () => {
  it('arrives as it is, and its answer too, over one connection', async () => {
    const { found, listener } = received();
    const server = await serve(listener);
    const headers = { mark: 'ours' };
    const streamed = streamedBody(6, () => inPieces('abc', 'def'));
    for (const more of [
      {},
      { method: 'PUT', headers, body: Buffer.from('abc') },
      { method: 'POST', headers, body: streamed.body },
    ]) {
      const answer = await send(server.url, more);
      expect([answer.status, answer.headers['mark']]).toEqual([202, 'theirs']);
      expect(await textOf(answer)).toBe('answer');
    }
    expect(found).toEqual([
      { method: 'GET', length: undefined, mark: undefined, body: '' },
      { method: 'PUT', length: '3', mark: 'ours', body: 'abc' },
      { method: 'POST', length: '6', mark: 'ours', body: 'abcdef' },
    ]);
    expect(streamed.done).toEqual({ pulled: 2, taken: 2 });
    expect(server.connections).toBe(1);
    expect(clock.pending()).toEqual([]);
  });

  it('is waited for as long as each of its steps may take', async () => {
    const seen: number[][] = [];
    let finish: () => void = () => undefined;
    let goOn: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (goOn = resolve));
    const server = await serve((incoming, response) => {
      incoming.once('data', () => {
        seen.push(clock.pending());
        goOn();
      });
      incoming.on('data', () => undefined);
      incoming.on('end', () => {
        seen.push(clock.pending());
        response.writeHead(200);
        response.write('half');
        finish = () => response.end();
      });
    });
    const { body: streamed } = streamedBody(2, async function* () {
      yield Buffer.from('a');
      await arrived;
      yield Buffer.from('b');
    });
    for (const body of [null, streamed]) {
      const sent = send(server.url, { method: 'POST', body });
      // A connection must come about first.
      expect(clock.pending()).toEqual([15_000]);
      const answer = await sent;
      expect(clock.pending()).toEqual([]);
      const pieces = answer.body[Symbol.asyncIterator]();
      await pieces.next();
      const last = pieces.next();
      expect(clock.pending()).toEqual([30_000]);
      finish();
      expect((await last).done).toBe(true);
      expect(clock.pending()).toEqual([]);
    }
    expect(seen).toEqual([[60_000], [30_000], [60_000]]);
  });

  it('lets go of its signal when it is over', async () => {
    const { listener } = received();
    const server = await serve(listener);
    const { signal } = new AbortController();
    const answer = await send(server.url, {}, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await textOf(answer);
    await vi.waitFor(() => expect(getEventListeners(signal, 'abort')).toHaveLength(0));
  });
});

describe('a request without an answer', () => {
  const lost = (url: URL, left: boolean) => ({
    code: 'connection_lost',
    params: { host: url.host },
    left,
  });

  it('has not left if nothing listens', async () => {
    const { url } = await serve(() => undefined);
    url.port = '1';
    expect(await failureOf(send(url))).toMatchObject({ code: 'connection_refused', left: false });
    expect(clock.pending()).toEqual([]);
  });

  it('has left once it is connected, over a new connection and a used one', async () => {
    let isBroken = true;
    const server = await serve((incoming, response) => {
      if (isBroken) incoming.socket.destroy();
      else response.end('answer');
    });
    expect(await failureOf(send(server.url))).toEqual(lost(server.url, true));
    isBroken = false;
    await textOf(await send(server.url));
    isBroken = true;
    expect(await failureOf(send(server.url))).toEqual(lost(server.url, true));
    expect(server.connections).toBe(2);
    expect(clock.pending()).toEqual([]);
  });

  it('has not left if there is no secure connection', async () => {
    const { url } = await serve(() => undefined);
    const secure = new URL(url.href.replace('http:', 'https:'));
    const found = { code: 'captive_portal', params: { host: url.host, found: 'no-tls' } };
    expect(await failureOf(send(secure))).toEqual({ ...found, left: false });
  });

  it('is not sent if it is given up before', async () => {
    const server = await serve((_, response) => void response.end());
    const early = AbortSignal.abort(new Error('stopped'));
    expect(await failureOf(send(server.url, {}, early))).toEqual(lost(server.url, false));
    const giveUp = new AbortController();
    const sent = send(server.url, {}, giveUp.signal);
    giveUp.abort(new DeskError('offline', { host: 'here' }));
    expect(await failureOf(sent)).toEqual({
      code: 'offline',
      params: { host: 'here' },
      left: false,
    });
    expect(server.connections).toBe(0);
    expect(clock.pending()).toEqual([]);
  });

  it('has left if it is given up while it waits, and its connection ends', async () => {
    const giveUp = new AbortController();
    let ended: Promise<unknown> = Promise.resolve();
    const server = await serve((incoming) => {
      ended = endOf(incoming.socket);
      giveUp.abort(new Error('stopped'));
    });
    expect(await failureOf(send(server.url, {}, giveUp.signal))).toEqual(lost(server.url, true));
    await ended;
    expect(clock.pending()).toEqual([]);
  });

  it('timed out', async () => {
    const server = await serve(() => undefined);
    const timeout = { code: 'timeout', params: { host: server.url.host } };
    const hasty = createTransport({
      clock: {
        ...clock,
        after(ms, run) {
          if (ms === 15_000) queueMicrotask(run);
          return () => undefined;
        },
      },
    });
    const request = { method: 'GET', url: server.url, headers: {}, body: null };
    const connecting = hasty.send(request, new AbortController().signal);
    expect(await failureOf(connecting)).toEqual({ ...timeout, left: false });
    hasty.close();
    const waiting = failureOf(send(server.url));
    await clock.waitsFor((ms) => ms === 60_000);
    await clock.advance(60_000);
    expect(await waiting).toEqual({ ...timeout, left: true });
  });

  it('names itself and its problem for the log', () => {
    const problem = new DeskError('timeout', { host: 'here' });
    const failure = new RequestFailure(problem, true);
    expect(failure).toMatchObject({ name: 'RequestFailure', message: 'timeout', cause: problem });
  });
});

describe('a body that is created while it is sent', () => {
  const broken = new Error('the file is damaged');
  async function* breaking(error: unknown) {
    yield await Promise.resolve(Buffer.from('a'));
    throw error;
  }

  it('ends the request with the error of its source, and the connection too', async () => {
    const ends: Promise<unknown>[] = [];
    const server = await serve(({ socket }) => void ends.push(endOf(socket)));
    const fails = (error: unknown) =>
      send(server.url, { method: 'POST', body: streamedBody(9, () => breaking(error)).body });
    await expect(fails(broken)).rejects.toBe(broken);
    await expect(fails('no error')).rejects.toMatchObject({
      message: 'the source failed',
      cause: 'no error',
    });
    await Promise.all(ends);
    expect(clock.pending()).toEqual([]);
  });

  it.each(['ab', 'abcd'])('must have the size that was announced, 3 (%s)', async (text) => {
    const server = await serve(() => undefined);
    const { body } = streamedBody(3, () => inPieces(text));
    expect(await problemOf(send(server.url, { method: 'POST', body }))).toEqual({
      code: 'internal',
      params: { reason: 'a body of another size than announced' },
    });
  });

  it('ends where an answer cuts it short, and its connection is not used again', async () => {
    let ended: Promise<unknown> = Promise.resolve();
    const server = await serve(({ socket }, response) => {
      ended = endOf(socket);
      response.writeHead(413).end('too large');
    });
    let goOn: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (goOn = resolve));
    const { body, done } = streamedBody(9, async function* () {
      yield Buffer.from('abc');
      await answered;
      yield* inPieces('def', 'ghi');
    });
    const answer = await send(server.url, { method: 'POST', body });
    goOn();
    expect([answer.status, await textOf(answer)]).toEqual([413, 'too large']);
    await clock.advance(0);
    expect(done).toEqual({ pulled: 2, taken: 1 });
    expect(clock.pending()).toEqual([]);
    await ended;
    await textOf(await send(server.url));
    expect(server.connections).toBe(2);
  });

  it('ends if the request is given up', async () => {
    const giveUp = new AbortController();
    const server = await serve((incoming) => void incoming.once('data', () => giveUp.abort()));
    let goOn: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (goOn = resolve));
    const { body, done } = streamedBody(9, async function* () {
      yield Buffer.from('abc');
      await stopped;
      yield* inPieces('def', 'ghi');
    });
    const sent = send(server.url, { method: 'POST', body }, giveUp.signal);
    expect(await failureOf(sent)).toMatchObject({ code: 'connection_lost', left: true });
    goOn();
    await clock.advance(0);
    expect(done).toEqual({ pulled: 2, taken: 1 });
    expect(clock.pending()).toEqual([]);
  });

  it('counts no piece as taken that the connection did not accept', async () => {
    const giveUp = new AbortController();
    const server = await serve((incoming) => {
      incoming.once('data', () => {
        incoming.pause();
        giveUp.abort();
      });
    });
    const large = Buffer.alloc(32 * 1024 * 1024);
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    const { body, done } = streamedBody(large.length + 1, async function* () {
      try {
        yield await Promise.resolve(large);
        yield Buffer.from('a');
      } finally {
        leave();
      }
    });
    const sent = send(server.url, { method: 'POST', body }, giveUp.signal);
    expect(await failureOf(sent)).toMatchObject({ code: 'connection_lost', left: true });
    await left;
    expect(done).toEqual({ pulled: 1, taken: 0 });
  });
});

describe('the body of an answer', () => {
  it('closes the connection if it is not read to its end', async () => {
    let ended: Promise<unknown> = Promise.resolve();
    const server = await serve(({ socket }, response) => {
      ended = endOf(socket);
      response.write('a');
    });
    for await (const piece of (await send(server.url)).body) {
      expect(piece.toString()).toBe('a');
      break;
    }
    await ended;
    expect(clock.pending()).toEqual([]);
  });

  it('is given up with its request', async () => {
    const server = await serve((_, response) => void response.write('a'));
    const giveUp = new AbortController();
    const answer = await send(server.url, {}, giveUp.signal);
    const read = problemOf(textOf(answer));
    giveUp.abort();
    expect(await read).toEqual({ code: 'connection_lost', params: { host: server.url.host } });
  });

  it('that stops times out', async () => {
    const server = await serve((_, response) => void response.write('a'));
    const read = problemOf(textOf(await send(server.url)));
    await clock.waitsFor((ms) => ms === 30_000);
    await clock.advance(30_000);
    expect(await read).toEqual({ code: 'timeout', params: { host: server.url.host } });
  });

  it.each([
    ['gzip', true],
    [' X-GZIP ', true],
    ['zip', false],
  ])('in %s is decoded: %s', async (encoding, isDecoded) => {
    const bytes = gzipSync('answer');
    const server = await serve((_, response) => {
      response.setHeader('content-encoding', encoding);
      response.end(bytes);
    });
    const text = await textOf(await send(server.url));
    expect(text === 'answer').toBe(isDecoded);
    expect(text).toBe(isDecoded ? 'answer' : bytes.toString());
  });
});

describe('the time for the pieces of an answer', () => {
  it('is two minutes in all, and longer for each byte that arrived', async () => {
    const idle = createIdleTimeout(clock);
    const waitFor = async (ms: number, length: number | null) => {
      let give: (result: IteratorResult<{ length: number }>) => void = () => undefined;
      const waited = idle.waitFor(
        new Promise<IteratorResult<{ length: number }>>((resolve) => (give = resolve)),
      );
      await clock.advance(ms);
      give(length === null ? { done: true, value: undefined } : { value: { length } });
      await waited;
      return idle.nextMs();
    };
    expect(idle.nextMs()).toBe(30_000);
    expect(await waitFor(90_000, 0)).toBe(30_000);
    expect(await waitFor(10_000, 0)).toBe(20_000);
    expect(await waitFor(10_000, 4_000)).toBe(12_000);
    expect(await waitFor(2_000, null)).toBe(10_000);
    expect(await waitFor(30_000, 0)).toBe(0);
  });
});

describe('the error of a broken connection', () => {
  const host = 'partner.example';
  const withCode = (code: unknown) => Object.assign(new Error('broken'), { code });

  it.each([
    ['ENOTFOUND', 'address_unknown'],
    ['EAI_AGAIN', 'address_unknown'],
    ['EAI_NODATA', 'address_unknown'],
    ['EAI_NONAME', 'address_unknown'],
    ['ECONNREFUSED', 'connection_refused'],
    ['EHOSTUNREACH', 'offline'],
    ['EHOSTDOWN', 'offline'],
    ['ENETUNREACH', 'offline'],
    ['ENETDOWN', 'offline'],
    ['EADDRNOTAVAIL', 'offline'],
    ['ETIMEDOUT', 'timeout'],
    ['ECONNRESET', 'connection_lost'],
    ['HPE_INVALID_EOF_STATE', 'connection_lost'],
    ['X_CERT_', 'connection_lost'],
    ['X_EPROTO', 'connection_lost'],
    [7, 'connection_lost'],
  ])('%s is %s', (given, code) => {
    const error = withCode(given);
    const found = networkFailure(error, host);
    expect(found.problem).toEqual({ code, params: { host } });
    expect(found.cause).toBe(error);
  });

  it.each([
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'CRL_HAS_EXPIRED',
    'INVALID_CA',
    'INVALID_PURPOSE',
    'PATH_LENGTH_EXCEEDED',
    'HOSTNAME_MISMATCH',
    'ERROR_IN_CERT_NOT_AFTER_FIELD',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])('%s is a certificate', (reason) => {
    const error = withCode(reason);
    const found = networkFailure(error, host);
    expect(found.problem).toEqual({ code: 'certificate_untrusted', params: { host, reason } });
    expect(found.cause).toBe(error);
  });

  it.each([
    ['EPROTO', 'no-tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'no-tls'],
    ['HPE_INVALID_CONSTANT', 'no-http'],
  ])('%s is a portal (%s)', (code, found) => {
    const error = withCode(code);
    const failure = networkFailure(error, host);
    expect(failure.problem).toEqual({ code: 'captive_portal', params: { host, found } });
    expect(failure.cause).toBe(error);
  });

  it('is the first of several', () => {
    const all = [withCode('ENETUNREACH'), withCode('ECONNREFUSED')];
    expect(networkFailure(new AggregateError(all), host).code).toBe('offline');
    const unnamed = Object.assign(new AggregateError(all), { code: '' });
    expect(networkFailure(unnamed, host).code).toBe('offline');
    const named = Object.assign(new AggregateError(all), { code: 'ETIMEDOUT' });
    expect(networkFailure(named, host).code).toBe('timeout');
  });

  it('is itself if it is known already, and a lost connection if it is none', () => {
    const known = new DeskError('timeout', { host: 'other' });
    expect(networkFailure(known, host)).toBe(known);
    for (const value of [undefined, { code: 'ETIMEDOUT' }])
      expect(networkFailure(value, host).problem).toEqual({
        code: 'connection_lost',
        params: { host },
      });
  });
});
