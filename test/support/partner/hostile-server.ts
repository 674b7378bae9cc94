import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  decodeJwt,
  decodeProtectedHeader,
  type JWTPayload,
  type ProtectedHeaderParameters,
} from 'jose';

interface SeenRequest {
  readonly method: string;
  /** The path and the query, verbatim. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly proof: JWTPayload & { htu?: string; htm?: string; ath?: string; nonce?: string };
  readonly proofHeader: ProtectedHeaderParameters;
}

/** Answers one request, or misbehaves in another way. */
export type Handler = (
  response: ServerResponse,
  request: SeenRequest,
  incoming: IncomingMessage,
) => void | Promise<void>;

/** A small server that misbehaves as the test demands. Only its token endpoint works correctly. */
export interface HostileServer {
  readonly baseUrl: string;
  /** All requests except those for tokens. */
  readonly seen: SeenRequest[];
  readonly tokenRequests: SeenRequest[];
  /** Handles every request for which no handler is queued. */
  always: Handler;
  /** Queues handlers for the next requests, each for one. */
  next(...handlers: Handler[]): void;
  token: Handler;
  /** Answers requests without a proof, which are not in `seen`. */
  plain: (response: ServerResponse) => void;
  /** Returns the time of the server's Date headers. */
  now: () => number;
  stop(): Promise<void>;
}

export const json =
  (status: number, value: unknown, headers: Record<string, string> = {}): Handler =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };

export const problem = (
  status: number,
  title: string,
  headers: Record<string, string> = {},
  more: Record<string, unknown> = {},
): Handler =>
  json(
    status,
    { type: 'about:blank', title, status, detail: `detail of ${title}`, instance: 'c-1', ...more },
    { 'content-type': 'application/problem+json', ...headers },
  );

export const loginPage = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end('<!doctype html><title>Wi-Fi</title>Please log in');
};

export const redirect =
  (location: string): Handler =>
  (response) => {
    response.writeHead(302, { location }).end();
  };

/** Closes the connection without any byte of an answer. */
export const reset: Handler = (_, __, incoming) => {
  incoming.socket.destroy();
};

export const emptyPage = { Total: 0, Page: 1, Size: 50, Items: [] };

let tokens = 0;
export const grant = (members: Record<string, unknown> = {}): Handler =>
  json(200, { access_token: `token-${++tokens}`, token_type: 'DPoP', expires_in: 300, ...members });

export async function startHostileServer(
  create: (
    listener: (request: IncomingMessage, response: ServerResponse) => void,
  ) => Server = createServer,
): Promise<HostileServer> {
  const queued: Handler[] = [];
  const server = create((incoming, response) => {
    response.setHeader('date', new Date(hostile.now()).toUTCString());
    void (async () => {
      const pieces: Buffer[] = [];
      try {
        for await (const piece of incoming as AsyncIterable<Buffer>) pieces.push(piece);
      } catch {
        // The client has given up. The received part is still recorded.
      }
      const proof = incoming.headers['dpop'];
      if (typeof proof !== 'string') {
        hostile.plain(response);
        return;
      }
      const request: SeenRequest = {
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(pieces),
        proof: decodeJwt(proof),
        proofHeader: decodeProtectedHeader(proof),
      };
      if (request.url.endsWith('/oauth/token')) {
        hostile.tokenRequests.push(request);
        await hostile.token(response, request, incoming);
      } else {
        hostile.seen.push(request);
        await (queued.shift() ?? hostile.always)(response, request, incoming);
      }
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const hostile: HostileServer = {
    baseUrl: `http://127.0.0.1:${port}`,
    seen: [],
    tokenRequests: [],
    always: json(200, emptyPage),
    token: (...args) => grant()(...args),
    next: (...handlers) => {
      queued.push(...handlers);
    },
    plain(response) {
      response.writeHead(401, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ title: 'unauthorized', status: 401 }));
    },
    now: () => Date.now(),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return hostile;
}
