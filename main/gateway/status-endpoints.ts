import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { noFindings, type PullFindings } from '../partner/pull-store.ts';
import { createStoreCheck, mountHealth, type StoreHealth } from '../front/open-endpoints.ts';
import { Problem } from '../front/problem.ts';
import type { GatewayContext } from './context.ts';
import { lastPull } from './metrics.ts';
import { readFindings, writeState } from './state.ts';

/** /health and /metrics. @param assertAllowed refuses a request */
export function mountStatusEndpoints(
  app: FastifyInstance,
  context: GatewayContext,
  assertAllowed: (request: FastifyRequest) => void = () => undefined,
): void {
  const { db, clock, metrics } = context;
  void app.register((scope, _options, done) => {
    scope.addHook('onRequest', (request) => {
      assertAllowed(request);
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
export function assertFromThisMachine({ ip, ips = [], headers }: FastifyRequest): void {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  const isLoopback = /^(?:::ffff:)?127\.|^::1$/.test(ip);
  // Behind the address of a trusted proxy there is at least one more.
  if (isLoopback && (!isForwarded || ips.length > 1)) return;
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

/** The store is behind if the last pull is older; a partner that gives only its whole list is read less often. */
const behindAfterS = { changes: 300, wholeList: 900 };

async function healthOf({ db, clock, upstream, bucket }: GatewayContext, store: StoreHealth) {
  const isReadable = store === 'ok';
  const { atMs, ageS } = isReadable ? await lastPull(db, clock) : { atMs: NaN, ageS: NaN };
  const { incomplete, ignoresSince } = isReadable ? await readFindings(db) : noFindings;
  const reachable = upstream.reachable();
  const failure = reachable === true ? null : reachable;
  // Another process may have pulled completely since.
  const isOver = failure !== null && failure.atMs <= atMs;
  const reason = isOver ? null : (failure?.reason ?? null);
  const partner = reachable === null ? 'unknown' : reason === null ? 'reachable' : 'unreachable';
  const isBehind = !(ageS < behindAfterS[ignoresSince ? 'wholeList' : 'changes']);
  const documents = bucket?.isFailing() ? 'failing' : 'ok';
  const isDegraded = reason !== null || incomplete !== null || isBehind || documents === 'failing';
  return {
    status: store !== 'ok' ? 'failing' : isDegraded ? 'degraded' : 'ok',
    store,
    documents,
    partner,
    pullAgeSeconds: Number.isNaN(ageS) ? null : ageS,
    detail: healthDetail({ store, reason, incomplete, ageS, isBehind, documents }),
  };
}

/** One sentence for the operator. */
function healthDetail(found: {
  readonly store: string;
  readonly documents: string;
  readonly reason: string | null;
  readonly incomplete: PullFindings['incomplete'];
  readonly ageS: number;
  readonly isBehind: boolean;
}): string {
  if (found.store !== 'ok') return 'The store cannot be written.';
  if (found.documents !== 'ok') {
    return 'The storage for documents cannot be reached. Documents that are in it are refused.';
  }
  if (found.reason !== null) {
    return `The partner cannot be used: ${found.reason}. Cases are served as they were, and changes are refused.`;
  }
  if (found.incomplete !== null) {
    return 'The partner’s list of cases could not be read whole; the log says why.';
  }
  if (Number.isNaN(found.ageS)) return 'The partner was not read yet.';
  if (found.isBehind) {
    return `The partner was read ${String(Math.floor(found.ageS / 60))} minutes ago for the last time.`;
  }
  return 'The store is in step with the partner.';
}
