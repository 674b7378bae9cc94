import { readFile } from 'node:fs/promises';
import type { Server, Socket } from 'node:net';

/**
 * The kernel's tables of TCP connections (proc(5)), for IPv4 and for IPv4 through an IPv6 socket.
 */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

/** The most connections whose users are looked up in one reading of the tables. */
const batchMax = 10;

/**
 * Shows a server only connections of this user's programs. On Linux the kernel's tables contain the
 * user, and a missing entry counts as another user. macOS and Windows do not provide this; there
 * only the token decides, which is in no program's arguments.
 *
 * Another user can connect again and again, and can make the tables long. So the tables are read
 * outside of this thread, once for several connections.
 */
export function admitOwnUser(server: Server, platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'linux') return;
  const serve = server.listeners('connection');
  server.removeAllListeners('connection');
  const waiting: Socket[] = [];
  let isDeciding = false;

  async function decide(): Promise<void> {
    isDeciding = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax);
      const texts = await Promise.all(tables.map(tableOf));
      for (const socket of batch) {
        socket.off('error', ignore);
        // The server would wait for an end that it has missed.
        if (socket.readableEnded) socket.destroy();
        else if (isOwn(texts, socket)) for (const each of serve) each.call(server, socket);
        else refuse(socket);
      }
    }
    isDeciding = false;
  }
  server.on('connection', (socket: Socket) => {
    // A connection may break while it waits.
    socket.on('error', ignore);
    waiting.push(socket);
    if (!isDeciding) void decide();
  });
}

const ignore = () => undefined;

function refuse(socket: Socket): void {
  socket.on('error', ignore);
  socket.write('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  // Without this the other end could leave the connection open.
  socket.destroySoon();
}

/** Both ends of a connection as one of them sees them. */
export interface Ends {
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
}

function isOwn(texts: readonly string[], socket: Socket): boolean {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  if (!localAddress || !localPort || !remoteAddress || !remotePort) return false;
  const ends = { localAddress, localPort, remoteAddress, remotePort };
  return texts.some((text) => peerIn(text, ends) === process.getuid?.());
}

/** @returns the id of the user at the other end; null if the table has no such connection */
export function peerIn(table: string, ends: Ends): number | null {
  // The end that is remote for this process is local for the other one.
  const local = endpoint(ends.remoteAddress, ends.remotePort);
  const remote = endpoint(ends.localAddress, ends.localPort);
  for (const prefix of ['', fourInSixth]) {
    const at = table.indexOf(` ${prefix}${local} ${prefix}${remote} `);
    if (at < 0) continue;
    // The columns are both ends in hexadecimal, state, queues, timers, retransmissions, the user.
    const [, , , , , , user] = table.slice(at + 1, table.indexOf('\n', at)).split(/\s+/);
    return Number(user);
  }
  return null;
}

/**
 * An address in the kernel's form on the processors that Node supports: the bytes in reverse order.
 */
function endpoint(address: string, port: number): string {
  const hex = (number: number, digits: number) =>
    number.toString(16).toUpperCase().padStart(digits, '0');
  if (address === '::1') return `${loopback6}:${hex(port, 4)}`;
  const bytes = address.replace(/^::ffff:/, '').split('.');
  return `${bytes
    .map((byte) => hex(Number(byte), 2))
    .toReversed()
    .join('')}:${hex(port, 4)}`;
}

/** The address ::1 as four words with the bytes of each in reverse order. */
const loopback6 = '00000000000000000000000001000000';
/** What precedes an IPv4 address in the table of an IPv6 socket. */
const fourInSixth = '0000000000000000FFFF0000';

async function tableOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch {
    // A machine without IPv6 has one table.
    return '';
  }
}
