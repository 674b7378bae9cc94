import type { FastifyRequest } from 'fastify';
import { routes, type OperationId, type Route } from '#shared/api/routes.ts';
import { checkProof, useProof } from './auth/proof.ts';
import type { FrontContext } from './context.ts';
import { idempotencyKeyOf } from './parse-request.ts';
import { Problem } from './problem.ts';
import { checkAccessToken } from './auth/access-token.ts';
import type { Client } from './auth/clients.ts';

/** The client that sent a request, according to its verified access token. */
export type Caller = Pick<
  Client,
  'clientId' | 'organizationId' | 'kind' | 'members' | 'generation'
>;

/**
 * The key under which the caller is stored on the request, once its token and proof are verified.
 */
const callerOf = Symbol('caller');

declare module 'fastify' {
  interface FastifyRequest {
    [callerOf]?: Caller;
  }
}

/** Undefined if the request came without a token. */
export function findCaller(request: FastifyRequest): Caller | undefined {
  return request[callerOf];
}

/**
 * Checks a request before its body is read: token and proof, limit, Idempotency-Key, kind of
 * organization, members.
 * @throws {Problem} unauthorized, invalid_dpop, rate_limited, invalid_request (the key),
 *   invalid_org_context, org_without_members.
 */
export async function admit(
  context: FrontContext,
  id: OperationId,
  request: FastifyRequest,
): Promise<void> {
  await admitTo(context, routes[id], request);
}

/**
 * The same checks for an operation that a server adds to the partner API. @throws {Problem} the
 * problems of `admit`
 */
export async function admitTo(
  context: FrontContext,
  route: Route,
  request: FastifyRequest,
): Promise<void> {
  const caller = await identifyCaller(context, route, request);
  // The key is checked even without a caller, although no answer is stored then, because a
  // malformed key is always invalid.
  if (route.method === 'POST') idempotencyKeyOf(request);
  if (!caller) return;
  request[callerOf] = caller;
  if (route.audience === 'none') return;
  if (caller.kind !== route.audience) {
    throw new Problem('invalid_org_context', `this operation is for ${route.audience}s`);
  }
  if (caller.members === 0) {
    throw new Problem('org_without_members', 'the organization of the token has no members');
  }
}

/**
 * Verifies token and proof, then the limit, and then marks the proof as used. So a request that is
 * refused with 429 can be sent again with the same proof.
 * @returns undefined if the operation needs no token and the request has no valid one.
 */
async function identifyCaller(
  context: FrontContext,
  route: Route,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  const address = { address: request.ip };
  const needsToken = route.audience !== 'none';
  try {
    // RFC 9449 section 7.
    const text = tokenOf(request.headers.authorization);
    const { client, jkt } = await checkAccessToken(context, text);
    const proof = await checkProof(context, request, { text, jkt });
    await context.limiter.draw(route.bucket, { client: client.clientId });
    await useProof(context, proof);
    return client;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    // A failed attempt counts against the limit of the address, so that guessing is slow.
    await context.limiter.draw(route.bucket, address);
    if (needsToken) throw error;
    return undefined;
  }
}

function tokenOf(authorization: string | undefined): string {
  const token = /^dpop +([\w.~+/-]+=*) *$/i.exec(authorization ?? '')?.[1];
  if (token !== undefined) return token;
  const detail =
    authorization === undefined
      ? 'the request has no Authorization header'
      : 'the Authorization header is not of the scheme DPoP';
  throw new Problem('unauthorized', detail, {
    headers: { 'WWW-Authenticate': 'DPoP algs="ES256"' },
  });
}
