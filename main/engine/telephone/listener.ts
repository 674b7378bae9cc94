import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { numberBytes, refusals, sessionBytes, telephoneLimits } from '#shared/telephone/limits.ts';
import { isPrivateAddress } from '#shared/telephone/private-network.ts';
import type { TelephonePage } from './page.ts';
import type { SessionAnswer } from './session.ts';

type Answering = (bytes: Uint8Array) => SessionAnswer | Promise<SessionAnswer>;

/** What the listener serves: one page, and three requests with their longest bodies. */
export interface Served {
  readonly page: TelephonePage;
  readonly hello: Answering;
  readonly begin: Answering;
  readonly send: Answering;
  /** Receives an error of the program. */
  readonly onError: (error: unknown) => void;
}

/** A server for telephones on one private address. */
export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

const bodyBytes: Readonly<Record<string, number>> = {
  hello: sessionBytes + numberBytes,
  begin: 1024,
  send: telephoneLimits.requestBytes,
};

const everywhere = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Listens on one private address.
 * @param port 0: the system chooses one
 * @param monotonic milliseconds of a clock that never jumps
 * @throws an error of the system, such as EADDRINUSE or EADDRNOTAVAIL
 */
export async function listenForTelephone(
  { address, port }: { readonly address: string; readonly port: number },
  served: Served,
  monotonic = () => performance.now(),
): Promise<Listener> {
  if (!isPrivateAddress(address)) throw new Error('a telephone is served on private networks only');
  const rates = createRates(monotonic);
  const server = createServer(
    {
      maxHeaderSize: telephoneLimits.headerBytes,
      headersTimeout: 10_000,
      requestTimeout: telephoneLimits.requestMs,
      keepAliveTimeout: 10_000,
      connectionsCheckingInterval: 5000,
      requireHostHeader: true,
    },
    (request, response) => {
      const host = `${address}:${portOf(server.address())}`;
      void answer({ request, response, host, rates, served }).catch((error: unknown) => {
        served.onError(error);
        response.destroy();
      });
    },
  );
  server.maxConnections = telephoneLimits.connections;
  const open = new Map<string, number>();
  server.on('connection', (socket) => boundConnections(open, socket));
  // A request that is no HTTP ends its connection, and nothing else.
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // Such as a connection that the system does not accept because too many files are open.
  server.on('error', served.onError);
  return {
    port: portOf(server.address()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;

/** One address may take only a part of the connections. A public address gets none. */
function boundConnections(open: Map<string, number>, socket: Socket): void {
  const { remoteAddress = '' } = socket;
  const count = (open.get(remoteAddress) ?? 0) + 1;
  if (!isPrivateAddress(remoteAddress) || count > telephoneLimits.connectionsPerAddress) {
    socket.destroy();
    return;
  }
  open.set(remoteAddress, count);
  socket.once('close', () => {
    const left = (open.get(remoteAddress) ?? 1) - 1;
    if (left === 0) open.delete(remoteAddress);
    else open.set(remoteAddress, left);
  });
}

/** Counts the requests of each address in the current second. */
function createRates(monotonic: () => number): (address: string) => boolean {
  let second = 0;
  let counts = new Map<string, number>();
  return (address) => {
    const now = Math.floor(monotonic() / 1000);
    if (now !== second) counts = new Map();
    second = now;
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    return count <= telephoneLimits.requestsPerSecond;
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly host: string;
  readonly rates: (address: string) => boolean;
  readonly served: Served;
}

async function answer({ request, response, host, rates, served }: Exchange): Promise<void> {
  const isWithin = rates(request.socket.remoteAddress ?? '');
  const refusal = isWithin ? refusalOf(request, host) : 429;
  if (refusal !== null) end(response, refusal);
  else if (request.method === 'GET') {
    response.writeHead(200, { ...everywhere, ...served.page.headers }).end(served.page.html);
  } else {
    const body = await bodyOf(request);
    const result = body === null ? 'malformed' : await served[nameOf(request)](body);
    if (typeof result === 'string') end(response, refusals[result]);
    else {
      const type = { 'content-type': 'application/octet-stream' };
      response.writeHead(200, { ...everywhere, ...type }).end(result);
    }
  }
}

const requests = ['hello', 'begin', 'send'] as const;
const nameOf = ({ url }: IncomingMessage) => requests.find((one) => `/${one}` === url) ?? 'hello';

/**
 * The status of a refusal, by the head of a request alone. Another name in `Host` belongs to a site
 * that resolves to this device; a script of another page has another `Origin`.
 */
function refusalOf({ method, url, headers }: IncomingMessage, host: string): number | null {
  if (headers.host !== host) return 421;
  if (method === 'GET') return url === '/' ? null : 404;
  const name = requests.find((one) => `/${one}` === url);
  if (method !== 'POST') return 405;
  if (name === undefined) return 404;
  if (headers.origin !== `http://${host}`) return 403;
  if (headers['content-type'] !== 'application/octet-stream') return 415;
  const length = /^\d{1,9}$/.test(headers['content-length'] ?? '')
    ? Number(headers['content-length'])
    : Number.NaN;
  if (!(length > 0)) return 411;
  return length > (bodyBytes[name] ?? 0) ? 413 : null;
}

/** A refused request's body is not read. */
function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { ...everywhere, connection: 'close' }).end();
  response.once('finish', () => response.socket?.destroySoon());
}

/** The body, whose length its header says; null if it broke off. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | null> {
  const length = Number(request.headers['content-length']);
  const body = new Uint8Array(length);
  let at = 0;
  try {
    for await (const piece of request) {
      // Without an encoding a request gives buffers.
      const bytes = piece as Buffer;
      if (at + bytes.length > length) return null;
      body.set(bytes, at);
      at += bytes.length;
    }
  } catch {
    // The telephone went out of reach. It sends the same again.
    return null;
  }
  return at === length ? body : null;
}
