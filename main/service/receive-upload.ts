import { PassThrough, type Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { PayloadHash } from './idempotency/scope.ts';
import { Problem } from './problem.ts';

/**
 * 50 MB of content are 67 MiB as base64; some writers escape every slash of it, and there are the
 * other members.
 */
export const uploadBodyLimitBytes = 80 * 1024 * 1024;

export type Received<Staged> = { readonly staged: Staged } | { readonly refusal: Problem };

/**
 * Passes the body of an upload to `receive` as it arrives, hashing it on the way. A refusal is
 * given back only after the whole body was read: the caller is then ready to read the answer, and
 * the hash is that of the whole payload.
 * @throws whatever `receive` throws that is not a Problem, and when the caller goes away.
 */
export async function receiveUpload<Staged>(
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
    receive(stream, abort.signal).finally(() => {
      // Whatever is left unread after a refusal is hashed, not kept.
      stream.destroy();
    }),
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
    const data = chunk as Buffer;
    bytes += data.length;
    // Read to its end all the same: whoever is still sending would lose the answer.
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
