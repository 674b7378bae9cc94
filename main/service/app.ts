import type { FastifyInstance } from 'fastify';
import { mountBackoffice } from './backoffice/backoffice.ts';
import { mountClaimOperations } from './claims/claim-operations.ts';
import { openContext, type ServiceContext } from './context.ts';
import { mountDocumentOperations } from './documents/document-operations.ts';
import { buildFrame } from '../front/frame.ts';
import type { FrontOptions } from '../front/open-front.ts';
import { mountPublicEndpoints, openPathsWith } from './open-endpoints.ts';
import { mountReportDocumentOperations } from './reports/report-document-operations.ts';
import { mountReportOperations } from './reports/report-operations.ts';
import { runServer, type ListenOptions, type RunningServer } from '../front/process.ts';
import {
  ensureCredentials,
  type Credentials,
  type CredentialsStorage,
} from './organizations/credentials.ts';

export interface AppOptions {
  /** Mounts the back office under this token. Without a token there is no back office. */
  readonly backofficeToken?: string | undefined;
  /** Serves the OpenAPI document as a page; true if absent. The desk's package has no such page. */
  readonly docsPage?: boolean | undefined;
}

/** Builds the service over its context; `app.close()` drains it but leaves the context open. */
export async function buildService(
  context: ServiceContext,
  { backofficeToken, docsPage = true }: AppOptions = {},
): Promise<FastifyInstance> {
  const app = buildFrame(context);
  // Before the operations, whose requests its faults strike.
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

export interface RunOptions extends FrontOptions {
  readonly listen: ListenOptions;
  readonly backoffice: boolean;
  readonly docsPage?: boolean;
  /** Returns where credentials are stored. Called once, after the context is open. */
  credentialsStorage(context: ServiceContext): CredentialsStorage;
  /** Fills a store that has no claims yet. */
  seed?(context: ServiceContext, credentials: Credentials): Promise<void>;
}

export interface RunningService extends RunningServer<ServiceContext> {
  readonly credentials: Credentials;
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
  return { ...running, credentials: await credentials };
}

async function hasNoClaims({ db }: ServiceContext): Promise<boolean> {
  return (await db.selectFrom('claims').select('id').limit(1).executeTakeFirst()) === undefined;
}
