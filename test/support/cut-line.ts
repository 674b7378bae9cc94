import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/**
 * What a line does with connections.
 * - `open`: it passes bytes on
 * - `refused`: it ends every connection, like a stopped server
 * - `silent`: it accepts connections and passes nothing on, like a broken network
 */
export type LineState = 'open' | 'refused' | 'silent';

/** A line in front of a real server, which a test can cut and restore. */
export interface CutLine {
  /** The port, or 0 if the line listens on a socket in a folder. */
  readonly port: number;
  /** The number of connections that the line has refused or left without an answer. */
  readonly refused: number;
  /** The number of open connections on the client side. */
  readonly connections: number;
  set(state: LineState): void;
  stop(): Promise<void>;
}

/** @param at the path of a socket. Without it the line uses a free port of this machine. */
export async function startCutLine(target: NetConnectOpts, at?: string): Promise<CutLine> {
  let state: LineState = 'open';
  let refused = 0;
  /** Maps each client's socket to its socket at the server. */
  const pairs = new Map<Socket, Socket | undefined>();
  const server: Server = createServer((client) => {
    // Tests break connections on purpose, so their errors are ignored.
    client.on('error', () => undefined);
    if (state !== 'open') refused += 1;
    if (state === 'refused') {
      client.destroy();
      return;
    }
    pairs.set(client, state === 'open' ? join(client) : undefined);
    client.once('close', () => {
      pairs.get(client)?.destroy();
      pairs.delete(client);
    });
    if (state === 'silent') client.resume();
  });

  function join(client: Socket): Socket {
    const other = connect(target);
    other.on('error', () => client.destroy());
    client.pipe(other).pipe(client);
    other.once('close', () => client.destroy());
    return other;
  }

  if (at === undefined) server.listen(0, '127.0.0.1');
  else server.listen(at);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    get refused() {
      return refused;
    },
    get connections() {
      return pairs.size;
    },
    set(next) {
      state = next;
      for (const [client, other] of pairs) {
        // Silent connections have lost bytes, so they cannot continue.
        if (next !== 'silent') client.destroy();
        else if (other) {
          client.unpipe(other).resume();
          other.unpipe(client).resume();
        }
      }
    },
    async stop() {
      for (const client of pairs.keys()) client.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The file name of the socket that PostgreSQL's clients expect in a folder. */
export const postgresSocketName = '.s.PGSQL.5432';
