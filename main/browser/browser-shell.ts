import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import fastifyStatic from '@fastify/static';
import websocket from '@fastify/websocket';
import { RPCHandler } from '@orpc/server/ws';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { DeskErrorCode, DeskErrorParams } from '#shared/desk/errors.ts';
import { type BridgeLog, problemOf } from '#main/bridge/desk-errors.ts';
import { answerFileRequest } from '#main/bridge/files.ts';
import { createRouter, handlerOptions } from '#main/bridge/router.ts';
import type { Engine } from '#main/engine/engine.ts';
import { refusalOf } from './guards.ts';
import { isOtherUser } from './peer-user.ts';
import { securityHeaders, servedFileHeaders } from './security-headers.ts';
import { createSession, type Session } from './session.ts';

/** Loopback only: the desk is for the person at this machine. */
const host = '127.0.0.1';

/** Larger than the largest message of the contract, a connection with its key. */
const messageMaxBytes = 4 * 1024 * 1024;

export interface BrowserShellOptions {
  readonly engine: Engine;
  /** The built window. */
  readonly pagesDir: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly log: BridgeLog;
}

export interface BrowserShell {
  /** Where the desk is, with this start's token in the fragment. */
  readonly url: string;
  /** Ends every line; the engine stays open. */
  close(): Promise<void>;
}

/**
 * Serves the desk to the system's browser: pages, the contract over a WebSocket at `/contract`,
 * bytes at `/files/`, and `POST /session`, which exchanges the token for a cookie.
 */
export async function startBrowserShell(options: BrowserShellOptions): Promise<BrowserShell> {
  const app = fastify({
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    bodyLimit: 64 * 1024,
    // An address that does not decode never reaches the hooks.
    frameworkErrors: (_error, _request, reply) => {
      void refuse(reply, 404, 'document_not_found');
    },
  });
  // The port is known only once it listens, and every check needs it; no request comes before.
  let door: { authority: string; session: Session } | null = null;
  const openDoor = () => {
    if (!door) throw new Error('the door is not open yet');
    return door;
  };

  // Before the door: its own hook closes the line of an upgrade that the door refuses.
  await app.register(websocket, { options: { maxPayload: messageMaxBytes } });
  app.addHook('onRequest', async (request, reply) => {
    const { authority } = openDoor();
    reply.headers(securityHeaders(authority, request.url));
    const refused = isOtherUser(request.raw.socket, process.getuid?.())
      ? 'user'
      : refusalOf(doorRequest(request), authority);
    if (refused) await refuse(reply, 403, 'invalid_input', { field: refused, rule: 'unknown' });
  });
  // Built files carry a digest of their content in their names, so a browser may keep them, and
  // with them what it compiled: that is most of the window's start.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 200 && request.url.startsWith('/assets/'))
      reply.header('cache-control', 'private, max-age=31536000, immutable');
    done();
  });
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'document_not_found'));
  app.setErrorHandler((error, request, reply) => {
    // Fastify's own refusals (a body that is no JSON, too large, of another type) carry a 4xx.
    const refused = error instanceof Error && 'statusCode' in error && Number(error.statusCode);
    if (refused && refused < 500)
      return refuse(reply, refused, 'invalid_input', { field: 'body', rule: 'unknown' });
    const problem = problemOf(error, `http ${request.method}`, options.log);
    return refuse(reply, 500, problem.code, problem.params);
  });
  await app.register(cookie);
  await app.register(fastifyStatic, { root: options.pagesDir, cacheControl: false });

  app.post('/session', async (request, reply) => {
    const { session } = openDoor();
    const body = z.object({ token: z.string().max(200) }).safeParse(request.body);
    const secret = body.success ? session.exchange(body.data.token) : null;
    if (secret === null) return refuse(reply, 401, 'unauthorized');
    return reply
      .setCookie(session.cookieName, secret, { httpOnly: true, sameSite: 'strict', path: '/' })
      .code(204)
      .send();
  });

  await app.register((scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const { session } = openDoor();
      if (!session.isValid(request.cookies[session.cookieName]))
        await refuse(reply, 401, 'unauthorized');
    });
    serveContract(scope, options);
    serveFiles(scope, options);
    return Promise.resolve();
  });

  await app.listen({ host, port: options.port });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  const authority = `${host}:${String(address.port)}`;
  door = { authority, session: createSession(address.port) };
  return {
    url: `http://${authority}/#token=${door.session.token}`,
    close: () => app.close(),
  };
}

function serveContract(scope: FastifyInstance, { engine, log }: BrowserShellOptions): void {
  const handler = new RPCHandler(createRouter(engine, log), handlerOptions(log));
  scope.get('/contract', { websocket: true }, (socket) => {
    void handler.upgrade(socket);
  });
}

function serveFiles(scope: FastifyInstance, { engine, log }: BrowserShellOptions): void {
  // Bodies stay streams, whatever they are called.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(null);
  });
  scope.route({
    method: ['GET', 'POST'],
    url: '/files/*',
    handler: async (request, reply) => {
      const [path = ''] = request.raw.url?.slice('/files/'.length).split('?') ?? [];
      const answer = await answerFileRequest(
        engine,
        {
          method: request.method,
          path,
          header: (name) => firstOf(request.headers[name]),
          content: undestroyed(request.raw),
        },
        log,
      );
      // What a refused upload still sends is read and dropped, or its answer would never be read.
      request.raw.resume();
      return reply
        .code(answer.status)
        .headers({ ...answer.headers, ...servedFileHeaders })
        .send(answer.body ?? undefined);
    },
  });
}

/** A refused upload is still answered on the same line, so leaving the loop must not cut it. */
function undestroyed(request: IncomingMessage): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }),
  };
}

function doorRequest(request: FastifyRequest) {
  return {
    method: request.method,
    host: request.headers.host,
    origin: request.headers.origin,
    fetchSite: firstOf(request.headers['sec-fetch-site']) ?? undefined,
    isWebSocket: request.headers.upgrade !== undefined,
  };
}

function firstOf(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}

function refuse(
  reply: FastifyReply,
  status: number,
  code: DeskErrorCode,
  params: DeskErrorParams = {},
): FastifyReply {
  return reply.code(status).send({ code, params });
}
