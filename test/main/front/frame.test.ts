import { once } from 'node:events';
import { connect } from 'node:net';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { buildFrame } from '#main/front/frame.ts';
import { operation } from '#main/front/operation.ts';
import { Problem } from '#main/front/problem.ts';
import { clientOf, publicUrl, shareFront } from './support/front.ts';

/* What every request meets, and how every error is answered. */

const front = await shareFront();
const { memory, clock, signed } = front;
let context: typeof front.context;
let app: FastifyInstance;
let failure: unknown;

function build(changes: Partial<typeof front.context> = {}): void {
  context = { ...front.context, draining: { isOn: false }, ...changes };
  app = buildFrame(context);
  app.all('/plain', () => ({ a: 1 }));
  app.get('/failing', () => {
    throw failure;
  });
  app.get('/who', (request) => ({
    ip: request.ip,
    url: request.url,
    original: request.originalUrl,
  }));
  app.post('/echo', (request) => ({ isBytes: Buffer.isBuffer(request.body) }));
  app.get('/v1/x::b', () => ({ isColon: true }));
}
beforeEach(() => {
  build();
});
afterEach(() => app.close());

const ask = async (url: string, options: InjectOptions = {}) => {
  const answer = await app.inject({ url, ...options });
  const { statusCode: status, headers, body } = answer;
  const json = body.startsWith('{') ? answer.json<Record<string, unknown>>() : {};
  return { status, headers, body, json };
};
const lines = (correlationId: string) =>
  memory.lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line['correlationId'] === correlationId);
const called = (id: string) => ({ headers: { 'x-correlation-id': id } });

describe('every answer', () => {
  test('has the correlation id of its request, and a line in the log', async () => {
    const { headers } = await ask('/plain', called('mine'));
    expect(headers['x-correlation-id']).toBe('mine');
    expect(lines('mine')).toMatchObject([{ operation: null, status: 200 }]);
    expect((await ask('/nowhere', called('lost'))).json).toEqual({
      type: 'about:blank',
      title: 'not_found',
      status: 404,
      detail: 'there is no such address',
      instance: 'lost',
    });
  });

  test.each([
    ['GET', '/plain', 'no-store'],
    ['HEAD', '/plain', 'no-store'],
    ['GET', '/failing', 'no-store'],
    ['POST', '/v1/oauth/token', 'no-store'],
    ['POST', '/plain', undefined],
    ['PUT', '/plain', undefined],
  ] as const)('to %s %s: Cache-Control is %s', async (method, url, value) => {
    failure = new Error('no');
    expect((await ask(url, { method })).headers['cache-control']).toBe(value);
  });

  test('ends its connection while the server drains', async () => {
    expect((await ask('/plain')).headers.connection).toBe('keep-alive');
    context.draining.isOn = true;
    expect((await ask('/plain')).headers.connection).toBe('close');
  });
});

describe('a request', () => {
  test('is timed when it arrives', async () => {
    // The proof of a request that waits is as old as it was at its arrival.
    const expert = clientOf();
    operation(app, context, 'X1', { handler: () => ({}) });
    app.addHook('onRequest', (_request, _reply, done) => {
      clock.advance(120_000);
      done();
    });
    const headers = await signed(expert, 'GET', '/v1/experts/cases');
    expect((await ask('/v1/experts/cases', { headers })).json).toEqual({});
  });

  test('has a Host', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const [bare, old] = [
      await exchange(
        address,
        'GET /plain HTTP/1.1\r\nX-Correlation-Id: bare\r\nConnection: close\r\n\r\n',
      ),
      await exchange(address, 'GET /plain HTTP/1.0\r\n\r\n'),
    ];
    expect(bare).toContain('HTTP/1.1 400');
    expect(bare).toContain('"detail":"the request has no Host header"');
    expect(bare).toContain('"instance":"bare","errors":{"Host":["is required."]}');
    expect(old).toContain('HTTP/1.1 200');
  });

  test.each([
    ['/v1/x%3Ab', true],
    ['/v1/x%3ab', true],
    ['/v1/x:b', true],
    ['/v1/x%253Ab', undefined],
  ])('may escape the colon of its path: %s', async (url, isColon) => {
    expect((await ask(url)).json['isColon']).toBe(isColon);
  });

  test('keeps the escaped colons of its query, and all of its address for the proof', async () => {
    expect((await ask('/wh%6f?a=%3A%3a')).json).toMatchObject({ url: '/wh%6f?a=%3A%3a' });
    expect((await ask('/who?a=%3A')).json).toMatchObject({
      url: '/who?a=%3A',
      original: '/who?a=%3A',
    });
  });

  test('has its body as bytes, of whatever type', async () => {
    for (const type of ['application/json', 'text/plain', 'a/b']) {
      const answer = await ask('/echo', {
        method: 'POST',
        payload: '{',
        headers: { 'content-type': type },
      });
      expect(answer.json).toEqual({ isBytes: true });
    }
  });

  test('comes from the address that a trusted proxy names, and from nobody else’s', async () => {
    const headers = { 'x-forwarded-for': '10.0.0.7' };
    expect((await ask('/who', { headers })).json['ip']).toBe('127.0.0.1');
    build({ trustedProxies: ['127.0.0.1'] });
    expect((await ask('/who', { headers })).json['ip']).toBe('10.0.0.7');
    build({ trustedProxies: ['10.0.0.1'] });
    expect((await ask('/who', { headers })).json['ip']).toBe('127.0.0.1');
  });

  test('may expect anything', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const text = await exchange(
      address,
      'GET /plain HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n',
    );
    expect(text).toContain('HTTP/1.1 200');
  });

  test('has as long as a large document takes', () => {
    expect([app.server.requestTimeout, app.server.timeout]).toEqual([900_000, 900_000]);
  });
});

