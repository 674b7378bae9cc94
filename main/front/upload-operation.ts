import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { routes, type OperationId } from '#shared/api/routes.ts';
import { admit, findCaller } from './admit.ts';
import { renderAnswer, type HandlerResult } from './answer.ts';
import type { OperationContext } from './context.ts';
import {
  changeOnce,
  payloadHashFor,
  sendChanged,
  type Changed,
  type PayloadHash,
} from './idempotency.ts';
import type { AnswerTables } from './store/tables.ts';
import { originOf } from '#shared/lib/error-origin.ts';
import { fastifyPath, type CallerFor, type HandlerInput } from './operation.ts';
import { assertPlainJson, parseWith, type Output } from './parse-request.ts';
import { Problem } from './problem.ts';

/**
 * The limit of an upload's body. A content of 50 MB is 67 MiB in base64, and more if each slash is
 * escaped; other members and blanks may take 1 MiB.
 */
export const uploadBodyLimitBytes = 80 * 1024 * 1024;

export interface UploadParts<
  Id extends OperationId,
  Params extends z.ZodType | undefined,
  Staged,
  Tables,
> {
  readonly params?: Params;
  /**
   * Reads the body to its end and stages it, outside any transaction. The stream fails if the
   * caller disconnects. If `receive` fails, it removes what it staged.
   */
  receive(stream: Readable): Promise<Staged>;
  /** Deletes what `receive` staged, because the answer is a replay or a refusal. */
  discard(staged: Staged): Promise<void>;
  handler(
    input: HandlerInput<Id, Output<Params>, undefined, Staged, Tables>,
  ): Promise<HandlerResult> | HandlerResult;
}

/**
 * Mounts an operation whose body is a document. The body streams through `receive` while it is
 * hashed. Then the handler makes the staged content visible, or a stored answer is replayed.
 */
export function uploadOperation<
  Id extends OperationId,
  Staged,
  Tables extends AnswerTables,
  Params extends z.ZodType | undefined = undefined,
>(
  app: FastifyInstance,
  context: OperationContext<Tables>,
  id: Id,
  parts: UploadParts<Id, Params, Staged, Tables>,
): void {
  const route = routes[id];
  context.operations.push({ id, params: parts.params });

  async function handle(request: FastifyRequest): Promise<Changed> {
    const hash = payloadHashFor(request);
    const received = await receiveUpload(request, hash, async (stream) => {
      // The path is checked here, so that this refusal is also sent after the body was read, and is
      // stored.
      const params = parseWith(parts.params, request.params, 'path') as Output<Params>;
      assertPlainJson(request);
      return { params, body: await parts.receive(stream) };
    });
    let isVisible = false;
    try {
      const changed = await changeOnce(context, request, hash, async (db) => {
        if ('refusal' in received) throw received.refusal;
        const result = await parts.handler({
          // The cast is safe because `admit` requires a caller if the route names an audience.
          caller: findCaller(request) as CallerFor<Id>,
          ...received.staged,
          query: undefined,
          request,
          db,
        });
        return renderAnswer(route.success, result);
      });
      isVisible = changed.isDone;
      return changed;
    } finally {
      // The staged content is discarded before the answer is sent, so that nothing is left when the
      // caller has the answer.
      if (!isVisible && 'staged' in received)
        await parts.discard(received.staged.body).catch((error: unknown) => {
          // The purge deletes the content later, and the answer stays valid.
          context.log.error({ correlationId: request.id, ...originOf(error) }, 'not discarded');
        });
    }
  }

  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    scope.route({
      method: route.method,
      url: fastifyPath(route.path),
      config: { operation: id },
      bodyLimit: uploadBodyLimitBytes,
      onRequest: (request) => admit(context, id, request),
      handler: async (request, reply) => sendChanged(reply, await handle(request)),
    });
    done();
  });
}

type Received<Staged> = { readonly staged: Staged } | { readonly refusal: Problem };

/**
 * Passes the body of an upload to `receive` while it arrives, and hashes it. A refusal is returned
 * only after the whole body was read, because only then does the caller read the answer, and the
 * hash is that of the whole payload.
 * @throws the errors of `receive` that are not a Problem; an error if the caller disconnects.
 */
async function receiveUpload<Staged>(
  request: FastifyRequest,
  hash: PayloadHash | undefined,
  receive: (stream: Readable) => Promise<Staged>,
): Promise<Received<Staged>> {
  if (Number(request.headers['content-length'] ?? 0) > uploadBodyLimitBytes) throw tooLarge();
  const stream = new PassThrough();
  const reading = pump(request, hash, stream).catch((error: unknown) => {
    stream.destroy(error instanceof Error ? error : undefined);
    throw error;
  });
  const [read, received] = await Promise.allSettled([
    reading,
    // The rest of a refused body is hashed but not staged.
    receive(stream).finally(() => stream.destroy()),
  ]);
  if (received.status === 'fulfilled') {
    if (read.status === 'fulfilled') return { staged: received.value };
    // The body broke off after `receive` had everything it needed.
    throw read.reason;
  }
  if (read.status === 'rejected' && !(received.reason instanceof Problem)) throw read.reason;
  if (received.reason instanceof Problem) return { refusal: received.reason };
  throw received.reason;
}

async function pump(
  request: FastifyRequest,
  hash: PayloadHash | undefined,
  out: PassThrough,
): Promise<void> {
  let bytes = 0;
  // Destroying the request would close the socket before the answer.
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
    // A request without an encoding returns buffers.
    const data = chunk as Buffer;
    bytes += data.length;
    // The reading continues, because a caller that is still sending would lose the answer.
    if (bytes > uploadBodyLimitBytes) out.destroy(tooLarge());
    hash?.update(data);
    if (!out.destroyed && !out.write(data)) await drained(out);
  }
  out.end();
}

/** Resolves when the stream is drained or closed. */
export function drained(out: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      out.off('drain', done).off('close', done);
      resolve();
    };
    out.on('drain', done).on('close', done);
  });
}

function tooLarge(): Problem {
  return new Problem('size_limit_exceeded', 'the request is larger than an upload may be');
}
