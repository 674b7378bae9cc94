import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Who sent a request, as its verified access token says. */
export interface Caller {
  readonly clientId: string;
  readonly organizationId: string;
  readonly kind: 'insurer' | 'expert';
  /** People in the organization. */
  readonly members: number;
}

/** On the request itself: a map that holds it weakly costs the collector more than all of this. */
const callerOf = Symbol('caller');

declare module 'fastify' {
  interface FastifyRequest {
    [callerOf]: Caller | undefined;
  }
}

/** Makes room for the caller on every request. */
export function mountCallers(app: FastifyInstance): void {
  app.decorateRequest(callerOf, undefined);
}

/** Notes who sent the request, once its token and proof are verified. */
export function setCaller(request: FastifyRequest, caller: Caller): void {
  request[callerOf] = caller;
}

/** Who sent the request; undefined where it came without a token. */
export function findCaller(request: FastifyRequest): Caller | undefined {
  return request[callerOf];
}