/** Sends a text over one connection. @returns what came back, to the connection's end */
async function exchange(address: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (answer += piece));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

describe('an error', () => {
  test('that is a refusal is answered as that, with its headers', async () => {
    failure = new Problem('rate_limited', 'wait', { headers: { 'Retry-After': '7' } });
    const { status, headers, json } = await ask('/failing', called('refused'));
    expect([status, headers['retry-after'], headers['content-type']]).toEqual([
      429,
      '7',
      'application/problem+json',
    ]);
    expect(json).toMatchObject({ title: 'rate_limited', detail: 'wait', instance: 'refused' });
    expect(lines('refused')).toMatchObject([{ status: 429 }]);
  });

  test('of an operation has no members of the token endpoint', async () => {
    failure = new Problem('invalid_request', 'no', { oauthError: 'x', errors: { a: ['b'] } });
    const { json } = await ask('/failing');
    expect(json).not.toHaveProperty('error');
    expect(json).toMatchObject({ errors: { a: ['b'] } });
  });

  test('that nobody expected is logged and not shown', async () => {
    failure = Object.assign(new Error('secret'), { code: 'EIO' });
    const { status, body } = await ask('/failing', called('unexpected'));
    expect([status, body.includes('secret')]).toEqual([500, false]);
    expect(JSON.parse(body)).toMatchObject({ title: 'internal_error' });
    const [line] = lines('unexpected');
    expect(line).toMatchObject({ level: 50, msg: 'the operation failed', code: 'EIO' });
    expect(JSON.stringify(line)).not.toContain('secret');
  });

  test('that is a refusal of status 500 is logged too', async () => {
    failure = new Problem('upstream_error', 'the partner is away');
    expect((await ask('/failing', called('upstream'))).status).toBe(500);
    expect(lines('upstream')).toMatchObject([{ msg: 'the operation failed' }, { status: 500 }]);
  });

  test.each([
    [499, 'invalid_request', { request: ['is malformed.'] }],
    [500, 'internal_error', undefined],
  ])('of the server with status %i is %s', async (statusCode, title, errors) => {
    failure = Object.assign(new Error('secret'), { statusCode });
    const { json, body } = await ask('/failing');
    expect([json['title'], json['errors'], body.includes('secret')]).toEqual([
      title,
      errors,
      false,
    ]);
    expect(json['detail']).toEqual(
      statusCode === 499 ? 'the request is malformed' : 'the service failed',
    );
  });

  test.each([
    ['FST_ERR_CTP_BODY_TOO_LARGE', 'size_limit_exceeded', 'the body of the request is too large'],
    [
      'FST_ERR_CTP_INVALID_MEDIA_TYPE',
      'invalid_request',
      'the body is of a type that is not understood here',
    ],
  ])('of the server with the code %s is %s', async (code, title, detail) => {
    failure = Object.assign(new Error('secret'), { code, statusCode: 413 });
    const { json } = await ask('/failing');
    expect(json).toMatchObject({ title, detail });
    expect(json['errors']).toEqual(
      title === 'invalid_request' ? { 'Content-Type': ['is not understood here.'] } : undefined,
    );
  });

  test('in an address is named', async () => {
    const { status, headers, json } = await ask('/plain%', called('address'));
    expect([status, headers['x-correlation-id']]).toEqual([400, 'address']);
    expect(json).toMatchObject({
      title: 'invalid_request',
      detail: 'the address of the request is malformed',
      errors: { path: ['is malformed.'] },
      instance: 'address',
    });
  });

  test.each([
    [
      'nothing of HTTP',
      'hello\r\n\r\n',
      'request',
      'the request is not HTTP that this service takes',
    ],
    [
      'too long headers',
      `GET /plain HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
      'headers',
      'the address and the headers of the request are longer than 16 KiB.',
    ],
  ])('in what comes over the line is answered: %s', async (_, sent, field, detail) => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const [head = '', body = ''] = (await exchange(address, sent)).split('\r\n\r\n');
    const [status, ...headers] = head.split('\r\n');
    expect(status).toBe('HTTP/1.1 400 Bad Request');
    const document = JSON.parse(body) as { detail: string; errors: object; instance: string };
    expect([document.detail, Object.keys(document.errors)]).toEqual([detail, [field]]);
    expect(headers).toEqual([
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Correlation-Id: ${document.instance}`,
      'Connection: close',
    ]);
    const rule =
      field === 'request'
        ? 'is not HTTP that this service takes.'
        : 'and the address are longer than 16 KiB.';
    expect(document.errors).toEqual({ [field]: [rule] });
  });
});

