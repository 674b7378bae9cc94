import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Problem } from '#main/front/problem.ts';
import { createServerMetrics } from '#main/front/status/server-metrics.ts';
import {
  mountForThisMachine,
  mountHealth,
  mountMetrics,
  withStatusPort,
  type StatusParts,
} from '#main/front/status/status-endpoints.ts';
import { storeSentences, type StoreHealth } from '#main/front/status/store-check.ts';

/* What a server says of itself, and to whom. */

let store: StoreHealth;
let parts: StatusParts;
beforeEach(() => {
  store = 'ok';
  parts = {
    checkStore: () => Promise.resolve(store),
    health: (found) => Promise.resolve({ found }),
    draining: { isOn: false },
  };
});

describe('a server', () => {
  let app: FastifyInstance;
  beforeEach(() => {
    app = fastify();
    mountHealth(app, parts);
  });
  afterEach(() => app.close());
  const ask = async (url: string) => {
    const answer = await app.inject(url);
    return [answer.statusCode, answer.json<object>()];
  };

  test('that works is healthy, ready and alive', async () => {
    expect(await ask('/health')).toEqual([200, { found: 'ok' }]);
    const detail = 'The store can be written.';
    expect(await ask('/ready')).toEqual([200, { status: 'ready', detail }]);
    expect(await ask('/live')).toEqual([200, { status: 'live' }]);
  });

  test.each(['full', 'slow', 'busy'] as const)('whose store is %s lives only', async (state) => {
    store = state;
    expect(await ask('/health')).toEqual([503, { found: state }]);
    const detail = storeSentences[state];
    expect(await ask('/ready')).toEqual([503, { status: 'failing', detail }]);
    expect(await ask('/live')).toEqual([200, { status: 'live' }]);
  });

  test('that ends soon is healthy and not ready, whatever its store', async () => {
    parts.draining.isOn = true;
    expect(await ask('/health')).toEqual([200, { found: 'ok' }]);
    const detail = 'The process ends soon; send new requests to another one.';
    for (store of ['ok', 'full'] as const)
      expect(await ask('/ready')).toEqual([503, { status: 'draining', detail }]);
  });
});

test('the figures have their own type', async () => {
  const app = fastify();
  const metrics = createServerMetrics('service');
  mountMetrics(app, metrics);
  const answer = await app.inject('/metrics');
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, metrics.contentType]);
  expect(answer.body).toContain('server_build_info{server="service"');
  await app.close();
});

describe('what is for this machine alone', () => {
  const ask = async (
    remoteAddress: string,
    headers: Record<string, string> = {},
    trustProxy: string[] | false = false,
  ) => {
    const app = fastify({ trustProxy });
    app.setErrorHandler((error, _request, reply) =>
      reply.send(error instanceof Problem ? `${error.title}: ${error.detail}` : error),
    );
    app.get('/for-all', () => 'anybody');
    mountForThisMachine(app, (scope) => {
      scope.get('/', () => 'here');
    });
    const { body } = await app.inject({ url: '/', remoteAddress, headers });
    const others = await app.inject({ url: '/for-all', remoteAddress, headers });
    expect(others.body).toBe('anybody');
    await app.close();
    return body;
  };
  const hidden = 'not_found: there is no such address';

  test.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('is shown to %s', async (ip) => {
    expect(await ask(ip)).toBe('here');
  });

  test.each(['10.0.0.1', '10.127.0.1', '::2', '::11', '1::1', '::ffff:10.0.0.1', '1270::1'])(
    'is hidden from %s',
    async (ip) => {
      expect(await ask(ip)).toBe(hidden);
    },
  );

  const via = (address: string) => ({ 'x-forwarded-for': address });
  test('is hidden from whoever a proxy passes on, unless it is trusted and names this machine', async () => {
    expect(await ask('127.0.0.1', via('127.0.0.1'))).toBe(hidden);
    expect(await ask('127.0.0.1', { forwarded: 'for=127.0.0.1' })).toBe(hidden);
    expect(await ask('127.0.0.1', via('127.0.0.1'), ['10.0.0.1'])).toBe(hidden);
    expect(await ask('127.0.0.1', via('10.0.0.1'), ['127.0.0.1'])).toBe(hidden);
    expect(await ask('127.0.0.1', via('127.0.0.2'), ['127.0.0.1'])).toBe('here');
    expect(await ask('10.0.0.1', via('127.0.0.1'), ['10.0.0.1'])).toBe('here');
    expect(await ask('127.0.0.1', {}, ['127.0.0.1'])).toBe('here');
  });
});

describe('a port for health and figures', () => {
  const listen = { host: '127.0.0.1', port: 0 };
  let stopped: number[];
  const server = {
    name: 'of a server',
    stop(drainMs: number) {
      stopped.push(drainMs);
      return Promise.resolve();
    },
  };
  beforeEach(() => {
    stopped = [];
  });

  test('answers until the server has stopped', async () => {
    const gate = Promise.withResolvers<undefined>();
    const slow = {
      ...server,
      async stop(drainMs: number) {
        await server.stop(drainMs);
        await gate.promise;
      },
    };
    const metrics = createServerMetrics('gateway');
    const running = await withStatusPort(slow, parts, metrics, listen);
    const { statusUrl } = running;
    expect(running.name).toBe('of a server');
    const status = async (path: string) => (await fetch(statusUrl + path)).status;
    for (const path of ['/health', '/ready', '/live', '/metrics'])
      expect(await status(path)).toBe(200);
    parts.draining.isOn = true;
    const stopping = running.stop(7);
    expect(await status('/ready')).toBe(503);
    gate.resolve(undefined);
    await stopping;
    expect(stopped).toEqual([7]);
    await expect(fetch(statusUrl)).rejects.toThrow('fetch failed');
  });

  test('that cannot be had ends the server', async () => {
    const metrics = createServerMetrics('gateway');
    const refused = withStatusPort(server, parts, metrics, { host: '127.0.0.1', port: -1 });
    await expect(refused).rejects.toMatchObject({ code: 'ERR_SOCKET_BAD_PORT' });
    expect(stopped).toEqual([0]);
  });
});
