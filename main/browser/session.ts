import { createHash, randomBytes } from 'node:crypto';

/** An address for a tag is asked for at once, or after a document was dragged somewhere. */
const ticketLifeMs = 60_000;
/** More than a person has under way in a minute. */
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

/** 256 random bits. Compared by digests, so that the time tells nothing about where two differ. */
export function createSecret(): Secret {
  const text = randomBytes(32).toString('base64url');
  const proof = digestOf(text);
  return {
    text,
    isSame: (candidate) => candidate !== undefined && digestOf(candidate) === proof,
  };
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');
