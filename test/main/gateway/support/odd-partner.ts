import {
  json,
  startHostileServer,
  type HostileServer,
} from '../../../support/partner/hostile-server.ts';
import { newKey, type PartnerOfGateway } from './gateway.ts';

/** A case as the partner lists it. */
export const caseOf = (Id: string, more: object = {}) => ({
  Id,
  ExternalKey: `K-${Id}`,
  Category: 'special',
  Status: 'InProgress',
  PayloadJson: '{}',
  CreatedAt: '2026-03-01T10:00:00.000Z',
  UpdatedAt: null,
  LastChangedAt: '2026-03-01T10:00:00.000Z',
  ...more,
});

export interface OddPartner extends HostileServer, PartnerOfGateway {
  /** The cases that it has, by id. */
  readonly cases: Map<string, object>;
  /** The requests other than reads of cases, such as `PUT /v1/experts/cases/a/amounts`. */
  readonly changes: () => string[];
  /** Drops what is queued. */
  readonly forget: () => void;
}

/**
 * A partner of a gateway that has these cases, and does with every other request what the test
 * queues; otherwise it answers 204.
 */
export async function startOddPartner(...ids: readonly string[]): Promise<OddPartner> {
  const server = await startHostileServer();
  const cases = new Map<string, object>(ids.map((id) => [id, caseOf(id)]));
  const queued: HostileServer['always'][] = [];
  server.always = (response, request, incoming) => {
    const { pathname } = new URL(request.url, server.baseUrl);
    const [, id] = /^\/v1\/experts\/cases(?:\/([^/]+))?$/.exec(pathname) ?? [];
    if (pathname === '/v1/experts/cases') {
      const Items = [...cases.values()];
      return json(200, { Total: Items.length, Page: 1, Size: 200, Items })(
        response,
        request,
        incoming,
      );
    }
    if (request.method === 'GET' && id !== undefined) {
      const found = cases.get(id);
      const answer = found ? json(200, found) : json(404, { title: 'not_found', status: 404 });
      return answer(response, request, incoming);
    }
    const next = queued.shift();
    if (next) return next(response, request, incoming);
    response.writeHead(204).end();
  };
  return Object.assign(server, {
    isOdd: true as const,
    cases,
    credentials: { expert: { clientId: 'office', privateKeyPem: newKey().privatePem } },
    context: { address: { audience: `${server.baseUrl}/v1/oauth/token` } },
    forget: () => void (queued.length = 0),
    next: (...handlers: typeof queued) => void queued.push(...handlers),
    changes: () =>
      server.seen
        .filter(({ method }) => method !== 'GET')
        .map(({ method, url }) => `${method} ${url}`),
  });
}
