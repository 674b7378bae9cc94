import Fastify, { type FastifyInstance } from 'fastify';
import { mountTokenEndpoint } from './auth/token-endpoint.ts';
import type { FrontContext } from './context.ts';
import { logAnswers } from './log.ts';
import { correlationHeader, correlationIdOf } from './problem.ts';
import { answerClientError, answerErrors, answerFrameworkError } from './refusals.ts';

/** A 50 MB document over a slow line takes its time. */
const requestTimeoutMs = 15 * 60_000;

/** What every operation stands in: connections, correlation ids, refusals, log, tokens. */
export function buildFrame(context: FrontContext): FastifyInstance {
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
  logAnswers(app, context);
  answerErrors(app, context.log);
  mountTokenEndpoint(app, context);
  return app;
}
