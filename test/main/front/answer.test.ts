import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  JsonPieces,
  renderAnswer,
  renderProblem,
  sendAnswer,
  sendPieces,
  withInstance,
} from '#main/front/answer.ts';
import {
  correlationHeader,
  correlationIdOf,
  Problem,
  problemDocument,
  StartError,
} from '#main/front/problem.ts';
import { createMemoryLog, type MemoryLog } from '../service/support/memory-log.ts';

const json = 'application/json; charset=utf-8';

describe('an answer', () => {
  test('is JSON, or has no body', () => {
    expect(renderAnswer(201, { a: 'ü' })).toEqual({
      status: 201,
      contentType: json,
      body: Buffer.from('{"a":"ü"}'),
    });
    expect(renderAnswer(200, [Buffer.from('{"a":'), Buffer.from('1}')]).body.toString()).toBe(
      '{"a":1}',
    );
    expect(renderAnswer(204, undefined)).toEqual({
      status: 204,
      contentType: '',
      body: Buffer.alloc(0),
    });
  });

  test('in pieces cannot be stored', () => {
    const pieces = new JsonPieces(undefined, piecesOf());
    expect(() => renderAnswer(200, pieces)).toThrow('only a GET may answer in pieces');
  });

  test('that is replayed has the id of its request if it is a problem, and is else unchanged', () => {
    const problem = renderProblem(new Problem('not_found', 'nothing is here'), 'first');
    const replayed = withInstance(problem, 'second');
    expect(replayed).toMatchObject({ status: 404, contentType: 'application/problem+json' });
    expect(replayed.body.toString()).toBe(problem.body.toString().replace('first', 'second'));
    const answer = renderAnswer(200, { instance: 'mine' });
    expect(withInstance(answer, 'second')).toBe(answer);
  });
});

async function* piecesOf(...texts: string[]): AsyncGenerator<Buffer, void, undefined> {
  await Promise.resolve();
  for (const text of texts) {
    if (text === 'broken') throw new Error('the disk is gone');
    yield Buffer.from(text);
  }
}

describe('a server', () => {
  let app: FastifyInstance;
  let memory: MemoryLog;
  beforeEach(() => {
    memory = createMemoryLog();
    app = fastify();
  });
  afterEach(() => app.close());
  const lines = (): unknown[] => memory.lines.map((line) => JSON.parse(line) as unknown);
  /** Mounts an answer in pieces. */
  const answerWith = (sizeBytes: number | undefined, ...texts: string[]) =>
    app.get('/', (_request, reply) =>
      sendPieces(memory, reply, 200, new JsonPieces(sizeBytes, piecesOf(...texts))),
    );

  test('sends an answer with its type, or with no body', async () => {
    app.get('/json', (_request, reply) => sendAnswer(reply, renderAnswer(201, { a: 1 })));
    app.get('/none', (_request, reply) => sendAnswer(reply, renderAnswer(204, undefined)));
    const answer = await app.inject('/json');
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
      201,
      json,
      '{"a":1}',
    ]);
    const none = await app.inject('/none');
    expect([none.statusCode, none.headers['content-type'], none.body]).toEqual([
      204,
      undefined,
      '',
    ]);
  });

  test.each([[7], [undefined]])(
    'sends pieces, with their size if it is known (%s)',
    async (size) => {
      answerWith(size, '{"a"', ':1}');
      const answer = await app.inject('/');
      expect(answer.body).toBe('{"a":1}');
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, json]);
      expect(answer.headers['content-length']).toBe(size === undefined ? undefined : '7');
    },
  );

  test('logs an answer that breaks off, by the id of its request', async () => {
    answerWith(undefined, '{"a"', 'broken');
    const answer = await fetch(await app.listen({ port: 0, host: '127.0.0.1' }));
    await expect(answer.text()).rejects.toThrow('terminated');
    expect(lines()).toMatchObject([{ msg: 'the answer broke off', correlationId: 'req-1' }]);
  });

  test('logs nothing itself if nothing was sent yet', async () => {
    answerWith(undefined, 'broken');
    expect((await app.inject('/')).statusCode).toBe(500);
    expect(lines()).toEqual([]);
  });
});

describe('a problem', () => {
  test('has the status of its title, and no more in its document than it has', () => {
    const problem = new Problem('invalid_state', 'it is closed');
    expect(problem).toMatchObject({
      name: 'Problem',
      message: 'invalid_state: it is closed',
      headers: {},
    });
    expect(JSON.parse(problemDocument(problem, 'id'))).toEqual({
      type: 'about:blank',
      title: 'invalid_state',
      status: problem.status,
      detail: 'it is closed',
      instance: 'id',
    });
  });

  test('names fields, and the error of the token endpoint', () => {
    const cause = new Error('x');
    const options = {
      errors: { a: ['b'] },
      oauthError: 'invalid_client',
      headers: { c: 'd' },
      cause,
    };
    const problem = new Problem('invalid_client', 'who is it', options);
    expect(problem).toMatchObject({ headers: { c: 'd' }, cause });
    expect(JSON.parse(problemDocument(problem, 'id'))).toEqual({
      type: 'about:blank',
      title: 'invalid_client',
      status: 401,
      detail: 'who is it',
      instance: 'id',
      errors: { a: ['b'] },
      error: 'invalid_client',
      error_description: 'who is it',
    });
  });
});

describe('a correlation id', () => {
  const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

  test.each(['a', '!~', 'x'.repeat(80)])('is that of the request: %s', (id) => {
    expect(correlationIdOf(id)).toBe(id);
  });

  test.each(['', 'x'.repeat(81), 'a b', 'ä', 'a\n', '\x7f', undefined])('is new for %j', (id) => {
    expect(correlationIdOf(id)).toMatch(uuid);
  });

  test('has a header of its own', () => {
    expect(correlationHeader).toBe('X-Correlation-Id');
  });

  test('is new for several', () => {
    expect(correlationIdOf(['a'])).toMatch(uuid);
  });
});

test('a server that cannot start says with which code it ends', () => {
  expect(new StartError('no')).toMatchObject({ name: 'StartError', message: 'no', exitCode: 1 });
  const cause = new Error('x');
  expect(new StartError('no', { exitCode: 2, cause })).toMatchObject({ exitCode: 2, cause });
});
