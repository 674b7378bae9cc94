import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/**
 * The kernel's tables of TCP connections (proc(5)), for IPv4 and for IPv4 through an IPv6 socket.
 */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'];
const known = new WeakMap<Socket, boolean>();

/** Both ends of a connection as one of them sees them. */
export interface Ends {
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
}

/**
 * Whether the program at the other end of a loopback connection may belong to another user. On
 * Linux the kernel's tables contain the user, and a missing entry counts as another user. macOS and
 * Windows do not provide this; there only the token decides, which is in no program's arguments.
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

/** @returns the id of the user at the other end; null if the table has no such connection */
export function peerIn(table: string, ends: Ends): number | null {
  // The end that is remote for this process is local for the other one.
  const wanted = [
    endpoint(ends.remoteAddress, ends.remotePort),
    endpoint(ends.localAddress, ends.localPort),
  ];
  for (const line of table.split('\n')) {
    // The columns are the number of the line, both ends in hexadecimal, state, queues, timers, the
    // user.
    const [, local = '', remote = '', , , , , user] = line.trim().split(/\s+/);
    if (ipv4(local) === wanted[0] && ipv4(remote) === wanted[1]) return Number(user);
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

/** Converts an IPv4 address of an IPv6 socket to the form of an IPv4 socket. */
const ipv4 = (end: string): string => end.replace(/^0{16}FFFF0000/, '');

function tableOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
