import Fastify, { type FastifyInstance } from 'fastify';
import {
  answerClientError,
  answerConnect,
  answerErrors,
  answerFrameworkError,
  noteResponse,
} from './refusals.ts';
import { mountTokenEndpoint } from './auth/token-endpoint.ts';
import type { ServiceContext } from './context.ts';
import { correlationHeader, correlationIdOf } from './correlation-id.ts';
import { logAnswers } from './log.ts';
import { mountOperations } from './mount-operations.ts';
import { mountOpenEndpoints } from './open-endpoints.ts';
import { routedTarget } from './request-target.ts';
import { WholeResponse } from './whole-response.ts';

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
  if (backofficeToken !== undefined) {
    const { mountBackoffice } = await import('./backoffice/mount-backoffice.ts');
    mountBackoffice(app, context, backofficeToken);
  }
  mountOperations(app, context);
  mountOpenEndpoints(app, context);
  await app.ready();
  return app;
}

/**
 * In place of Fastify's compilers for schemas of routes, whose packages would be loaded at each
 * start: what comes in is checked by parse-request.ts, and answers are rendered by answer.ts.
 */
const noCompiler = () => () => {
  throw new TypeError('a route of this service has no schema of Fastify');
};

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
    routerOptions: { maxParamLength: 2000 },
    rewriteUrl: ({ url = '' }) => routedTarget(url),
    // A Host header is never looked at, so a request without one is as good as any.
    http: { requireHostHeader: false, ServerResponse: WholeResponse },
    schemaController: {
      compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler },
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: answerFrameworkError,
  });
  app.server.on('connect', answerConnect);
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(correlationHeader, request.id);
    noteResponse(request, reply);
    // Node would run pipelined requests beside each other, which only reading allows (RFC 9112
    // section 9.3.2). A response has its socket once those before it are sent.
    if (reply.raw.socket) done();
    else reply.raw.once('socket', () => done());
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
