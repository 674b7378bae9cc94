import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import websocket from '@fastify/websocket';
import { RPCHandler } from '@orpc/server/ws';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { sessionHeader, ticketParameter, unknownSessionCode } from '#shared/desk/file-headers.ts';
import { DeskError, type DeskProblem } from '#shared/desk/errors.ts';
import { messageMaxBytes } from '#shared/desk/message-limit.ts';
import { type FaultLog, toDeskError } from '#main/log/faults.ts';
import { answerFileRequest } from '#main/bridge/files.ts';
import { createRouter, handlerOptions } from '#main/bridge/router.ts';
import type { Engine } from '#main/engine/engine.ts';
import { pageInLanguage } from '#main/shell/page-language.ts';
import {
  refusalOf,
  securityHeaders,
  isOtherUser,
  createSecret,
  createSession,
  type Session,
} from './guards.ts';

/** Loopback only: the desk is for the user at this machine. */
const host = '127.0.0.1';

/** A page proves itself as soon as its line is open. */
const proofWithinMs = 10_000;

export interface BrowserShellOptions {
  readonly engine: Engine;
  /** The built window. */
  readonly pagesDir: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly log: FaultLog;
  /** A page has come with a token. */
  readonly onOpened?: () => void;
}

export interface BrowserShell {
  readonly origin: string;
  /** With this secret a second start on the same home asks for an address, at `POST /invitations`. */
  readonly secret: string;
  /** An address that opens the desk once, by the token in its fragment. */
  invite(): string;
  /** Ends every line; the engine stays open. */
  close(): Promise<void>;
}

/**
 * Serves the desk to the system's browser: pages, the contract over a WebSocket at `/contract`,
 * bytes at `/files/`, and `POST /session`, which exchanges the token for the page's secret.
 */
export async function startBrowserShell(options: BrowserShellOptions): Promise<BrowserShell> {
  const app = fastify({
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    bodyLimit: 64 * 1024,
    // An address that does not decode never reaches the hooks.
    frameworkErrors: (_error, _request, reply) => {
      void refuse(reply, 404, new DeskError('document_not_found').problem);
    },
  });
  const session = createSession();
  const invitation = createSecret();
  const inviteTo = (authority: string) => `http://${authority}/#token=${session.invite()}`;

  // Before the door: its own hook closes the line of an upgrade that the door refuses.
  await app.register(websocket, { options: { maxPayload: messageMaxBytes } });
  app.addHook('onRequest', async (request, reply) => {
    const authority = authorityOf(request);
    reply.headers(securityHeaders(authority, request.url));
    const refused = isOtherUser(request.raw.socket) ? 'user' : refusalOf(request.raw, authority);
    if (refused) await refuse(reply, 403, invalidInput(refused));
  });
  // Built files carry a digest of their content in their names, so a browser may keep them, and
  // with them what it compiled: that is most of the window's start.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 200 && request.url.startsWith('/assets/'))
      reply.header('cache-control', 'private, max-age=31536000, immutable');
    done();
  });
  app.setNotFoundHandler((_request, reply) =>
    refuse(reply, 404, new DeskError('document_not_found').problem),
  );
  app.setErrorHandler((error, request, reply) => {
    // Fastify's own refusals (a body that is no JSON, too large, of another type) carry a 4xx.
    const refused = error instanceof Error && 'statusCode' in error && Number(error.statusCode);
    if (refused && refused < 500) return refuse(reply, refused, invalidInput('body'));
    const problem = toDeskError(error, `http ${request.method}`, options.log).problem;
    return refuse(reply, 500, problem);
  });
  // Other built files lie under /assets/ and next to the page; only the page is served here.
  await app.register(fastifyStatic, { root: options.pagesDir, cacheControl: false, index: false });
  app.get('/', async (_request, reply) => {
    const html = await readFile(join(options.pagesDir, 'index.html'), 'utf8');
    const language = await options.engine.desk.language();
    return reply.type('text/html; charset=utf-8').send(pageInLanguage(html, language));
  });

  app.post('/session', async (request, reply) => {
    const body = z.object({ token: z.string().max(200) }).safeParse(request.body);
    const given = body.success ? session.exchange(body.data.token) : null;
    if (given === null) return refuse(reply, 401, new DeskError('unauthorized').problem);
    options.onOpened?.();
    return reply.send({ session: given });
  });
  app.post('/invitations', async (request, reply) => {
    const isAsked = invitation.isSame(firstOf(request.headers[sessionHeader]));
    if (!isAsked) return refuse(reply, 401, new DeskError('unauthorized').problem);
    return reply.send({ url: inviteTo(authorityOf(request)) });
  });
  serveContract(app, options, session);
  serveTickets(app, session);
  await app.register((scope) => {
    serveFiles(scope, options, session);
    return Promise.resolve();
  });

  const origin = await app.listen({ host, port: options.port });
  const invite = () => inviteTo(new URL(origin).host);
  return { origin, secret: invitation.text, invite, close: () => app.close() };
}