describe('the token endpoint', () => {
  const url = '/v1/oauth/token';
  const refusedWith = async (headers: Record<string, string>) =>
    ask(url, { method: 'POST', headers });

  test('has the error of OAuth in its body, and no challenge', async () => {
    const { status, headers, json } = await refusedWith({});
    expect([status, json['error'], json['error_description']]).toEqual([
      401,
      'invalid_dpop_proof',
      'the request has no DPoP proof',
    ]);
    expect(headers['www-authenticate']).toBeUndefined();
  });

  test('has one error for whatever is malformed', async () => {
    const answer = await ask(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'x'.repeat(65 * 1024),
    });
    expect(answer.json).toMatchObject({ title: 'size_limit_exceeded', error: 'invalid_request' });
  });

  test('has no error of OAuth for a failure and for a limit', async () => {
    front.exhausted.add('token address:127.0.0.1');
    const { status, json } = await refusedWith({});
    expect([status, 'error' in json]).toEqual([429, false]);
  });

  test.each([
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json;q=1, application/json', 'application/json; charset=utf-8'],
    ['application/json, */*', 'application/problem+json'],
    ['*/*', 'application/problem+json'],
    ['', 'application/problem+json'],
  ])('answers who accepts "%s" in %s', async (accept, type) => {
    expect((await refusedWith({ accept })).headers['content-type']).toBe(type);
    expect((await ask('/nowhere', { headers: { accept } })).headers['content-type']).toBe(
      'application/problem+json',
    );
  });

  test('answers who says nothing of it with a problem', async () => {
    expect((await refusedWith({})).headers['content-type']).toBe('application/problem+json');
  });

  test('is for the address of the server', async () => {
    const dpop = await front.proof('POST', url);
    const { json } = await refusedWith({ dpop, host: 'another.example' });
    expect(json['detail']).toBe('the form lacks a field');
    expect(context.address.publicUrl).toBe(publicUrl);
  });
});

describe('a server that ends', () => {
  test('refuses what its proxy repeats, from the moment on', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const get = (repeats?: string) =>
      fetch(`${address}/plain`, {
        headers: repeats === undefined ? {} : { 'x-proxy-repeats': repeats },
      }).then(
        ({ status }) => status,
        () => 'broken off',
      );
    expect(await get('GET')).toBe(200);
    context.draining.isOn = true;
    expect([await get('GET'), await get('POST'), await get()]).toEqual(['broken off', 200, 200]);
  });

  test('ends each connection after its answer', async () => {
    const [arrived, answer] = [Promise.withResolvers<null>(), Promise.withResolvers<string>()];
    app.get('/slow', () => {
      arrived.resolve(null);
      return answer.promise;
    });
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const exchanged = exchange(address, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived.promise;
    const closing = app.close();
    while (app.server.listening) await new Promise((resolve) => setImmediate(resolve));
    answer.resolve('answered');
    expect(await exchanged).toContain('answered');
    await closing;
  });

  test('keeps a connection as long as it runs', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const twice = `GET /plain HTTP/1.1\r\nHost: x\r\n\r\nGET /plain HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect((await exchange(address, twice)).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });
});

test('a body that is refused is read to its end, and the connection goes on', async () => {
  operation(app, context, 'X3', { body: z.object({}), handler: () => undefined });
  const path = '/v1/experts/cases/one/expert-comment';
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const headers = await signed(clientOf(), 'PUT', path);
  const size = 4 * 1024 * 1024;
  const head = Object.entries({ ...headers, 'content-length': String(size) })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const last = 'GET /plain HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const text = await exchange(
    address,
    `PUT ${path} HTTP/1.1\r\n${head}\r\n${'x'.repeat(size)}${last}`,
  );
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    '400',
    '200',
  ]);
  expect(text).toContain('size_limit_exceeded');
});
