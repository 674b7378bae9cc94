import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { routes, type OperationId } from '#shared/api/routes.ts';
import { admit, findCaller, type Caller } from './admit.ts';
import { JsonPieces, renderAnswer, sendAnswer, sendPieces, type HandlerResult } from './answer.ts';
import type { OperationContext } from './context.ts';
import { changeOnce, payloadHashFor, sendChanged } from './idempotency.ts';
import type { AnswerTables } from './store/tables.ts';
import { parseBody, parseQuery, parseWith, type Output } from './parse-request.ts';

/** The largest JSON body of an operation that is not an upload. */
const jsonBodyLimitBytes = 1024 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly operation?: OperationId;
  }
}

/** The caller; if the operation needs no token, there may be none. */
export type CallerFor<Id extends OperationId> = (typeof routes)[Id]['audience'] extends 'none'
  ? Caller | undefined
  : Caller;

export interface HandlerInput<Id extends OperationId, Params, Query, Body, Tables> {
  readonly caller: CallerFor<Id>;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
  /**
   * The store. If the operation changes something, it is the operation's transaction, which is
   * committed only if the answer is a success. The handler must await nothing except the store,
   * because all other writers wait for the transaction.
   */
  readonly db: Kysely<Tables>;
}

export interface OperationParts<
  Id extends OperationId,
  Params extends z.ZodType | undefined,
  Query extends z.ZodType | undefined,
  Body extends z.ZodType | undefined,
  Tables,
> {
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  handler(
    input: HandlerInput<Id, Output<Params>, Output<Query>, Output<Body>, Tables>,
  ): Promise<HandlerResult> | HandlerResult;
}

/**
 * Mounts one operation of the partner API: admission, validation of the input, idempotency and
 * transaction around the handler, and the success status of the route.
 */
export function operation<
  Id extends OperationId,
  Tables extends AnswerTables,
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  app: FastifyInstance,
  context: OperationContext<Tables>,
  id: Id,
  parts: OperationParts<Id, Params, Query, Body, Tables>,
): void {
  const route = routes[id];
  context.operations.push({ id, params: parts.params, query: parts.query, body: parts.body });
  app.route({
    method: route.method,
    url: fastifyPath(route.path),
    config: { operation: id },
    bodyLimit: jsonBodyLimitBytes,
    onRequest: (request) => admit(context, id, request),
    handler: async (request, reply) => {
      const inputOf = (db: Kysely<Tables>) => ({
        // The cast is safe because `admit` requires a caller if the route names an audience.
        caller: findCaller(request) as CallerFor<Id>,
        params: parseWith(parts.params, request.params, 'path') as Output<Params>,
        query: parseQuery(parts.query, request) as Output<Query>,
        body: parseBody(parts.body, request) as Output<Body>,
        request,
        db,
      });
      if (route.method === 'GET') {
        const result = await parts.handler(inputOf(context.db));
        if (result instanceof JsonPieces) return sendPieces(context, reply, route.success, result);
        return sendAnswer(reply, renderAnswer(route.success, result));
      }
      const hash = payloadHashFor(request);
      if (Buffer.isBuffer(request.body)) hash?.update(request.body);
      const changed = await changeOnce(context, request, hash, async (db) =>
        renderAnswer(route.success, await parts.handler(inputOf(db))),
      );
      return sendChanged(reply, changed);
    },
  });
}

/**
 * Translates a path template to Fastify's syntax. A literal colon is doubled, and a parameter
 * before it must not match it.
 */
export function fastifyPath(template: string): string {
  return template
    .replaceAll(':', '::')
    .replaceAll(/\{(\w+)\}(?=::)/g, ':$1([^:/]+)')
    .replaceAll(/\{(\w+)\}/g, ':$1');
}
