import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ServiceContext } from '../context.ts';
import { parseBody, parseWith } from '../../front/parse-request.ts';
import { Problem } from '../../front/problem.ts';
import type { Faults } from './faults.ts';

export const backofficePrefix = '/_backoffice';

/** A call as its document describes it. */
export interface CallDescription {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the prefix, with its parameters in braces. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  /** Accepts undefined if the body is optional. */
  readonly body?: z.ZodType;
  /** The answer of a success; by default 204 without a body. */
  readonly answer?: { readonly status: 200 | 201; readonly schema: z.ZodType };
}

export interface BackofficeCall extends CallDescription {
  /**
   * @returns the body of the answer.
   * @throws {Problem}
   */
  run(parts: BackofficeParts, request: FastifyRequest): Promise<unknown>;
}

export interface BackofficeParts {
  readonly context: ServiceContext;
  readonly faults: Faults;
}

/** Checks the request of a call before its `handle` is run. */
export function defineCall<Params extends z.ZodType, Body extends z.ZodType>(
  call: CallDescription & {
    readonly params?: Params;
    readonly body?: Body;
    handle(
      parts: BackofficeParts,
      request: { params: z.output<Params>; body: z.output<Body> },
    ): Promise<unknown>;
  },
): BackofficeCall {
  return {
    ...call,
    run(parts, request) {
      const raw = request.body instanceof Buffer ? request.body : undefined;
      return call.handle(parts, {
        // The casts restate what was checked with these very schemas.
        params: parseWith(call.params, request.params, 'path') as z.output<Params>,
        body: parseBody(call.body, request, raw) as z.output<Body>,
      });
    },
  };
}

export function mountCalls(
  app: FastifyInstance,
  calls: readonly BackofficeCall[],
  { token, ...parts }: BackofficeParts & { readonly token: string },
): void {
  void app.register(
    (scope, _options, done) => {
      scope.addHook('onRequest', (request, _reply, next) => {
        assertBearerToken(request.headers.authorization, token);
        next();
      });
      for (const call of calls) {
        scope.route({
          method: call.method,
          url: call.path.replaceAll(/\{(\w+)\}/g, ':$1'),
          handler: async (request, reply) =>
            reply.code(call.answer?.status ?? 204).send(await call.run(parts, request)),
        });
      }
      done();
    },
    { prefix: backofficePrefix },
  );
}

/**
 * Checks the back office's token (RFC 6750, 2.1), in a time that does not depend on the token.
 * @throws {Problem} unauthorized
 */
function assertBearerToken(authorization: string | undefined, token: string): void {
  const given = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1] ?? '';
  // Hashed, because timingSafeEqual needs two inputs of one length.
  if (!timingSafeEqual(sha256(given), sha256(token))) {
    throw new Problem('unauthorized', 'The back office needs its own token.', {
      // RFC 9110 section 11.6.1: on every 401.
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
