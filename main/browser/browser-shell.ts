import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import websocket from '@fastify/websocket';
import { RPCHandler } from '@orpc/server/ws';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { ticketParameter, unknownSessionCode } from '#shared/desk/reports/file-headers.ts';
import { type LinePurpose, proveToPage, readyMessage } from '#shared/desk/contract/page-proof.ts';
import { DeskError, type DeskProblem } from '#shared/desk/contract/errors.ts';
import { messageMaxBytes } from '#shared/desk/contract/message-limit.ts';
import { type FaultLog, toDeskError } from '#main/log/faults.ts';
import { answerFileRequest, type FileRequest } from '#main/bridge/files.ts';
import { createRouter, handlerOptions } from '#main/bridge/router.ts';
import type { Engine } from '#main/engine/engine.ts';
import { pageAtStart } from '#main/shell/page-at-start.ts';
import { filesPrefix, serveByteLine } from './byte-lines.ts';
import { type Addresses, openingOf, refusalOf, securityHeaders } from './guards.ts';
import { admitOwnUser } from './other-user.ts';
import { pageWithIntegrity, readIntegrity } from './page-integrity.ts';
import { createSecret, createSessions, nameOf, type SessionLine, sign } from './sessions.ts';

/** The shell listens on loopback only, because the desk is for the user of this machine. */
const host = '127.0.0.1';

/**
 * The time within which a page must prove itself after its connection is open, long enough for a
 * busy machine.
 */
const proofWithinMs = 30_000;

/**
 * The most connections of each loopback address, so that nobody uses up the files that this process
 * may open. A window has a dozen.
 */
const connectionsMax = 500;

/** The number of attempts to get a port that no earlier desk of this home had. */
const portsTried = 50;

export interface BrowserShellOptions {
  readonly engine: Engine;
  /** The folder of the built window. */
  readonly pagesDir: string;
  /** The port; 0 means any free one. */
  readonly port: number;
  /** The ports that are not used if `port` is 0, because a stranger may have used them. */
  readonly formerPorts?: readonly number[];
  readonly log: FaultLog;
  /** Called when a page has come with an invitation. */
  readonly onOpened?: () => void;
}

export interface BrowserShell {
  /** The address at which the user opens the desk. It redirects to an address of this start. */
  readonly origin: string;
  /** The address of this start. No other server has ever had both its port and its name. */
  readonly pageOrigin: string;
  /**
   * The secret with which a second start on the same home requests an address, at `/invitation`.
   */
  readonly secret: string;
  /** Returns an address that opens the desk once, by the secret in its fragment. */
  invite(): string;
  /** Closes every connection. The engine stays open. */
  close(): Promise<void>;
}

/**
 * Serves the desk to the system's browser: pages, the contract over a WebSocket at `/contract`, and
 * bytes over WebSockets at `/bytes`. On each WebSocket both ends first prove who they are. A
 * document that is dropped on another program is fetched from `/files/` with a ticket.
 */
export async function startBrowserShell(options: BrowserShellOptions): Promise<BrowserShell> {
  for (let tried = 1; ; tried += 1) {
    const shell = await openShell(options).catch((error: unknown) => {
      if (options.port !== 0 || !isPortTaken(error) || tried === portsTried) throw error;
      return null;
    });
    const isFormer = shell && options.formerPorts?.includes(Number(new URL(shell.origin).port));
    if (shell && (options.port !== 0 || !isFormer || tried === portsTried)) return shell;
    await shell?.close();
  }
}

async function openShell(options: BrowserShellOptions): Promise<BrowserShell> {
  const app = fastify({
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    bodyLimit: 64 * 1024,
    // An address that cannot be decoded does not reach the hooks, so it is answered here.
    frameworkErrors: (_error, _request, reply) => {
      void refuse(reply, 404, new DeskError('document_not_found').problem);
    },
  });
  const lines: Lines = {
    ...options,
    sessions: createSessions(),
    name: localName(),
    secret: createSecret(),
    door: { isPlainOpen: false },
  };
  const inviteTo = (authority: string) => `http://${authority}/#token=${lines.sessions.invite()}`;

  // The WebSocket plugin is registered before the checks, because its hook closes the connection of
  // an upgrade that they refuse.
  await app.register(websocket, { options: { maxPayload: messageMaxBytes } });
  guardDoor(app, lines);
  // Other built files are under /assets/ and next to the page; only the page is served here.
  await app.register(fastifyStatic, { root: options.pagesDir, cacheControl: false, index: false });
  servePage(app, lines);
  serveContract(app, lines);
  serveBytes(app, lines);
  serveInvitations(app, lines, (request) => inviteTo(addressesOf(request, lines.name).plain));
  serveTickets(app, lines);
  admitOwnUser(app.server);
  app.server.maxConnections = connectionsMax;

  const second = await listenOnSixth(app, options.port);
  const port = second === null ? options.port : portOf(second);
  const origin = await app.listen({ host, port }).catch((error: unknown) => {
    second?.close();
    throw error;
  });
  return {
    origin,
    pageOrigin: `http://${lines.name}:${new URL(origin).port}`,
    secret: lines.secret,
    invite: () => inviteTo(new URL(origin).host),
    async close() {
      second?.close();
      await app.close();
    },
  };
}

