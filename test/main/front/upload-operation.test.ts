import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { buildFrame } from '#main/front/frame.ts';
import { Problem } from '#main/front/problem.ts';
import { drained, uploadBodyLimitBytes, uploadOperation } from '#main/front/upload-operation.ts';
import { clientOf, shareFront } from './support/front.ts';

/* What happens with the body of an upload, and with what was staged of it. */

const { context, memory, signed } = await shareFront();
const expert = clientOf();
const path = '/v1/experts/reports/one/documents';
let app: FastifyInstance;
/** What is staged, and what the operation did with it. */
let staged: Set<Buffer>;
let received: number;
let handled: string[];
let failure: Error | undefined;
let discarding: () => Promise<void>;
let receive: (stream: Readable) => Promise<Buffer>;

beforeEach(() => {
  app = buildFrame(context);
  staged = new Set();
  received = 0;
  handled = [];
  failure = undefined;
  discarding = () => Promise.resolve();
  receive = buffer;
  uploadOperation(app, context, 'X13', {
    params: z.object({ submissionId: z.string().min(3, 'is too short.') }),
    async receive(stream: Readable) {
      received += 1;
      const content = await receive(stream);
      staged.add(content);
      return content;
    },
    async discard(content) {
      await discarding();
      staged.delete(content);
    },
    async handler({ body, caller, params, query, request, db }) {
      handled.push(`${caller.clientId} ${params.submissionId} ${String(query)} ${request.method}`);
      await db
        .insertInto('signing_keys')
        .values({ kid: body.toString('utf8', 0, 20), private_jwk: '{}', created_at: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      if (failure) throw failure;
      return { Bytes: body.length };
    },
  });
});
afterEach(() => app.close());

const keysLike = async (kid: string) =>
  context.db.selectFrom('signing_keys').select('kid').where('kid', '=', kid).execute();

interface Asked {
  readonly headers?: Record<string, string>;
  readonly payload?: string | Readable;
  readonly url?: string;
}
async function ask({ headers = {}, payload = 'one', url = path }: Asked = {}) {
  const answer = await app.inject({
    method: 'POST',
    url,
    headers: {
      ...(await signed(expert, 'POST', url)),
      'content-type': 'application/json',
      ...headers,
    },
    payload,
  });
  const { title = '', errors } = answer.json<{ title?: string; errors?: object }>();
  const { headers: sent, body, statusCode: status } = answer;
  return { status, title, errors, body, isReplayed: sent['idempotency-replayed'] === 'true' };
}
const key = (name: string) => ({ 'idempotency-key': name });

test('upload: an operation of its own, with its parameters alone', () => {
  expect(context.operations.at(-1)).toEqual({ id: 'X13', params: expect.anything() as object });
});

describe('upload: a document', () => {
  test('is received, handled and kept', async () => {
    expect(await ask({ payload: 'kept' })).toMatchObject({ status: 201, body: '{"Bytes":4}' });
    expect(handled).toEqual(['expert-1 one undefined POST']);
    expect([staged.size, await keysLike('kept')]).toEqual([1, [{ kid: 'kept' }]]);
  });

  test('that comes again gets the first answer, and only the first is kept', async () => {
    const headers = key('again');
    expect((await ask({ headers, payload: 'again' })).isReplayed).toBe(false);
    expect((await ask({ headers, payload: 'again' })).isReplayed).toBe(true);
    expect([handled.length, staged.size]).toEqual([1, 1]);
    expect((await ask({ headers, payload: 'other' })).isReplayed).toBe(false);
    expect([handled.length, staged.size]).toEqual([2, 2]);
  });

  test.each([
    ['a refusal', 'a', new Problem('invalid_state', 'it is closed'), 400],
    ['a refusal without a key', undefined, new Problem('invalid_state', 'it is closed'), 400],
    ['a failure', 'b', new Error('the disk is full'), 500],
  ])('is discarded after %s, with what was done for it', async (_, name, error, status) => {
    failure = error;
    const headers = name === undefined ? {} : key(name);
    expect((await ask({ headers, payload: 'undone' })).status).toBe(status);
    expect([staged.size, await keysLike('undone')]).toEqual([0, []]);
  });

  test('is discarded before the caller has the answer', async () => {
    failure = new Problem('invalid_state', 'it is closed');
    const gate = Promise.withResolvers<undefined>();
    const begun = Promise.withResolvers<undefined>();
    discarding = () => {
      begun.resolve(undefined);
      return gate.promise;
    };
    let isAnswered = false;
    const answer = ask().finally(() => (isAnswered = true));
    await begun.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    gate.resolve(undefined);
    expect((await answer).status).toBe(400);
  });

  test('that cannot be discarded is left to the purge, and the answer is that of the operation', async () => {
    failure = new Problem('invalid_state', 'it is closed');
    discarding = () => Promise.reject(new Error('the bucket is away'));
    const headers = { 'x-correlation-id': 'stuck' };
    expect(await ask({ headers })).toMatchObject({ status: 400, title: 'invalid_state' });
    const line = memory.lines.find((each) => each.includes('not discarded')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ level: 50, correlationId: 'stuck', name: 'Error' });
    expect(line).not.toContain('the bucket is away');
  });
});

describe('upload: a body', () => {
  test.each([
    ['its path', { url: path.replace('one', '1') }, 'submissionId'],
    ['its type', { headers: { 'content-type': 'text/plain' } }, 'Content-Type'],
    ['its coding', { headers: { 'content-encoding': 'gzip' } }, 'Content-Encoding'],
  ])('is not received if it is refused for %s', async (_, asked, field) => {
    const answer = await ask(asked);
    expect([answer.title, Object.keys(answer.errors ?? {})]).toEqual(['invalid_request', [field]]);
    expect([received, handled.length, staged.size]).toEqual([0, 0, 0]);
  });

  test('of any type is not parsed on the way', async () => {
    expect(await ask({ headers: { 'content-type': 'application/json; a=b' } })).toMatchObject({
      status: 201,
    });
  });

  test('that is refused is answered after its end, for the whole of it', async () => {
    receive = async (stream) => {
      await once(stream, 'data');
      throw new Problem('invalid_document', 'it is empty');
    };
    const piece = Buffer.alloc(100_000, 'x');
    const upload = async (last: string) => {
      let isRead = false;
      const payload = Readable.from(
        (function* () {
          for (let sent = 0; sent < 9; sent += 1) yield piece;
          yield Buffer.from(last);
          isRead = true;
        })(),
      );
      const answer = await ask({ headers: key('whole'), payload });
      expect([isRead, answer.title]).toEqual([true, 'invalid_document']);
      return answer.isReplayed;
    };
    expect([await upload('a'), await upload('a'), await upload('b')]).toEqual([false, true, false]);
    expect(handled).toEqual([]);
  });

  test('that cannot be stored is a failure', async () => {
    receive = () => Promise.reject(new Error('the disk is full'));
    expect((await ask({ headers: key('failed') })).status).toBe(500);
    receive = buffer;
    expect(await ask({ headers: key('failed') })).toMatchObject({ status: 201, isReplayed: false });
  });

  /** Sends pieces of a mebibyte, and then the rest. */
  function* bytes(count: number) {
    const piece = Buffer.alloc(1024 * 1024);
    let left = count;
    for (; left > piece.length; left -= piece.length) yield piece;
    yield piece.subarray(0, left);
  }

  test('may be of 80 MiB, and waits for who receives it', async () => {
    const count = async (stream: Readable) => {
      let size = 0;
      for await (const piece of stream) size += (piece as Buffer).length;
      return Buffer.from(String(size));
    };
    receive = count;
    const payload = Readable.from(bytes(uploadBodyLimitBytes));
    expect((await ask({ payload })).status).toBe(201);
    expect([...staged].map(String)).toEqual([String(80 * 1024 * 1024)]);
    const over = Readable.from(bytes(uploadBodyLimitBytes + 1));
    expect(await ask({ payload: over })).toMatchObject({
      status: 400,
      title: 'size_limit_exceeded',
    });
    expect([received, handled.length, staged.size]).toEqual([2, 1, 1]);
  });

  test('that says it is larger is not received', async () => {
    const headers = { 'content-length': String(uploadBodyLimitBytes + 1) };
    expect(await ask({ headers })).toMatchObject({ title: 'size_limit_exceeded' });
    expect(received).toBe(0);
    const just = { 'content-length': String(uploadBodyLimitBytes) };
    expect((await ask({ headers: just })).status).toBe(201);
  });
});

describe('upload: a caller that breaks off', () => {
  /** Sends a part of a body and goes away once `begun` resolves. */
  async function breakOff(begun: Promise<unknown>): Promise<void> {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const headers = await signed(expert, 'POST', path);
    const caller = httpRequest(address + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': '100' },
    });
    caller.on('error', () => undefined);
    caller.write('part');
    await begun;
    caller.destroy();
  }
  const failures = () => memory.lines.filter((line) => line.includes('the operation failed'));

  test('ends the receiving, and is no failure of the server', async () => {
    const [begun, ended] = [Promise.withResolvers<null>(), Promise.withResolvers<unknown>()];
    receive = async (stream) => {
      stream.once('data', () => begun.resolve(null));
      await once(stream, 'end').catch(ended.resolve);
      throw new Error('it broke off');
    };
    const before = failures().length;
    await breakOff(begun.promise);
    expect(await ended.promise).toMatchObject({ message: 'aborted' });
    await app.close();
    expect([failures().length - before, handled, staged.size]).toEqual([0, [], 0]);
  });

  test('is not answered by what was received before', async () => {
    const begun = Promise.withResolvers<null>();
    receive = async (stream) => {
      const [piece] = (await once(stream, 'data')) as [Buffer];
      begun.resolve(null);
      return piece;
    };
    await breakOff(begun.promise);
    await app.close();
    expect(handled).toEqual([]);
  });
});

describe('a stream that is full', () => {
  test.each([
    ['is read', (stream: PassThrough) => void stream.resume()],
    ['is closed', (stream: PassThrough) => void stream.destroy()],
  ])('is waited for until it %s', async (_, end) => {
    const stream = new PassThrough({ highWaterMark: 1 });
    expect(stream.write('ab')).toBe(false);
    const before = stream.listenerCount('drain') + stream.listenerCount('close');
    const waiting = drained(stream);
    end(stream);
    await waiting;
    expect(stream.listenerCount('drain') + stream.listenerCount('close')).toBe(before);
  });
});
