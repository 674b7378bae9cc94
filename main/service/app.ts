import type { FastifyInstance } from 'fastify';
import { mountBackoffice } from './backoffice/backoffice.ts';
import { mountClaimOperations } from './claims/claim-operations.ts';
import { openContext, type ServiceContext, type ServiceContextOptions } from './context.ts';
import { withStatusPort } from '../front/status/status-endpoints.ts';
import { mountDocumentOperations } from './documents/document-operations.ts';
import { buildFrame } from '../front/frame.ts';
import { mountPublicEndpoints, openPathsWith, statusOf } from './open-endpoints.ts';
import { mountReportDocumentOperations } from './reports/report-document-operations.ts';
import { mountReportOperations } from './reports/report-operations.ts';
import { runServer, type ListenOptions, type RunningServer } from '../front/process.ts';
import {
  ensureCredentials,
  type Credentials,
  type CredentialsStorage,
} from './organizations/credentials.ts';

export interface AppOptions {
  /** The token of the back office. Without a token, no back office is mounted. */
  readonly backofficeToken?: string | undefined;
  /**
   * Whether to serve the OpenAPI document as a page; true if absent. The desk's package does not
   * contain the page.
   */
  readonly docsPage?: boolean | undefined;
}

/**
 * Builds the service over its context. `app.close()` drains the service but leaves the context
 * open.
 */
export async function buildService(
  context: ServiceContext,
  { backofficeToken, docsPage = true }: AppOptions = {},
): Promise<FastifyInstance> {
  const app = buildFrame(context);
  // The back office is mounted before the operations, because its faults affect their requests.
  if (backofficeToken !== undefined) mountBackoffice(app, context, backofficeToken);
  mountClaimOperations(app, context);
  mountDocumentOperations(app, context);
  mountReportOperations(app, context);
  mountReportDocumentOperations(app, context);
  mountPublicEndpoints(app, context, openPathsWith(docsPage));
  if (docsPage) {
    const { mountDocsPage } = await import('./docs-page.ts');
    mountDocsPage(app, context);
  }
  await app.ready();
  return app;
}

export interface RunOptions extends ServiceContextOptions {
  readonly listen: ListenOptions;
  readonly backoffice: boolean;
  readonly docsPage?: boolean;
  /** Returns the storage of credentials. It is called once after the context is open. */
  credentialsStorage(context: ServiceContext): CredentialsStorage;
  /** Fills a store that has no claims yet. */
  seed?(context: ServiceContext, credentials: Credentials): Promise<void>;
}

export interface RunningService extends RunningServer<ServiceContext> {
  readonly credentials: Credentials;
  /** The address of /health and /metrics, if they have a separate port. */
  readonly statusUrl?: string;
}

/**
 * Locks the folder, opens the store, fills it, and listens.
 * @throws {StartError} if the folder or the storage cannot be used; the error of listening.
 */
export async function runService(options: RunOptions): Promise<RunningService> {
  const { promise: credentials, resolve } = Promise.withResolvers<Credentials>();
  const running = await runServer(
    'service',
    options,
    () => openContext(options),
    async (context) => {
      const ensured = await context.alone(async () => {
        const found = await ensureCredentials(context, options.credentialsStorage(context));
        if (options.seed && (await hasNoClaims(context))) await options.seed(context, found);
        return found;
      });
      resolve(ensured);
      return buildService(context, {
        backofficeToken: options.backoffice ? ensured.backoffice.token : undefined,
        docsPage: options.docsPage,
      });
    },
  );
  const service = { ...running, credentials: await credentials };
  const { context } = running;
  const { statusPort: port } = options;
  if (port === undefined || !context.metrics) return service;
  const { host } = options.listen;
  return withStatusPort(service, statusOf(context), context.metrics, { host, port });
}

async function hasNoClaims({ db }: ServiceContext): Promise<boolean> {
  return (await db.selectFrom('claims').select('id').limit(1).executeTakeFirst()) === undefined;
}
