import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { idempotencyMaxBytes } from '#shared/api/limits.ts';
import { routes, type OperationId } from '#shared/api/routes.ts';
import { admit } from './admit.ts';
import {
  JsonPieces,
  jsonContentType,
  renderAnswer,
  withInstance,
  type Answer,
  type HandlerResult,
} from './answer.ts';
import { findCaller, type Caller } from './auth/authenticate.ts';
import type { ServiceContext } from './context.ts';
import { idempotencyKeyOf, idempotencyScope, PayloadHash } from './idempotency/scope.ts';
import { fastifyPath } from './operation-path.ts';
import { describeError } from './log.ts';
import { assertPlainJson, parseBody, parseQuery, parseWith } from './parse-request.ts';
import { receiveUpload, uploadBodyLimitBytes } from './receive-upload.ts';
import type { Database } from './store/tables.ts';

/** Largest JSON body of an operation that is not an upload. */
export const jsonBodyLimitBytes = 1024 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly operation?: OperationId;
  }
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** An operation that needs no token may be called by nobody in particular. */
type CallerFor<Id extends OperationId> = (typeof routes)[Id]['audience'] extends 'none'
  ? Caller | undefined
  : Caller;

export interface HandlerInput<Id extends OperationId, Params, Query, Body> {
  readonly caller: CallerFor<Id>;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
  /**
   * The store. Where the operation changes something this is its transaction: what the handler
   * writes is kept exactly if the caller is answered with success. Wait for nothing but the store
   * inside, for nothing else of the service reaches the store meanwhile.
   */
  readonly db: Kysely<Database>;
}

export interface OperationParts<
  Id extends OperationId,
  Params extends z.ZodType | undefined,
  Query extends z.ZodType | undefined,
  Body extends z.ZodType | undefined,
> {
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  handler(
    input: HandlerInput<Id, Output<Params>, Output<Query>, Output<Body>>,
  ): Promise<HandlerResult> | HandlerResult;
}

export interface UploadParts<Id extends OperationId, Params extends z.ZodType | undefined, Staged> {
  readonly params?: Params;
  /**
   * Reads the body to its end and puts it aside, outside any transaction. `signal` aborts when the
   * caller goes away; a receive that fails cleans up after itself.
   */
  receive(stream: Readable, signal: AbortSignal): Promise<Staged>;
  /** Throws away what `receive` put aside: the answer is a replay or a refusal. */
  discard(staged: Staged): Promise<void>;
  handler(
    input: HandlerInput<Id, Output<Params>, undefined, Staged>,
  ): Promise<HandlerResult> | HandlerResult;
}

/**
 * Mounts one operation of the partner API: limits, token and proof, organization, validation of
 * the input into invalid_request, idempotency and transaction around the handler, and the success
 * status of the table.
 */
export function operation<
  Id extends OperationId,
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  app: FastifyInstance,
  context: ServiceContext,
  id: Id,
  parts: OperationParts<Id, Params, Query, Body>,
): void {
  const route = routes[id];
  context.operations.push({ id, params: parts.params, query: parts.query, body: parts.body });
  app.route({
    method: route.method,
    url: fastifyPath(route.path),
    config: { operation: id },
    bodyLimit: jsonBodyLimitBytes,
    onRequest: (request, reply) => admit(context, id, request, reply),
    handler: async (request, reply) => {
      const raw = Buffer.isBuffer(request.body) ? request.body : undefined;
      const inputOf = (db: Kysely<Database>) => ({
        // The cast restates what `admit` enforced: a caller wherever the route names an audience.
        caller: findCaller(request) as CallerFor<Id>,
        params: parseWith(parts.params, request.params, 'path') as Output<Params>,
        query: parseQuery(parts.query, request) as Output<Query>,
        body: parseBody(parts.body, request, raw) as Output<Body>,
        request,
        db,
      });
      if (route.method === 'GET') {
        const result = await parts.handler(inputOf(context.db));
        if (result instanceof JsonPieces) return sendPieces(context, reply, route.success, result);
        return send(reply, renderAnswer(route.success, result));
      }
      const hash = payloadHashFor(request);
      if (raw) hash?.update(raw);
      const changed = await change(context, request, hash, async (db) => {
        const result = await parts.handler(inputOf(db));
        return renderAnswer(route.success, refusePieces(result));
      });
      return sendChanged(reply, changed);
    },
  });
}

/**
 * Mounts an operation whose body is a document. The body streams through `receive` while it is
 * hashed; then either the handler makes what was received visible, or a kept answer is repeated.
 */
