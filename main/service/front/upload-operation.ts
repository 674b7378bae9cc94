import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { routes, type OperationId } from '#shared/api/routes.ts';
import { admit } from './admit.ts';
import { renderAnswer, type HandlerResult } from './answer.ts';
import { findCaller } from './auth/authenticate.ts';
import type { OperationContext } from './context.ts';
import {
  changeOnce,
  payloadHashFor,
  sendChanged,
  type Changed,
  type PayloadHash,
} from './idempotency.ts';
import { describeError } from './log.ts';
import { fastifyPath, type CallerFor, type HandlerInput, type Output } from './operation.ts';
import { assertPlainJson, parseWith } from './parse-request.ts';
import { Problem } from './problem.ts';

/**
 * 50 MB of content are 67 MiB as base64; some writers escape every slash of it, and there is up to
 * 1 MiB of other members and blanks.
 */
const uploadBodyLimitBytes = 80 * 1024 * 1024;

export interface UploadParts<
  Id extends OperationId,
  Params extends z.ZodType | undefined,
  Staged,
  Tables,
> {
  readonly params?: Params;
  /**
   * Reads the body to its end and puts it aside, outside any transaction. `signal` aborts when the
   * caller goes away; a receive that fails cleans up after itself.
   */
  receive(stream: Readable, signal: AbortSignal): Promise<Staged>;
  /** Throws away what `receive` put aside: the answer is a replay or a refusal. */
  discard(staged: Staged): Promise<void>;
  handler(
    input: HandlerInput<Id, Output<Params>, undefined, Staged, Tables>,
  ): Promise<HandlerResult> | HandlerResult;
}

/**
 * Mounts an operation whose body is a document. The body streams through `receive` while it is
 * hashed; then either the handler makes what was received visible, or a kept answer is repeated.
 */
export function uploadOperation<
  Id extends OperationId,
  Staged,
  Tables,
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
    const received = await receiveUpload(request, hash, async (stream, signal) => {
      // In here, so that what is wrong outside the body is refused when it was read, and kept.
      const params = parseWith(parts.params, request.params, 'path') as Output<Params>;
      assertPlainJson(request);
      return { params, body: await parts.receive(stream, signal) };
    });
    let isVisible = false;
    try {
      const changed = await changeOnce(context, request, hash, async (db) => {
        if ('refusal' in received) throw received.refusal;
        const result = await parts.handler({
          // The cast restates what `admit` enforced: a caller if the route names an audience.
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
      // Before the answer, so that nothing is left behind for whoever has it.
      if (!isVisible && 'staged' in received)
        await parts.discard(received.staged.body).catch((error: unknown) => {
          // The purge discards it later, and the answer stands.
          context.log.error(
            { correlationId: request.id, ...describeError(error) },
            'not discarded',
          );
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
 * Passes the body of an upload to `receive` as it arrives, hashing it on the way. A refusal is
 * given back only after the whole body was read: the caller is then ready to read the answer, and
 * the hash is that of the whole payload.
 * @throws whatever `receive` throws that is not a Problem, and when the caller goes away.
 */
async function receiveUpload<Staged>(
  request: FastifyRequest,
  hash: PayloadHash | undefined,
  receive: (stream: Readable, signal: AbortSignal) => Promise<Staged>,
): Promise<Received<Staged>> {
  if (Number(request.headers['content-length'] ?? 0) > uploadBodyLimitBytes) throw tooLarge();
  const abort = new AbortController();
  const stream = new PassThrough();
  const reading = pump(request, hash, stream).catch((error: unknown) => {
    abort.abort(error);
    stream.destroy(error instanceof Error ? error : undefined);
    throw error;
  });
  const [read, received] = await Promise.allSettled([
    reading,
    // Whatever is left unread after a refusal is hashed, not kept.
    receive(stream, abort.signal).finally(() => stream.destroy()),
  ]);
  if (received.status === 'fulfilled') {
    if (read.status === 'fulfilled') return { staged: received.value };
    // The body broke off although `receive` was content with it: not to be made visible.
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
  // The request outlives the loop: destroying it would close the socket before the answer.
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
    // A request without an encoding gives buffers.
    const data = chunk as Buffer;
    bytes += data.length;
    // Read to its end all the same: a caller that is still sending would lose the answer.
    if (bytes > uploadBodyLimitBytes) out.destroy(tooLarge());
    hash?.update(data);
    if (!out.destroyed && !out.write(data)) await drained(out);
  }
  out.end();
}

/** Resolves when more can be written, or nothing will ever be read again. */
function drained(out: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      out.off('drain', settle).off('close', settle);
      resolve();
    };
    out.on('drain', settle).on('close', settle);
  });
}

function tooLarge(): Problem {
  return new Problem('size_limit_exceeded', 'the request is larger than an upload may be');
}
