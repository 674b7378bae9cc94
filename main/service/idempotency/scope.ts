import { createHash, type Hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { idempotencyKeyMaxLength, idempotencyMaxBytes } from '#shared/api/limits.ts';
import { Problem } from '../problem.ts';

/**
 * The Idempotency-Key of a request; undefined where it has none.
 * @throws {Problem} invalid_request where it is not 1 to 255 printable characters, or comes twice:
 *   which of the two an answer was kept under, the caller could not tell.
 */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  // Node joins them by a comma, which a single key may have as well.
  if (key.includes(',') && (request.raw.headersDistinct['idempotency-key']?.length ?? 0) > 1) {
    throw new Problem('invalid_request', 'the request has more than one Idempotency-Key', {
      errors: { 'Idempotency-Key': ['must be given once.'] },
    });
  }
  if (typeof key !== 'string' || key.length > idempotencyKeyMaxLength || !/^[ -~]+$/.test(key)) {
    throw new Problem('invalid_request', 'the Idempotency-Key is not a usable key', {
      errors: { 'Idempotency-Key': ['must be 1 to 255 printable characters.'] },
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

  /** Hex; undefined where the payload is over 16 MB. Call once. */
  digest(): string | undefined {
    return this.#hash?.digest('hex');
  }
}

export interface IdempotencyScopeParts {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly clientId: string;
  readonly payloadHash: string;
}

/**
 * "Bound to method, path, client and payload hash" (specification, "Limits"), as hex SHA-256. A
 * line break is in none of the parts, so no two scopes are written alike.
 */
export function idempotencyScope(parts: IdempotencyScopeParts): string {
  return createHash('sha256')
    .update([parts.method, parts.path, parts.clientId, parts.payloadHash, parts.key].join('\n'))
    .digest('hex');
}
