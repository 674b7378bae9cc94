import type { FastifyInstance } from 'fastify';
import type { ServiceContext } from './context.ts';

/** Mounts every operation that needs a caller or a payload; the token endpoint is the frame's. */
export function mountOperations(_app: FastifyInstance, _context: ServiceContext): void {
  // Each resource adds its line here.
}

/** Mounts the back office and its faults; only with --backoffice. */
export function mountBackoffice(
  _app: FastifyInstance,
  _context: ServiceContext,
  _token: string,
): void {
  // The back office adds its lines here.
}
