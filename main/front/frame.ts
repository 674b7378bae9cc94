import { maxHeaderSize } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { arrivedAt } from './auth/proof.ts';
import { mountTokenEndpoint } from './auth/token-endpoint.ts';
import type { FrontContext } from './context.ts';
import { originOf } from '#shared/lib/error-origin.ts';
import { logAnswers } from './log.ts';
import { failureSentence, noteEffect } from './may-have-run.ts';
import { correlationHeader, correlationIdOf, Problem } from './problem.ts';
import { jsonContentType, renderProblem } from './answer.ts';

/**
 * The time for a request, which suffices for a 50 MB document over a slow connection, and the time
 * after which a caller that reads nothing of its answer is cut off.
 */
const requestTimeoutMs = 15 * 60_000;

/** Creates the server on which operations are mounted, with its token endpoint. */
export function buildFrame(context: FrontContext): FastifyInstance {
  const app = Fastify({
    logger: false,
    trustProxy: context.trustedProxies.length > 0 && [...context.trustedProxies],
    requestIdHeader: false,
    // Node would refuse a missing Host with an empty answer.
    http: { requireHostHeader: false },
    genReqId: (request) => correlationIdOf(request.headers['x-correlation-id']),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: requestTimeoutMs,
    // Some clients escape the colon in a path. htu is compared with the path as it was sent.
    rewriteUrl: ({ url = '' }) => url.replace(/^[^?]*/, (path) => path.replaceAll(/%3a/gi, ':')),
    clientErrorHandler: answerClientError,
    frameworkErrors: answerFrameworkError,
  });
  // Node would refuse an unknown Expect with an empty 417; it may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );
  refuseWhileDraining(app, context);
  app.addHook('onRequest', (request, reply, done) => {
    request[arrivedAt] = context.clock.now();
    reply.header(correlationHeader, request.id);
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      const errors = { Host: ['is required.'] };
      throw new Problem('invalid_request', 'the request has no Host header', { errors });
    }
    done();
  });
  // An operation notes its effect itself. Other handlers are not known to do so.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.routeOptions.config.operation === undefined) noteEffect(request);
    done();
  });
  // A proxy must not send another request over a connection of a process that ends.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (context.draining.isOn) reply.header('connection', 'close');
    done(null, payload);
  });
  // Answers are not cached, because they contain personal data and tokens (RFC 6749 section 5.1).
  app.addHook('onSend', (request, reply, payload, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isToken = request.routeOptions.config.operation === 'token';
    if (isRead || isToken) reply.header('cache-control', 'no-store');
    done(null, payload);
  });
  // Operations parse their bodies themselves after hashing them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  logAnswers(app, context);
  answerErrors(app, context.log);
  mountTokenEndpoint(app, context);
  endAnsweredConnections(app);
  return app;
}

/** A proxy sets this header to the methods that it repeats at another process. */
const repeatsHeader = 'x-proxy-repeats';

/**
 * From the moment a process is told to end, this breaks the connection of each request that its
 * proxy says it repeats elsewhere. The proxy then sends nothing more to this process, neither what
 * it may repeat nor what it may not, and all that is under way is answered.
 */
function refuseWhileDraining(app: FastifyInstance, { draining }: FrontContext): void {
  app.addHook('onRequest', (request, reply, done) => {
    const repeated = request.headers[repeatsHeader];
    if (!draining.isOn || repeated !== request.method) {
      done();
      return;
    }
    reply.hijack();
    request.raw.socket.destroy();
  });
}

/**
 * While the server stops, this closes each connection whose request was answered. Fastify closes
 * only connections that are idle at the beginning of the stop; a connection that becomes idle later
 * would delay it.
 */
function endAnsweredConnections(app: FastifyInstance): void {
  let isStopping = false;
  app.addHook('preClose', (done) => {
    isStopping = true;
    done();
  });
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (isStopping) raw.socket.destroySoon();
    done();
  });
}

/** Answers every error with a problem document. */
function answerErrors(app: FastifyInstance, log: Logger): void {
  app.setErrorHandler((error: FastifyError | Problem, request, reply) => {
    if (!(error instanceof Problem)) readOn(request, reply);
    return sendProblem(request, reply, problemOf(error, request, log));
  });
  app.setNotFoundHandler(() => {
    throw new Problem('not_found', 'there is no such address');
  });
}

