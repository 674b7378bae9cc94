import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { JsonPieces } from '#main/front/answer.ts';
import { buildFrame } from '#main/front/frame.ts';
import { fastifyPath, operation } from '#main/front/operation.ts';
import { Problem } from '#main/front/problem.ts';
import type { SecurityTables } from '#main/front/store/tables.ts';
import { clientOf, shareFront } from './support/front.ts';

/* What stands between a request and the handler of its operation. */

const { context, signed } = await shareFront();
const expert = clientOf();
const cases = '/v1/experts/cases';
let app: FastifyInstance;
beforeEach(() => {
  app = buildFrame(context);
});
afterEach(() => app.close());

interface Asked {
  readonly headers?: Record<string, string>;
  readonly payload?: string | Buffer;
}

async function ask(
  method: 'GET' | 'PUT' | 'POST',
  url: string,
  { headers = {}, payload }: Asked = {},
) {
  const answer = await app.inject({
    method,
    url,
    headers: {
      ...(await signed(expert, method, url)),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { payload }),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.body };
}

const addKey = (db: Kysely<SecurityTables>, kid: string) =>
  db.insertInto('signing_keys').values({ kid, private_jwk: '{}', created_at: 0 }).execute();
const hasKey = async (kid: string) => {
  const rows = await context.db
    .selectFrom('signing_keys')
    .select('kid')
    .where('kid', '=', kid)
    .execute();
  return rows.length === 1;
};

describe('a path', () => {
  test.each([
    ['/v1/a', '/v1/a'],
    ['/v1/{id}/b/{other}', '/v1/:id/b/:other'],
    ['/v1/{id}:reopen', '/v1/:id([^:/]+)::reopen'],
    ['/v1/{id}/b:draft', '/v1/:id/b::draft'],
    ['/v1/a:validate', '/v1/a::validate'],
  ])('%s is %s for the router', (template, path) => {
    expect(fastifyPath(template)).toBe(path);
  });
});

describe('a reading', () => {
  const parts = {
    params: z.object({ caseId: z.string().min(3, 'is too short.') }),
    query: z.object({ size: z.coerce.number('must be a number.') }),
  };

  test('gets its caller, its parameters and the store itself', async () => {
    const seen: unknown[] = [];
    operation(app, context, 'X2', {
      ...parts,
      handler: ({ caller, params, query, body, request, db }) => {
        const { operation: id } = request.routeOptions.config;
        seen.push(caller.clientId, params, query, body, request.method, db === context.db, id);
        return { a: 1 };
      },
    });
    expect(await ask('GET', `${cases}/one?size=7`)).toMatchObject({ status: 200, body: '{"a":1}' });
    expect(seen).toEqual([
      'expert-1',
      { caseId: 'one' },
      { size: 7 },
      undefined,
      'GET',
      true,
      'X2',
    ]);
    expect(context.operations.at(-1)).toEqual({ id: 'X2', ...parts, body: undefined });
  });

  test('is refused for its parameters before it is done', async () => {
    operation(app, context, 'X2', { ...parts, handler: () => expect.unreachable() });
    const refused = await Promise.all(
      ['/1?size=7', '/one?size=x'].map((rest) => ask('GET', cases + rest)),
    );
    expect(refused.map(({ body }) => (JSON.parse(body) as { errors: object }).errors)).toEqual([
      { caseId: ['is too short.'] },
      { size: ['must be a number.'] },
    ]);
  });

  test('may be sent in pieces', async () => {
    async function* pieces(): AsyncGenerator<Buffer, void, undefined> {
      await Promise.resolve();
      yield Buffer.from('{}');
    }
    operation(app, context, 'X2', { handler: () => new JsonPieces(2, pieces()) });
    const { status, headers, body } = await ask('GET', `${cases}/one`);
    expect([status, headers['content-length'], body]).toEqual([200, '2', '{}']);
  });

  test('of nobody is refused', async () => {
    operation(app, context, 'X2', { handler: () => expect.unreachable() });
    const answer = await app.inject({ method: 'GET', url: `${cases}/one` });
    expect(answer.statusCode).toBe(401);
  });
});

describe('a change', () => {
  test('runs in a transaction, which a refusal undoes', async () => {
    operation(app, context, 'X5', {
      async handler({ db }) {
        await addKey(db, 'undone');
        throw new Problem('invalid_state', 'it is closed');
      },
    });
    expect((await ask('POST', `${cases}/one:reopen`)).status).toBe(400);
    expect(await hasKey('undone')).toBe(false);
  });

  test('has the status of its operation, and its body', async () => {
    const seen: unknown[] = [];
    operation(app, context, 'X8', {
      body: z.object({ Comment: z.string() }),
      async handler({ body, db, caller }) {
        seen.push(body, db === context.db, caller.kind);
        await addKey(db, 'done');
        return { Id: 'a' };
      },
    });
    const path = `${cases}/one/reports:draft`;
    expect(await ask('POST', path, { payload: '{"Comment":"a"}' })).toMatchObject({
      status: 201,
      body: '{"Id":"a"}',
    });
    expect(seen).toEqual([{ Comment: 'a' }, false, 'expert']);
    expect(await hasKey('done')).toBe(true);
    expect((await ask('POST', path, { payload: '{"Comment":1}' })).status).toBe(400);
  });

  test('is done once for a key and a body', async () => {
    const done: string[] = [];
    operation(app, context, 'X8', {
      body: z.object({ Comment: z.string() }),
      handler: ({ body }) => void done.push(body.Comment),
    });
    const path = `${cases}/one/reports:draft`;
    const headers = { 'idempotency-key': 'once' };
    const replayed = [];
    for (const comment of ['a', 'a', 'b']) {
      const payload = JSON.stringify({ Comment: comment });
      const answer = await ask('POST', path, { headers, payload });
      replayed.push(answer.headers['idempotency-replayed']);
    }
    expect(replayed).toEqual([undefined, 'true', undefined]);
    expect(done).toEqual(['a', 'b']);
  });

  test('without a body is done once for a key', async () => {
    let done = 0;
    operation(app, context, 'X15', { handler: () => void (done += 1) });
    const headers = { 'idempotency-key': 'without' };
    for (const replayed of [undefined, 'true']) {
      const answer = await ask('POST', '/v1/experts/reports/one/submit', { headers });
      expect(answer.headers['idempotency-replayed']).toBe(replayed);
    }
    expect(done).toBe(1);
  });

  test('takes a body of 1 MiB, and none that is larger', async () => {
    operation(app, context, 'X3', {
      body: z.object({ Text: z.string() }),
      handler: () => undefined,
    });
    const overhead = '{"Text":""}'.length;
    const put = (bytes: number) =>
      ask('PUT', `${cases}/one/expert-comment`, {
        payload: JSON.stringify({ Text: 'x'.repeat(bytes - overhead) }),
      });
    const mib = 1024 * 1024;
    expect(await put(mib)).toMatchObject({ status: 204, body: '' });
    const over = await put(mib + 1);
    expect(JSON.parse(over.body)).toMatchObject({ title: 'size_limit_exceeded' });
  });
});
