import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { routes } from '#shared/api/routes.ts';
import { renderProblem, type Answer } from './answer.ts';
import { correlationHeader, correlationIdOf } from './correlation-id.ts';
import { describeError } from './log.ts';
import { Problem } from './problem.ts';

/** Answers every error with a problem document: refusals, malformed requests, and our own faults. */
export function answerErrors(app: FastifyInstance, log: Logger): void {
  app.setErrorHandler((error: FastifyError | Problem, request, reply) => {
    if (!(error instanceof Problem)) readOn(request, reply);
    return sendProblem(request, reply, problemOf(error, request, log));
  });
  // Here and not by a handler, which would be asked only when the body has been read and judged.
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? new Problem('not_found', 'there is no such address') : undefined);
  });
}

/**
 * Fastify closes the connection over a body that it refuses, under the hands of a caller who is
 * still sending and then never sees the answer (RFC 9112 section 9.6). So the rest is read and
 * thrown away, as after every other refusal.
 */
function readOn(request: FastifyRequest, reply: FastifyReply): void {
  request.raw.resume();
  // While the service stops, its connections are meant to end.
  if (request.server.server.listening) reply.removeHeader('connection');
}

/** Answers what Fastify refuses before it has found a route: an address that is not one. */
export function answerFrameworkError(
  _error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.header(correlationHeader, request.id);
  void sendProblem(
    request,
    reply,
    new Problem('invalid_request', 'the address of the request is malformed', {
      errors: { path: ['is malformed.'] },
    }),
  );
}

/** On the connection itself, where `answerClientError` finds it. */
const latestResponse = Symbol('latest response');

declare module 'node:net' {
  interface Socket {
    [latestResponse]?: ServerResponse;
  }
}

/** Notes what a connection's latest request is answered by. */
export function noteResponse({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): void {
  socket[latestResponse] = raw;
}

/** Answers what Node refuses before there is a request: bytes that are no HTTP, too long headers. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const latest = socket[latestResponse];
  if (latest?.req.complete === true && !latest.writableFinished) {
    // They follow a request that is whole, whose answer they must neither replace nor cut off.
    latest.once('finish', () => answerClientError(error, socket));
    return;
  }
  if (latest?.req.complete === false && latest.writableEnded) {
    // They are the body of a request that was answered without it.
    socket.destroySoon();
    return;
  }
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    const errors = { headers: ['are too large.'] };
    writeProblem(
      socket,
      new Problem('invalid_request', 'the headers of the request are too large', { errors }),
    );
    return;
  }
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const detail = isLate ? 'the request took too long to arrive' : 'the request is not HTTP';
  const errors = { request: [isLate ? 'took too long to arrive.' : 'is not HTTP.'] };
  writeProblem(socket, new Problem('invalid_request', detail, { errors }));
}

/** Answers CONNECT, which Node hands over as a bare socket. */
export function answerConnect(_request: IncomingMessage, socket: Duplex): void {
  writeProblem(socket, new Problem('not_found', 'there is no such address'));
}

function writeProblem(socket: Duplex, problem: Problem): void {
  const correlationId = correlationIdOf(undefined);
  const { status, contentType, body } = renderProblem(problem, correlationId);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n` +
      `Content-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n` +
      `${correlationHeader}: ${correlationId}\r\nConnection: close\r\n\r\n${body.toString()}`,
  );
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const answer: Answer = renderProblem(problem, request.id);
  return reply
    .code(answer.status)
    .headers(problem.headers)
    .type(answer.contentType)
    .send(answer.body);
}

function problemOf(error: FastifyError | Problem, request: FastifyRequest, log: Logger): Problem {
  const problem = error instanceof Problem ? error : problemOfFastify(error);
  // A body that breaks off is its caller's doing, and the answer's own line says so.
  if (problem.status >= 500 && request.raw.errored !== error) {
    log.error({ correlationId: request.id, ...describeError(error) }, 'the operation failed');
  }
  return request.routeOptions.url === routes.token.path
    ? asTokenProblem(problem)
    : asApiProblem(problem);
}

function problemOfFastify(error: FastifyError): Problem {
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
        : new Problem('internal_error', 'the service failed; the operation was not carried out');
  }
}

/** RFC 6749 section 5.2 knows one word for whatever is wrong with a token request's form. */
function asTokenProblem(problem: Problem): Problem {
  if (problem.oauthError !== undefined || problem.status !== 400) return problem;
  return copyOf(problem, 'invalid_request');
}

/** Its members are the token endpoint's alone (decisions, "Status code per title"). */
function asApiProblem(problem: Problem): Problem {
  return problem.oauthError === undefined ? problem : copyOf(problem, undefined);
}

function copyOf(problem: Problem, oauthError: string | undefined): Problem {
  return new Problem(problem.title, problem.detail, {
    ...(problem.errors && { errors: problem.errors }),
    ...(oauthError !== undefined && { oauthError }),
    headers: problem.headers,
  });
}
