import type { FastifyRequest } from 'fastify';

/** Who sent a request, as its verified access token says. */
export interface Caller {
  readonly clientId: string;
  readonly organizationId: string;
  readonly kind: 'insurer' | 'expert';
  /** People in the organization. */
  readonly members: number;
}

const callers = new WeakMap<FastifyRequest, Caller>();

/** Notes who sent the request, once its token and proof are verified. */
export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

/** Who sent the request; undefined where it came without a token. */
export function findCaller(request: FastifyRequest): Caller | undefined {
  return callers.get(request);
}
