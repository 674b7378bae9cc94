import type { FastifyRequest } from 'fastify';

/*
 * Whether a request that failed may have changed something. Its answer must not say that nothing
 * happened if the failure came at the commit or after it.
 */

const begun = new WeakSet<FastifyRequest>();

/** Notes that from now on nobody can tell from a failure whether the request was carried out. */
export function noteEffect(request: FastifyRequest): void {
  begun.add(request);
}

/** The sentence of an unexpected failure, for the developer of the caller. */
export function failureSentence(request: FastifyRequest): string {
  if (request.method === 'GET') return 'the service failed';
  if (!begun.has(request)) return 'the service failed; the operation was not carried out';
  const how =
    request.headers['idempotency-key'] === undefined
      ? 'read the record before the request is sent again'
      : 'the same request with the same Idempotency-Key tells';
  return `the service failed, and it is not known whether the operation was carried out; ${how}`;
}