export function uploadOperation<
  Id extends OperationId,
  Staged,
  Params extends z.ZodType | undefined = undefined,
>(
  app: FastifyInstance,
  context: ServiceContext,
  id: Id,
  parts: UploadParts<Id, Params, Staged>,
): void {
  const route = routes[id];
  context.operations.push({ id, params: parts.params });
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    scope.route({
      method: route.method,
      url: fastifyPath(route.path),
      config: { operation: id },
      bodyLimit: uploadBodyLimitBytes,
      onRequest: (request, reply) => admit(context, id, request, reply),
      handler: async (request, reply) => {
        const hash = payloadHashFor(request);
        const received = await receiveUpload(request, hash, async (stream, signal) => {
          // In here, so that what is wrong outside the body is refused when it was read, and kept.
          const params = parseWith(parts.params, request.params, 'path') as Output<Params>;
          assertPlainJson(request);
          return { params, body: await parts.receive(stream, signal) };
        });
        let isVisible = false;
        let changed: Changed;
        try {
          changed = await change(context, request, hash, async (db) => {
            if ('refusal' in received) throw received.refusal;
            const result = await parts.handler({
              caller: findCaller(request) as CallerFor<Id>,
              ...received.staged,
              query: undefined,
              request,
              db,
            });
            return renderAnswer(route.success, refusePieces(result));
          });
          isVisible = changed.isDone;
        } finally {
          // Before the answer: who has it may count on nothing being left behind.
          if (!isVisible && 'staged' in received)
            await parts.discard(received.staged.body).catch((error: unknown) => {
              // The sweep discards it later, and the answer stands.
              const { id: correlationId } = request;
              context.log.error({ correlationId, ...describeError(error) }, 'not discarded');
            });
        }
        return sendChanged(reply, changed);
      },
    });
    done();
  });
}

interface Changed {
  readonly answer: Answer;
  readonly replayed: boolean;
  /** This very request did what it asked for: no replay, and no refusal. */
  readonly isDone: boolean;
}

/** What binds a key to its payload; undefined where no answer will be kept. */
function payloadHashFor(request: FastifyRequest): PayloadHash | undefined {
  if (request.method !== 'POST' || idempotencyKeyOf(request) === undefined) return undefined;
  const isTooLarge = Number(request.headers['content-length'] ?? 0) > idempotencyMaxBytes;
  return isTooLarge || !findCaller(request) ? undefined : new PayloadHash();
}

/** Runs an operation that changes something, once per idempotency scope. */
async function change(
  context: ServiceContext,
  request: FastifyRequest,
  hash: PayloadHash | undefined,
  work: (db: Kysely<Database>) => Promise<Answer>,
): Promise<Changed> {
  const caller = findCaller(request);
  const key = idempotencyKeyOf(request);
  const payloadHash = hash?.digest();
  if (key === undefined || caller === undefined || payloadHash === undefined) {
    const answer = await context.db.transaction().execute(work);
    return { answer, replayed: false, isDone: true };
  }
  const scope = idempotencyScope({
    key,
    method: request.method,
    path: pathOf(request.raw),
    clientId: caller.clientId,
    payloadHash,
  });
  const { answer, replayed } = await context.idempotency.execute(scope, request.id, work);
  if (replayed) return { answer: withInstance(answer, request.id), replayed, isDone: false };
  return { answer, replayed, isDone: answer.status < 300 };
}

function sendChanged(reply: FastifyReply, { answer, replayed }: Changed): FastifyReply {
  if (replayed) reply.header('Idempotency-Replayed', 'true');
  return send(reply, answer);
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status);
  if (answer.contentType === '') return reply.send();
  return reply.type(answer.contentType).send(answer.body);
}

function sendPieces(
  { log }: Pick<ServiceContext, 'log'>,
  reply: FastifyReply,
  status: number,
  { sizeBytes, pieces }: JsonPieces,
): FastifyReply {
  const stream = Readable.from(pieces, { objectMode: false });
  stream.on('error', (error) => {
    // Before that it becomes a refusal, which is logged like every other.
    if (!reply.raw.headersSent) return;
    log.error({ correlationId: reply.request.id, ...describeError(error) }, 'the answer broke off');
  });
  return reply.code(status).type(jsonContentType).header('content-length', sizeBytes).send(stream);
}

function refusePieces(result: HandlerResult): Exclude<HandlerResult, JsonPieces> {
  if (result instanceof JsonPieces) throw new TypeError('only a GET may answer in pieces');
  return result;
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0] ?? '';
}
