import type { FastifyReply, FastifyRequest } from 'fastify';
import { routes, type OperationId, type Route } from '#shared/api/routes.ts';
import { setCaller, type Caller } from './auth/caller.ts';
import type { ServiceContext } from './context.ts';
import { idempotencyKeyOf } from './idempotency/scope.ts';
import { Problem } from './problem.ts';

/**
 * Lets a request through to its operation, before its body is read: token and proof, limit,
 * Idempotency-Key, kind of organization, members.
 * @throws {Problem} unauthorized, invalid_dpop, rate_limited, invalid_request (the key),
 *   invalid_org_context, org_without_members.
 */
export async function admit(
  context: ServiceContext,
  id: OperationId,
  request: FastifyRequest,
  _reply: FastifyReply,
): Promise<void> {
  const route: Route = routes[id];
  const caller = await authenticate(context, route, request);
  await context.limiter.draw(
    route.bucket,
    caller ? { client: caller.clientId } : { address: request.ip },
  );
  // Also where nobody is known, for whom no answer is kept: the key is wrong all the same.
  if (route.method === 'POST') idempotencyKeyOf(request);
  if (!caller) return;
  setCaller(request, caller);
  if (route.audience === 'none') return;
  if (caller.kind !== route.audience) {
    throw new Problem('invalid_org_context', `this operation is for ${route.audience}s`);
  }
  if (caller.members === 0) {
    throw new Problem('org_without_members', 'the organization of the token has no members');
  }
}

async function authenticate(
  context: ServiceContext,
  route: Route,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  const optional = route.audience === 'none';
  if (optional && request.headers.authorization === undefined) return undefined;
  try {
    return await context.authenticator.authenticate(request);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    // Usable without a token, hence also with one that has expired.
    if (optional) return undefined;
    // A refused request draws on its address, so that guessing is slow.
    await context.limiter.draw(route.bucket, { address: request.ip });
    throw error;
  }
}