/**
 * Reads the rest of a body that Fastify refuses. Fastify would close the connection while the
 * caller is still sending, and the caller would never see the answer (RFC 9112 section 9.6).
 */
function readOn(request: FastifyRequest, reply: FastifyReply): void {
  request.raw.resume();
  // While the service stops, its connections should be closed.
  if (request.server.server.listening) reply.removeHeader('connection');
}

/** Answers what Fastify refuses before routing: a malformed address. */
function answerFrameworkError(
  _error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.header(correlationHeader, request.id);
  const errors = { path: ['is malformed.'] };
  const problem = new Problem('invalid_request', 'the address of the request is malformed', {
    errors,
  });
  void sendProblem(request, reply, problem);
}

/**
 * Answers requests that Node cannot parse: bytes that are not HTTP, headers that are too long, a
 * timeout.
 */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const correlationId = correlationIdOf(undefined);
  const { contentType, body } = renderProblem(unreadable(error.code), correlationId);
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: ${contentType}\r\n` +
      `Content-Length: ${body.length}\r\n${correlationHeader}: ${correlationId}\r\n` +
      `Connection: close\r\n\r\n${body.toString()}`,
  );
}

/** What is wrong with a request that Node cannot parse. */
function unreadable(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const rule = `are longer than ${String(maxHeaderSize / 1024)} KiB.`;
    return new Problem('invalid_request', `the address and the headers of the request ${rule}`, {
      errors: { headers: [`and the address ${rule}`] },
    });
  }
  return new Problem('invalid_request', 'the request is not HTTP that this service takes', {
    errors: { request: ['is not HTTP that this service takes.'] },
  });
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const { status, contentType, body } = renderProblem(problem, request.id);
  const isToken = request.routeOptions.config.operation === 'token';
  const type = isToken && wantsPlainJson(request) ? jsonContentType : contentType;
  return reply.code(status).headers(problem.headers).type(type).send(body);
}

/**
 * Whether the caller accepts only `application/json`. OAuth libraries do, and read the reason of a
 * refused token only in that type (RFC 6749 section 5.2).
 */
function wantsPlainJson({ headers }: FastifyRequest): boolean {
  const types = (headers.accept ?? '').split(',').map((type) => type.split(';', 1)[0]?.trim());
  return types.length > 0 && types.every((type) => type === 'application/json');
}

function problemOf(error: FastifyError | Problem, request: FastifyRequest, log: Logger): Problem {
  const problem = error instanceof Problem ? error : problemOfFastify(error, request);
  // A body that breaks off is not a failure of the server; the log line of the answer reports it.
  if (problem.status >= 500 && request.raw.errored !== error) {
    log.error({ correlationId: request.id, ...originOf(error) }, 'the operation failed');
  }
  const { title, detail, errors, headers, oauthError } = problem;
  if (request.routeOptions.config.operation !== 'token') {
    // Only the token endpoint has the members of RFC 6749 (decisions, "Status code per title").
    return new Problem(title, detail, { errors, headers });
  }
  // RFC 6749 section 5.2 has one code for every malformed token request.
  const code = oauthError ?? (problem.status === 400 ? 'invalid_request' : undefined);
  // OAuth libraries read either the challenge or the body. The body has more details.
  const { 'WWW-Authenticate': challenge, ...others } = headers;
  const sent = code === undefined ? headers : others;
  return new Problem(title, detail, { errors, headers: sent, oauthError: code });
}

function problemOfFastify(error: FastifyError, request: FastifyRequest): Problem {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('size_limit_exceeded', 'the body of the request is too large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('invalid_request', 'the body is of a type that is not understood here', {
        errors: { 'Content-Type': ['is not understood here.'] },
      });
    default:
      return error.statusCode !== undefined && error.statusCode < 500
        ? new Problem('invalid_request', 'the request is malformed', {
            errors: { request: ['is malformed.'] },
          })
        : new Problem('internal_error', failureSentence(request));
  }
}
