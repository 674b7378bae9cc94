import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { createStoreCheck, mountHealth, type StoreHealth } from '../front/open-endpoints.ts';
import { Problem } from '../front/problem.ts';
import type { GatewayContext } from './context.ts';
import { pullAgeS } from './metrics.ts';
import { writeState } from './state.ts';

/** /health and /metrics. @param assertAllowed refuses a request */
export function mountStatusEndpoints(
  app: FastifyInstance,
  context: GatewayContext,
  assertAllowed: (request: FastifyRequest, context: GatewayContext) => void = () => undefined,
): void {
  const { db, clock, metrics } = context;
  void app.register((scope, _options, done) => {
    scope.addHook('onRequest', (request) => {
      assertAllowed(request, context);
      return Promise.resolve();
    });
    mountHealth(scope, {
      checkStore: createStoreCheck(clock, () => writeState(db, 'health', String(clock.now()))),
      health: (store) => healthOf(context, store),
    });
    scope.get('/metrics', async (_request, reply) =>
      reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
    );
    done();
  });
}

/**
 * Refuses a request from another machine. A request that a proxy on this machine passes on comes
 * from another machine, unless the proxy is trusted and says otherwise.
 * @throws {Problem} not_found
 */
export function assertFromThisMachine(
  { ip, headers }: FastifyRequest,
  { trustedProxies }: Pick<GatewayContext, 'trustedProxies'>,
): void {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  const isLoopback = /^(?:::ffff:)?127\.|^::1$/.test(ip);
  if (isLoopback && (!isForwarded || trustedProxies.length > 0)) return;
  throw new Problem('not_found', 'there is no such address');
}

/** Listens on the port for /health and /metrics. */
export async function listenForStatus(
  context: GatewayContext,
  listen: { readonly host: string; readonly port: number },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const app = Fastify({ logger: false, forceCloseConnections: true });
  mountStatusEndpoints(app, context);
  return { url: await app.listen(listen), close: () => app.close() };
}

async function healthOf({ db, clock, upstream, bucket }: GatewayContext, store: StoreHealth) {
  const ageS = store === 'ok' ? await pullAgeS(db, clock) : NaN;
  const reachable = upstream.reachable();
  const reason = reachable !== true && reachable ? reachable.reason : null;
  const partner = reachable === null ? 'unknown' : reachable === true ? 'reachable' : 'unreachable';
  const isBehind = !(ageS < 300);
  const documents = bucket?.isFailing() ? 'failing' : 'ok';
  const status =
    store !== 'ok'
      ? 'failing'
      : partner === 'unreachable' || isBehind || documents === 'failing'
        ? 'degraded'
        : 'ok';
  return {
    status,
    store,
    documents,
    partner,
    pullAgeSeconds: Number.isNaN(ageS) ? null : ageS,
    detail: healthDetail({ store, reason, isBehind, documents }),
  };
}

/** One sentence for the operator. */
function healthDetail(found: {
  readonly store: string;
  readonly documents: string;
  readonly reason: string | null;
  readonly isBehind: boolean;
}): string {
  if (found.store !== 'ok') return 'The store cannot be written.';
  if (found.documents !== 'ok') {
    return 'The storage for documents cannot be reached. Documents that are in it are refused.';
  }
  if (found.reason !== null) {
    return `The partner cannot be used: ${found.reason}. Cases are served as they were, and changes are refused.`;
  }
  if (found.isBehind) return 'The partner was not read for more than five minutes.';
  return 'The store is in step with the partner.';
}
