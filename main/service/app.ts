import type { FastifyInstance } from 'fastify';
import { mountBackoffice } from './backoffice/backoffice.ts';
import { mountCaseOperations } from './claims/case-operations.ts';
import { mountClaimOperations } from './claims/claim-operations.ts';
import type { ServiceContext } from './context.ts';
import { mountDocumentOperations } from './documents/document-operations.ts';
import { buildFrame } from '../front/frame.ts';
import { mountOpenEndpoints } from './open-endpoints.ts';
import { mountReportDocumentOperations } from './reports/report-document-operations.ts';
import { mountReportOperations } from './reports/report-operations.ts';

export interface AppOptions {
  /** Serves the back office under this token; without it there is none. */
  readonly backofficeToken?: string | undefined;
}

/** Builds the service over its context; `app.close()` drains it but leaves the context open. */
export async function buildService(
  context: ServiceContext,
  { backofficeToken }: AppOptions = {},
): Promise<FastifyInstance> {
  const app = buildFrame(context);
  // Before the operations, whose requests its faults strike.
  if (backofficeToken !== undefined) mountBackoffice(app, context, backofficeToken);
  mountClaimOperations(app, context);
  mountCaseOperations(app, context);
  mountDocumentOperations(app, context);
  mountReportOperations(app, context);
  mountReportDocumentOperations(app, context);
  mountOpenEndpoints(app, context);
  await app.ready();
  return app;
}
