import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The kernel's tables of TCP connections, proc(5): IPv4, and IPv4 through an IPv6 socket. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'];
const known = new WeakMap<Socket, boolean>();

/**
 * Whether the program at the other end of a loopback connection runs as another user of this
 * machine. Linux says so; elsewhere, and where it does not, nobody is refused by this: the token is
 * needed in any case, but a token can be seen among the arguments of a browser (ps).
 *
 * @param uid of this process
 */
export function isOtherUser(socket: Socket, uid: number | undefined): boolean {
  const before = known.get(socket);
  if (before !== undefined) return before;
  const { localPort, remotePort } = socket;
  if (uid === undefined || localPort === undefined || remotePort === undefined) return false;
  const peer = tables
    .map((path) => userOf(tableOf(path), remotePort, localPort))
    .find((found) => found !== null);
  const isOther = peer !== undefined && peer !== uid;
  known.set(socket, isOther);
  return isOther;
}

/**
 * @param from port of the connection's end whose user is asked for
 * @param to port of its other end
 * @returns its user's number, null where the table has no such connection
 */
export function userOf(table: string, from: number, to: number): number | null {
  const port = (number: number) => `:${number.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of table.split('\n')) {
    // The number of the line, both addresses in hexadecimal, state, queues, timers, the user.
    const [, local, remote, , , , , user] = line.trim().split(/\s+/);
    if (local?.endsWith(port(from)) && remote?.endsWith(port(to))) return Number(user);
  }
  return null;
}

function tableOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
