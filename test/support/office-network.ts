import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { PrivateAuthority } from './private-authority.ts';

/**
 * The network of an office. Its proxy is the only way out and alone knows the partner's name. The
 * partner's certificate comes from the office's own authority.
 */
export interface OfficeNetwork {
  /** The URL of the proxy. */
  readonly proxyUrl: string;
  /**
   * The port of the partner's own server, which has the authority's certificate. A client that
   * knows the port needs no proxy.
   */
  readonly partnerPort: number;
  /**
   * The hosts for which the proxy was asked, with or without a tunnel. `refused` stands before
   * requests without sign-in.
   */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

export interface OfficeNetworkOptions {
  readonly authority: PrivateAuthority;
  /** The partner's host name, reached at port 443. */
  readonly host: string;
  /** Returns the port to which the partner's requests are forwarded. */
  readonly port: () => number;
  /** The Basic credentials that the proxy demands. */
  readonly signIn?: { readonly user: string; readonly password: string };
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function listen<T extends Server>(server: T): Promise<T> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export async function startOfficeNetwork(options: OfficeNetworkOptions): Promise<OfficeNetwork> {
  const front = await listen(createSecureServer(options.authority.sign(options.host)));
  front.on('request', (incoming: IncomingMessage, answer) => {
    const { method, url: path, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port: options.port(), method, path, headers });
    onward.on('response', (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers);
      came.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  const asked: string[] = [];
  const proxy = await listen(startProxy(options, portOf(front), asked));
  return {
    proxyUrl: `http://127.0.0.1:${String(portOf(proxy))}`,
    partnerPort: portOf(front),
    asked,
    async stop() {
      for (const server of [proxy, front]) {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }
    },
  };
}

function startProxy({ host, signIn }: OfficeNetworkOptions, port: number, asked: string[]): Server {
  const sockets = new Set<{ destroy(): unknown }>();
  const expected =
    signIn && `Basic ${Buffer.from(`${signIn.user}:${signIn.password}`).toString('base64')}`;
  const server = createServer((incoming, answer) => {
    // A request without a tunnel names its whole address.
    asked.push(URL.parse(incoming.url ?? '')?.host ?? '');
    answer.writeHead(403).end();
  });
  server.on('connect', (incoming, socket, head: Buffer) => {
    const isAllowed = !expected || incoming.headers['proxy-authorization'] === expected;
    asked.push(isAllowed ? (incoming.url ?? '') : `refused ${incoming.url ?? ''}`);
    if (!isAllowed) {
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\n' +
          'Proxy-Authenticate: Basic realm="office"\r\nContent-Length: 0\r\n\r\n',
      );
      return;
    }
    if (incoming.url !== `${host}:443`) {
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on('error', () => undefined).on('close', () => sockets.delete(each));
    }
    onward.on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  server.on('close', () => sockets.forEach((socket) => socket.destroy()));
  return server;
}
