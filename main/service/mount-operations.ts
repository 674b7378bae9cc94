import type { FastifyInstance } from 'fastify';
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
