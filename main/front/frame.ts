import Fastify, { type FastifyInstance } from 'fastify';
import { mountTokenEndpoint } from './auth/token-endpoint.ts';
import type { FrontContext } from './context.ts';
import { logAnswers } from './log.ts';
import { correlationHeader, correlationIdOf } from './problem.ts';
import { answerClientError, answerErrors, answerFrameworkError } from './refusals.ts';

/** Enough for a 50 MB document over a slow line. */
const requestTimeoutMs = 15 * 60_000;

/** Makes the server that operations are mounted on, with its token endpoint. */
export function buildFrame(context: FrontContext): FastifyInstance {
  const app = Fastify({
    logger: false,
    requestIdHeader: false,
    genReqId: (request) => correlationIdOf(request.headers['x-correlation-id']),
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: requestTimeoutMs,
    // Some clients escape the colon in a path. htu is compared with the path as it was sent.
    rewriteUrl: ({ url = '' }) => url.replace(/^[^?]*/, (path) => path.replaceAll(/%3a/gi, ':')),
    clientErrorHandler: answerClientError,
    frameworkErrors: answerFrameworkError,
  });
  // Node would refuse an unknown Expect with an empty 417; it may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(correlationHeader, request.id);
    done();
  });
  // Operations parse their bodies themselves, after hashing them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  logAnswers(app, context);
  answerErrors(app, context.log);
  mountTokenEndpoint(app, context);
  return app;
}
