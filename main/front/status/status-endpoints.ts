import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';
import type { Draining } from '../context.ts';
import type { ServerMetrics } from './server-metrics.ts';
import { storeSentences, type StoreHealth } from './store-check.ts';

/** What a server reports about itself. */
export interface StatusParts {
  readonly checkStore: () => Promise<StoreHealth>;
  /** Returns the body of /health. */
  readonly health: (store: StoreHealth) => object | Promise<object>;
  readonly draining: Draining;
}

/**
 * Mounts what tells about a server without a token.
 * - `/health`: what works and what does not, for people and for alerts
 * - `/ready`: whether a proxy should send requests
 * - `/live`: whether the process still answers; if not, it has to be restarted
 */
export function mountHealth(app: FastifyInstance, parts: StatusParts): void {
  const { checkStore, health, draining } = parts;
  app.get('/health', async (_request, reply) => {
    const store = await checkStore();
    return reply.code(store === 'ok' ? 200 : 503).send(await health(store));
  });
  app.get('/ready', async (_request, reply) => {
    const store = await checkStore();
    if (draining.isOn) {
      const detail = 'The process ends soon; send new requests to another one.';
      return reply.code(503).send({ status: 'draining', detail });
    }
    const detail = storeSentences[store];
    if (store !== 'ok') return reply.code(503).send({ status: 'failing', detail });
    return { status: 'ready', detail };
  });
  app.get('/live', () => ({ status: 'live' }));
}

export function mountMetrics(app: FastifyInstance, metrics: ServerMetrics): void {
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
}

/** Mounts endpoints that answer requests from this machine alone. */
export function mountForThisMachine(
  app: FastifyInstance,
  mount: (scope: FastifyInstance) => void,
): void {
  void app.register((scope, _options, done) => {
    scope.addHook('onRequest', (request) => {
      assertFromThisMachine(request);
      return Promise.resolve();
    });
    mount(scope);
    done();
  });
}

/**
 * Refuses a request from another machine. If a proxy on this machine passes a request on, the
 * request counts as one from another machine, unless the proxy is trusted and names this machine.
 * @throws {Problem} not_found
 */
function assertFromThisMachine({ ip, ips = [], headers }: FastifyRequest): void {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  const isLoopback = /^(?:::ffff:)?127\.|^::1$/.test(ip);
  // If the address belongs to a trusted proxy, at least one more address follows.
  if (isLoopback && (!isForwarded || ips.length > 1)) return;
  throw new Problem('not_found', 'there is no such address');
}

interface Stoppable {
  stop(drainMs: number): Promise<void>;
}

/**
 * Listens on a port for health and metrics alone, until the server has stopped, so that a proxy
 * sees that it drains.
 * @throws the error of listening, after the server was stopped
 */
export async function withStatusPort<Server extends Stoppable>(
  server: Server,
  parts: StatusParts,
  metrics: ServerMetrics,
  listen: { readonly host: string; readonly port: number },
): Promise<Server & { readonly statusUrl: string }> {
  const app = Fastify({ logger: false, forceCloseConnections: true });
  mountHealth(app, parts);
  mountMetrics(app, metrics);
  try {
    const statusUrl = await app.listen(listen);
    return {
      ...server,
      statusUrl,
      async stop(drainMs) {
        await server.stop(drainMs);
        await app.close();
      },
    };
  } catch (error) {
    await server.stop(0);
    throw error;
  }
}
