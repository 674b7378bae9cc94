import type { FastifyRequest } from 'fastify';
import type { FrontContext } from '../context.ts';
import { Problem } from '../problem.ts';
import { checkAccessToken } from './access-token.ts';
import type { Client } from './clients.ts';
import { checkProof, type CheckedProof } from './proof.ts';

/** The client that sent a request, according to its verified access token. */
export type Caller = Pick<Client, 'clientId' | 'organizationId' | 'kind' | 'members'>;

/**
 * Verifies a request's access token and DPoP proof (RFC 9449 section 7). `useProof` then uses up the
 * proof, after the limits.
 * @throws {Problem} unauthorized or invalid_dpop
 */
export async function authenticate(
  context: FrontContext,
  request: FastifyRequest,
): Promise<{ readonly caller: Caller; readonly proof: CheckedProof }> {
  const text = tokenOf(request.headers.authorization);
  const { client, jkt } = await checkAccessToken(context, text);
  const proof = await checkProof(context, request, { text, jkt });
  return { caller: client, proof };
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

/** On the request itself, once its token and proof are verified. */
const callerOf = Symbol('caller');

declare module 'fastify' {
  interface FastifyRequest {
    [callerOf]?: Caller;
  }
}

export function setCaller(request: FastifyRequest, caller: Caller): void {
  request[callerOf] = caller;
}

/** Undefined if the request came without a token. */
export function findCaller(request: FastifyRequest): Caller | undefined {
  return request[callerOf];
}
