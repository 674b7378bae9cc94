import { createHash, type Hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { idempotencyKeyMaxLength, idempotencyMaxBytes } from '#shared/api/limits.ts';
import { sendAnswer, withInstance, type Answer } from './answer.ts';
import { findCaller } from './auth/authenticate.ts';
import type { OperationContext } from './context.ts';
import { answerOnce, type AnswerTables } from './idempotency-store.ts';
import { Problem } from './problem.ts';

export interface Changed {
  readonly answer: Answer;
  readonly replayed: boolean;
  /** This request did its work: no replay and no refusal. */
  readonly isDone: boolean;
}

/**
 * Runs an operation that changes something in a transaction, once per idempotency scope.
 * @param hash of the payload; undefined if no answer will be stored.
 */
export async function changeOnce<Tables extends AnswerTables>(
  context: OperationContext<Tables>,
  request: FastifyRequest,
  hash: PayloadHash | undefined,
  work: (db: Kysely<Tables>) => Promise<Answer>,
): Promise<Changed> {
  const caller = findCaller(request);
  const key = idempotencyKeyOf(request);
  const payloadHash = hash?.digest();
  if (key === undefined || caller === undefined || payloadHash === undefined) {
    const answer = await context.db.transaction().execute(work);
    return { answer, replayed: false, isDone: true };
  }
  const [path = ''] = request.url.split('?', 1);
  // "Bound to method, path, client and payload hash" (specification, "Limits"). A line break is in
  // none of the parts, so no two scopes are equal.
  const scope = createHash('sha256')
    .update([request.method, path, caller.clientId, payloadHash, key].join('\n'))
    .digest('hex');
  const { answer, replayed } = await answerOnce(context, scope, request.id, work);
  if (replayed) return { answer: withInstance(answer, request.id), replayed, isDone: false };
  return { answer, replayed, isDone: answer.status < 300 };
}

export function sendChanged(reply: FastifyReply, { answer, replayed }: Changed): FastifyReply {
  if (replayed) reply.header('Idempotency-Replayed', 'true');
  return sendAnswer(reply, answer);
}

/**
 * The Idempotency-Key of a request; undefined if it has none.
 * @throws {Problem} invalid_request if it is not 1 to 255 printable characters, or is repeated.
 */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  // Node joins repeated headers by a comma, which a single key may contain too.
  if (key.includes(',') && (request.raw.headersDistinct['idempotency-key']?.length ?? 0) > 1) {
    throw new Problem('invalid_request', 'the request has more than one Idempotency-Key', {
      errors: { 'Idempotency-Key': ['must be given once.'] },
    });
  }
  if (typeof key !== 'string' || key.length > idempotencyKeyMaxLength || !/^[ -~]+$/.test(key)) {
    throw new Problem('invalid_request', 'the Idempotency-Key is not a usable key', {
      errors: {
        'Idempotency-Key': [`must be 1 to ${idempotencyKeyMaxLength} printable characters.`],
      },
    });
  }
  return key;
}

/** SHA-256 over a request's payload, until it is too large to take part in idempotency. */
export class PayloadHash {
  #hash: Hash | undefined = createHash('sha256');
  #bytes = 0;

  update(chunk: Buffer): void {
    this.#bytes += chunk.length;
    // Request bodies over 16 MB bypass idempotency (specification, "Limits").
    if (this.#bytes > idempotencyMaxBytes) this.#hash = undefined;
    this.#hash?.update(chunk);
  }

  /** Hex; undefined if the payload is over 16 MB. Call once. */
  digest(): string | undefined {
    return this.#hash?.digest('hex');
  }
}

/** Undefined if no answer will be stored for the request. */
export function payloadHashFor(request: FastifyRequest): PayloadHash | undefined {
  if (request.method !== 'POST' || idempotencyKeyOf(request) === undefined) return undefined;
  const isTooLarge = Number(request.headers['content-length'] ?? 0) > idempotencyMaxBytes;
  return isTooLarge || !findCaller(request) ? undefined : new PayloadHash();
}
