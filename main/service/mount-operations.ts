import type { FastifyInstance } from 'fastify';
import { mountBackofficeCalls } from './backoffice/backoffice-calls.ts';
import { mountFaults } from './backoffice/faults.ts';
import { mountCaseOperations } from './cases/case-operations.ts';
import { mountClaimOperations } from './claims/claim-operations.ts';
import type { ServiceContext } from './context.ts';
import { mountDocumentOperations } from './documents/document-operations.ts';
import { mountReportDocumentOperations } from './reports/report-document-operations.ts';
import { mountReportOperations } from './reports/report-operations.ts';

/** Mounts every operation that needs a caller or a payload; the token endpoint is the frame's. */
export function mountOperations(app: FastifyInstance, context: ServiceContext): void {
  mountClaimOperations(app, context);
  mountCaseOperations(app, context);
  mountDocumentOperations(app, context);
  mountReportOperations(app, context);
  mountReportDocumentOperations(app, context);
}

/** Mounts the back office and its faults; only with --backoffice. */
export function mountBackoffice(
  app: FastifyInstance,
  context: ServiceContext,
  token: string,
): void {
  const faults = mountFaults(app, context);
  mountBackofficeCalls(app, context, { token, faults });
}
