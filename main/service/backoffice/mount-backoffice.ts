import type { FastifyInstance } from 'fastify';
import type { ServiceContext } from '../context.ts';
import { mountBackofficeCalls } from './backoffice-calls.ts';
import { mountFaults } from './faults.ts';

/** Mounts the back office and its faults; loaded only with --backoffice. */
export function mountBackoffice(
  app: FastifyInstance,
  context: ServiceContext,
  token: string,
): void {
  const faults = mountFaults(app, context);
  mountBackofficeCalls(app, context, { token, faults });
}
