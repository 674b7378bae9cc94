import Fastify, { type FastifyInstance } from 'fastify';
import { mountBackoffice } from './backoffice/mount-backoffice.ts';
import { mountTokenEndpoint } from './auth/token-endpoint.ts';
import type { ServiceContext } from './context.ts';
import { correlationHeader, correlationIdOf } from './correlation-id.ts';
import { logAnswers } from './log.ts';
import { mountOperations } from './mount-operations.ts';
import { mountOpenEndpoints } from './open-endpoints.ts';
import { answerClientError, answerErrors, answerFrameworkError } from './refusals.ts';

export interface AppOptions {
  /** Serves the back office under this token; without it there is none. */
  readonly backofficeToken?: string | undefined;
}

/** A 50 MB document over a slow line takes its time. */
const requestTimeoutMs = 15 * 60_000;

/** Builds the service over its context; `app.close()` drains it but leaves the context open. */
export async function buildService(
  context: ServiceContext,
  { backofficeToken }: AppOptions = {},
): Promise<FastifyInstance> {
  const app = buildFrame(context);
  if (backofficeToken !== undefined) mountBackoffice(app, context, backofficeToken);
  mountOperations(app, context);
  mountOpenEndpoints(app, context);
  await app.ready();
  return app;
}

/** What every operation stands in: connections, correlation ids, refusals, log, tokens. */
export function buildFrame(context: ServiceContext): FastifyInstance {
  const app = Fastify({
    logger: false,
    requestIdHeader: false,
    genReqId: (request) => correlationIdOf(request.headers['x-correlation-id']),
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: requestTimeoutMs,
    // Some clients escape a colon in a path, and no id has one. htu is held against what was sent.
    rewriteUrl: ({ url = '' }) => url.replace(/^[^?]*/, (path) => path.replaceAll(/%3a/gi, ':')),
    clientErrorHandler: answerClientError,
    frameworkErrors: answerFrameworkError,
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(correlationHeader, request.id);
    done();
  });
  // Bodies are parsed by their operation, after they were hashed; see operation.ts.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  // Before what ends requests: they have their lines too.
  logAnswers(app, context);
  answerErrors(app, context.log);
  mountTokenEndpoint(app, context);
  return app;
}