/** The checks of every request, and the headers of every answer. */
function guardDoor(app: FastifyInstance, { name, door, log }: Lines): void {
  app.addHook('onRequest', async (request, reply) => {
    const addresses = addressesOf(request, name);
    const authority = request.headers.host === addresses.own ? addresses.own : addresses.plain;
    reply.headers(securityHeaders(authority, request.url));
    const refused = refusalOf(request.raw, addresses, door.isPlainOpen);
    if (refused) await refuse(reply, 403, invalidInput(refused));
  });
  // The names of built files contain a digest of their content, and their address belongs to this
  // start. So a browser may cache them together with their compiled form, which saves most of a
  // start.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 200 && /^\/(?:assets|pdfjs)\//.test(request.url))
      reply.header('cache-control', 'private, max-age=31536000, immutable');
    done();
  });
  app.setNotFoundHandler((_request, reply) =>
    refuse(reply, 404, new DeskError('document_not_found').problem),
  );
  app.setErrorHandler((error, request, reply) => {
    // Refusals of Fastify itself (a body that is not JSON, too large, of another type) have a 4xx
    // status.
    const refused = error instanceof Error && 'statusCode' in error && Number(error.statusCode);
    if (refused && refused < 500) return refuse(reply, refused, invalidInput('body'));
    const problem = toDeskError(error, `http ${request.method}`, log).problem;
    return refuse(reply, 500, problem);
  });
}

function servePage(app: FastifyInstance, { pagesDir, engine, name, door }: Lines): void {
  const integrity = readIntegrity(pagesDir);
  // The failure is reported when the page is requested.
  integrity.catch(() => undefined);
  app.get('/', async (request, reply) => {
    const addresses = addressesOf(request, name);
    const opening = openingOf(request.raw, addresses);
    // Anything that another server stored under the plain address is cleared before the desk opens.
    if (opening !== 'page' && !door.isPlainOpen)
      reply.header('clear-site-data', '"cache", "storage"');
    if (opening === 'own address') return reply.redirect(`http://${addresses.own}/`, 307);
    if (opening === 'plain address') door.isPlainOpen = true;
    const html = await readFile(join(pagesDir, 'index.html'), 'utf8');
    const language = await engine.desk.language();
    const { theme = 'system' } = await engine.desk.appearance();
    const digests = await integrity;
    const authority = request.headers.host ?? addresses.plain;
    return reply
      .headers(securityHeaders(authority, request.url, digests.source))
      .type('text/html; charset=utf-8')
      .send(pageWithIntegrity(pageAtStart(html, { language, theme }), digests));
  });
}

interface Lines extends BrowserShellOptions {
  readonly sessions: ReturnType<typeof createSessions>;
  readonly name: string;
  readonly secret: string;
  /** Whether a browser uses the plain address, because it does not resolve local names. */
  readonly door: { isPlainOpen: boolean };
}

/**
 * A name that nobody can have used before. Browsers resolve every name under `localhost` to this
 * machine.
 */
const localName = (): string => `desk-${randomBytes(16).toString('hex')}.localhost`;

/**
 * Listens on ::1 as well. A name under `localhost` is both 127.0.0.1 and ::1, and a browser may try
 * ::1 first, so the desk must answer there.
 * @returns null if this machine has no ::1
 */
async function listenOnSixth(app: FastifyInstance, port: number): Promise<Server | null> {
  const server = createServer((socket) => void app.server.emit('connection', socket));
  server.maxConnections = connectionsMax;
  server.listen({ host: '::1', port, ipv6Only: true });
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (isPortTaken(error)) throw error;
    return null;
  }
}

const isPortTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port is listened on');
  return address.port;
}

/** The two addresses under which a request may come. */
function addressesOf({ socket }: FastifyRequest, name: string): Addresses {
  const port = String(socket.localPort);
  return { plain: `${host}:${port}`, own: `${name}:${port}` };
}

/**
 * Handles a connection after both ends have proved who they are. It listens before it returns. Null
 * refuses the connection.
 */
type OnProven = (socket: WebSocket, proven: { name: string; next: string }) => boolean;

/** Verifies both ends of a connection, and closes it if the other end fails. */
async function proveLine(
  socket: WebSocket,
  request: FastifyRequest,
  purpose: LinePurpose,
  { secretOf, onProven }: { secretOf: (name: string) => string | null; onProven: OnProven },
): Promise<void> {
  const late = setTimeout(() => socket.close(), proofWithinMs);
  socket.once('close', () => clearTimeout(late));
  // A frame that cannot be read closes the connection automatically.
  socket.on('error', () => undefined);
  const side = { purpose, authority: request.headers.host ?? '', number: createSecret(), sign };
  // The other end knows why the proof failed.
  const proven = await proveToPage(socket, secretOf, side).catch(() => null);
  clearTimeout(late);
  // A page that has given up, or came too late, would not learn that its invitation is used.
  if (socket.readyState !== socket.OPEN) return;
  if (proven && onProven(socket, proven)) socket.send(readyMessage);
  else socket.close(unknownSessionCode);
}

/** A connection of a page. It belongs to the page's session while it is open. */
function joinedLine(
  { sessions, onOpened }: Lines,
  begin: (socket: WebSocket, session: SessionLine) => void,
): { secretOf: (name: string) => string | null; onProven: OnProven } {
  return {
    secretOf: sessions.secretOf,
    onProven(socket, { name, next }) {
      const session = sessions.join(name, next);
      if (!session) return false;
      socket.once('close', session.close);
      begin(socket, session);
      if (session.isFirst) onOpened?.();
      return true;
    },
  };
}

function serveContract(app: FastifyInstance, lines: Lines): void {
  const handler = new RPCHandler(createRouter(lines.engine, lines.log), handlerOptions(lines.log));
  const joined = joinedLine(lines, (socket) => void handler.upgrade(socket));
  app.get('/contract', { websocket: true }, (socket: WebSocket, request) => {
    void proveLine(socket, request, 'contract', joined);
  });
}

function serveBytes(app: FastifyInstance, lines: Lines): void {
  const { engine, log } = lines;
  const answer = (request: FileRequest) => answerFileRequest(engine, request, log);
  const joined = joinedLine(lines, (socket, session) => {
    serveByteLine(socket, session, answer).catch((error: unknown) => {
      toDeskError(error, 'bytes', log);
      socket.close();
    });
  });
  app.get('/bytes', { websocket: true }, (socket: WebSocket, request) => {
    void proveLine(socket, request, 'bytes', joined);
  });
}

/** Answers a second start on the home, which knows the secret that is stored there. */
function serveInvitations(
  app: FastifyInstance,
  { secret }: Lines,
  invite: (request: FastifyRequest) => string,
): void {
  const name = nameOf(secret);
  app.get('/invitation', { websocket: true }, (socket: WebSocket, request) => {
    void proveLine(socket, request, 'invitation', {
      secretOf: (asked) => (asked === name ? secret : null),
      onProven() {
        socket.once('message', () => socket.send(JSON.stringify({ url: invite(request) })));
        return true;
      },
    });
  });
}

/**
 * Serves bytes to a program that a file was dropped on, because it can send neither a header nor a
 * message.
 */
function serveTickets(app: FastifyInstance, { engine, log, sessions }: Lines): void {
  app.get(`${filesPrefix}*`, async (request, reply) => {
    const [path = '', query] = (request.raw.url ?? '').split('?');
    const ticket = new URLSearchParams(query).get(ticketParameter);
    if (ticket === null || !sessions.isAdmitted(ticket, path))
      return refuse(reply, 401, new DeskError('unauthorized').problem);
    const answer = await answerFileRequest(
      engine,
      {
        method: 'GET',
        path: path.slice(filesPrefix.length),
        header: (name) => firstOf(request.headers[name]) ?? null,
        content: request.raw,
      },
      log,
    );
    return reply
      .code(answer.status)
      .headers({ ...answer.headers })
      .send(answer.body ?? undefined);
  });
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