/** The address on which a request came. */
function authorityOf({ socket }: FastifyRequest): string {
  return `${host}:${String(socket.localPort)}`;
}

/** A line whose first message is the page's secret. */
function serveContract(
  app: FastifyInstance,
  { engine, log }: BrowserShellOptions,
  session: Session,
): void {
  const handler = new RPCHandler(createRouter(engine, log), handlerOptions(log));
  app.get('/contract', { websocket: true }, (socket: WebSocket) => {
    const refuseLine = () => socket.close(unknownSessionCode);
    const patience = setTimeout(refuseLine, proofWithinMs);
    socket.once('close', () => clearTimeout(patience));
    // A frame that cannot be read closes the line by itself.
    socket.on('error', () => undefined);
    socket.once('message', (message: Buffer) => {
      clearTimeout(patience);
      if (session.isValid(message.toString())) void handler.upgrade(socket);
      else refuseLine();
    });
  });
}

function serveTickets(app: FastifyInstance, session: Session): void {
  const wish = z.object({ ticket: z.string().regex(/^[\w-]{20,80}$/), path: z.string().max(2000) });
  app.post('/tickets', async (request, reply) => {
    if (!session.isValid(firstOf(request.headers[sessionHeader])))
      return refuse(reply, 401, new DeskError('unauthorized').problem);
    const wished = wish.safeParse(request.body);
    if (!wished.success) return refuse(reply, 400, invalidInput('body'));
    session.admit(wished.data.ticket, wished.data.path);
    return reply.code(204).send();
  });
}

function serveFiles(
  scope: FastifyInstance,
  { engine, log }: BrowserShellOptions,
  session: Session,
): void {
  scope.addHook('onRequest', async (request, reply) => {
    const { path, ticket } = addressOf(request);
    const isKnown =
      session.isValid(firstOf(request.headers[sessionHeader])) ||
      (request.method === 'GET' && ticket !== null && session.isAdmitted(ticket, path));
    if (!isKnown) await refuse(reply, 401, new DeskError('unauthorized').problem);
  });
  // Bodies stay streams, regardless of their type.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(null);
  });
  scope.route({
    method: ['GET', 'POST'],
    url: '/files/*',
    handler: async (request, reply) => {
      const answer = await answerFileRequest(
        engine,
        {
          method: request.method,
          path: addressOf(request).path.slice('/files/'.length),
          header: (name) => firstOf(request.headers[name]) ?? null,
          content: undestroyed(request.raw),
        },
        log,
      );
      // What a refused upload still sends is read and dropped, or its answer would never be read.
      request.raw.resume();
      return reply
        .code(answer.status)
        .headers({ ...answer.headers })
        .send(answer.body ?? undefined);
    },
  });
}

function addressOf(request: FastifyRequest): { path: string; ticket: string | null } {
  const [path = '', query] = (request.raw.url ?? '').split('?');
  return { path, ticket: new URLSearchParams(query).get(ticketParameter) };
}

/** A refused upload is still answered on the same line, so leaving the loop must not cut it. */
function undestroyed(request: IncomingMessage): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }),
  };
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function refuse(reply: FastifyReply, status: number, problem: DeskProblem): FastifyReply {
  return reply.code(status).send(problem);
}

const invalidInput = (field: string): DeskProblem => ({
  code: 'invalid_input',
  params: { field, rule: 'unknown' },
});
