import type { FastifyInstance } from 'fastify';
import type { Clock } from '#shared/lib/clock.ts';

export type StoreHealth = 'ok' | 'failing';

/** A store that does not answer within this time is failing. */
const timeoutMs = 2000;
/** Health needs no token, so its result is cached to spare the store. */
const cachedMs = 1000;

/**
 * Makes a check of a store.
 * @param write writes a row, because a store on a full or read-only disk can still be read.
 */
export function createStoreCheck(
  clock: Clock,
  write: () => Promise<unknown>,
): () => Promise<StoreHealth> {
  let last: { readonly atMs: number; readonly health: Promise<StoreHealth> } | undefined;

  function check(): Promise<StoreHealth> {
    const { promise, resolve } = Promise.withResolvers<StoreHealth>();
    const cancel = clock.after(timeoutMs, () => resolve('failing'));
    void write()
      .then(
        (): StoreHealth => 'ok',
        (): StoreHealth => 'failing',
      )
      .then((health) => {
        cancel();
        resolve(health);
      });
    return promise;
  }

  return () => {
    const nowMs = clock.monotonic();
    if (!last || nowMs - last.atMs >= cachedMs) last = { atMs: nowMs, health: check() };
    return last.health;
  };
}

export interface HealthEndpoint {
  readonly checkStore: () => Promise<StoreHealth>;
  /** The body of /health. */
  readonly health: (store: StoreHealth) => object | Promise<object>;
}

export interface OpenEndpoints extends HealthEndpoint {
  /** The OpenAPI document; called for each request, because the address is set on listening. */
  readonly document: () => object;
}

/** Mounts the endpoints of every server that need no token: /health and /openapi.json. */
export function mountOpenEndpoints(
  app: FastifyInstance,
  { document, ...endpoint }: OpenEndpoints,
): void {
  mountHealth(app, endpoint);
  app.get('/openapi.json', () => document());
}

export function mountHealth(app: FastifyInstance, { checkStore, health }: HealthEndpoint): void {
  app.get('/health', async (_request, reply) => {
    const store = await checkStore();
    return reply.code(store === 'ok' ? 200 : 503).send(await health(store));
  });
}
