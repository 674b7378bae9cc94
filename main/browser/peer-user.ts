import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The kernel's tables of TCP connections, proc(5): IPv4, and IPv4 through an IPv6 socket. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'];
const known = new WeakMap<Socket, boolean>();

/** Both ends of a connection as one of them sees it. */
export interface Ends {
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
}

/**
 * Whether the program at the other end of a loopback connection may be another user's. Linux says
 * whose it is, and whom its tables do not name counts as another. macOS and Windows do not say;
 * there the token alone decides, which no program's arguments hold.
 */
export function isOtherUser(socket: Socket, platform: NodeJS.Platform = process.platform): boolean {
  if (platform !== 'linux') return false;
  const before = known.get(socket);
  if (before !== undefined) return before;
  const isOther = peerOf(socket) !== process.getuid?.();
  known.set(socket, isOther);
  return isOther;
}

function peerOf(socket: Socket): number | null {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  if (!localAddress || !localPort || !remoteAddress || !remotePort) return null;
  const ends = { localAddress, localPort, remoteAddress, remotePort };
  return tables.map((path) => peerIn(tableOf(path), ends)).find((found) => found !== null) ?? null;
}

/** @returns the number of the user at the other end, null if the table has no such connection */
export function peerIn(table: string, ends: Ends): number | null {
  // What is remote to us is local to the other end.
  const wanted = [
    endpoint(ends.remoteAddress, ends.remotePort),
    endpoint(ends.localAddress, ends.localPort),
  ];
  for (const line of table.split('\n')) {
    // The number of the line, both ends in hexadecimal, state, queues, timers, the user.
    const [, local = '', remote = '', , , , , user] = line.trim().split(/\s+/);
    if (ipv4(local) === wanted[0] && ipv4(remote) === wanted[1]) return Number(user);
  }
  return null;
}

/** As the kernel writes it on the processors that Node has: the address's bytes from the last. */
function endpoint(address: string, port: number): string {
  const hex = (number: number, digits: number) =>
    number.toString(16).toUpperCase().padStart(digits, '0');
  const bytes = address.replace(/^::ffff:/, '').split('.');
  return `${bytes
    .map((byte) => hex(Number(byte), 2))
    .toReversed()
    .join('')}:${hex(port, 4)}`;
}

/** An IPv4 address of an IPv6 socket as an IPv4 socket has it. */
const ipv4 = (end: string): string => end.replace(/^0{16}FFFF0000/, '');

function tableOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
