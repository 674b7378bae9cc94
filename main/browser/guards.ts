import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createHash, randomBytes } from 'node:crypto';
import { contentSecurityPolicy } from '#main/shell/content-security-policy.ts';

/**
 * Whether a request comes from the desk's own page, by the address on which the desk listens.
 * A name other than the address in `Host` is another site that resolves to this machine (DNS
 * rebinding). Browsers send `Origin` on every WebSocket and on everything but GET and HEAD; a
 * request without it there is not the page's.
 *
 * @param authority host and port exactly as the desk printed them
 * @returns why it is refused, or null
 */
export function refusalOf(
  { method = '', url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  authority: string,
): 'host' | 'origin' | 'site' | null {
  if (headers.host !== authority) return 'host';
  const needsOrigin = headers.upgrade !== undefined || !['GET', 'HEAD'].includes(method);
  const isOwn = headers.origin === `http://${authority}`;
  if (headers.origin === undefined ? needsOrigin : !isOwn) return 'origin';
  // Fetch metadata; a browser that sends none is judged by the two above.
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return null;
  // The file through which the desk is opened leads here as a link on any page would. The page
  // itself contains no data.
  const isOpening =
    method === 'GET' &&
    url?.split('?')[0] === '/' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document';
  return isOpening ? null : 'site';
}

/** Headers of every answer. */
export function securityHeaders(authority: string, path: string): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy({ connect: `ws://${authority}` }, path),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cache-control': 'no-store',
  };
}

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
 * Whether the program at the other end of a loopback connection may be another user's. Linux shows
 * whose it is, and whom its tables do not name counts as another. macOS and Windows do not say;
 * there the token alone decides, which no program's arguments contain.
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

/** An address for a tag is asked for at once, or after a document was dragged somewhere. */
const ticketLifeMs = 60_000;
/** More than the user has under way in a minute. */
const ticketsMax = 200;

/** The secrets of one run of the browser shell. No cookie: every port of 127.0.0.1 would get it. */
export interface Session {
  /** A token that serves once, for the fragment of an address, which no browser sends. */
  invite(): string;
  /** What the page that brings an unused token proves itself with from now on; null for any other. */
  exchange(token: string): string | null;
  isValid(secret: string | undefined): boolean;
  /** Lets this path be asked for with this ticket instead, once and within a minute. */
  admit(ticket: string, path: string): void;
  isAdmitted(ticket: string, path: string): boolean;
}

export function createSession(now: () => number = () => performance.now()): Session {
  const secret = createSecret();
  const tokens = new Set<string>();
  const tickets = new Map<string, number>();
  return {
    invite() {
      const { text: token } = createSecret();
      tokens.add(digestOf(token));
      return token;
    },
    exchange: (token) => (tokens.delete(digestOf(token)) ? secret.text : null),
    isValid: secret.isSame,
    admit(ticket, path) {
      for (const [oldest, until] of tickets)
        if (until < now() || tickets.size >= ticketsMax) tickets.delete(oldest);
      tickets.set(digestOf(`${ticket} ${path}`), now() + ticketLifeMs);
    },
    isAdmitted(ticket, path) {
      const digest = digestOf(`${ticket} ${path}`);
      const until = tickets.get(digest);
      tickets.delete(digest);
      return until !== undefined && until >= now();
    },
  };
}

export interface Secret {
  readonly text: string;
  readonly isSame: (candidate: string | undefined) => boolean;
}

/** 256 random bits. Compared by digests, so that the time does not show where two differ. */
export function createSecret(): Secret {
  const text = randomBytes(32).toString('base64url');
  const proof = digestOf(text);
  return {
    text,
    isSame: (candidate) => candidate !== undefined && digestOf(candidate) === proof,
  };
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');
