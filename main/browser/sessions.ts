import { createHash, createHmac, randomBytes } from 'node:crypto';
import { nameOfSecret, type Sign } from '#shared/desk/contract/page-proof.ts';

/**
 * The lifetime of a ticket. Another program requests its address as soon as a document is dropped
 * on it.
 */
const ticketLifeMs = 60_000;
/** The most tickets at the same time. A user does not need more within a minute. */
const ticketsMax = 200;
/**
 * The time after which a session without a connection ends. A reloaded page returns immediately,
 * but a hidden window may take a minute.
 */
const idleMs = 180_000;

/** HMAC-SHA-256 as both ends of a line use it. */
export const sign = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url') satisfies Awaited<ReturnType<Sign>>;

/** 256 random bits, as base64url. */
export const createSecret = (): string => randomBytes(32).toString('base64url');

/**
 * The secrets of one run of the browser shell. No secret is sent: each end proves that it knows the
 * secret (shared/desk/contract/page-proof.ts).
 */
export interface Sessions {
  /**
   * Creates a secret that is valid once, for the fragment of an address, which no browser sends.
   */
  invite(): string;
  /** Returns the secret of an invitation or session by its name; null if there is none. */
  readonly secretOf: (name: string) => string | null;
  /**
   * Registers a connection on which the page has proved itself. With an invitation, the session of
   * `next` begins.
   * @returns null if another connection has used the invitation in the meantime
   */
  join(name: string, next: string): SessionLine | null;
  /**
   * Whether this path may be requested with this ticket, which is once and while its session is
   * connected.
   */
  isAdmitted(ticket: string, path: string): boolean;
}

export interface SessionLine {
  /** Whether its page came with an invitation. */
  readonly isFirst: boolean;
  /** Allows one request of this path with this ticket within a minute. */
  admit(ticket: string, path: string): void;
  /** Closes the connection. A session without a connection ends after three minutes. */
  readonly close: () => void;
}

interface SessionState {
  readonly secret: string;
  lines: number;
  idleSince: number;
}

export function createSessions(now: () => number = () => performance.now()): Sessions {
  const invitations = new Map<string, string>();
  const sessions = new Map<string, SessionState>();
  const tickets = new Map<string, { readonly until: number; readonly session: SessionState }>();
  const isOver = ({ lines, idleSince }: SessionState) => lines === 0 && idleSince + idleMs < now();

  function sessionOf(name: string): SessionState | null {
    for (const [other, session] of sessions) if (isOver(session)) sessions.delete(other);
    return sessions.get(name) ?? null;
  }
  return {
    invite() {
      const token = createSecret();
      invitations.set(nameOf(token), token);
      return token;
    },
    secretOf: (name) => invitations.get(name) ?? sessionOf(name)?.secret ?? null,
    join(name, next) {
      const isNew = invitations.delete(name);
      if (isNew) sessions.set(nameOf(next), { secret: next, lines: 0, idleSince: now() });
      const session = sessionOf(isNew ? nameOf(next) : name);
      if (!session) return null;
      session.lines += 1;
      return {
        isFirst: isNew,
        admit(ticket, path) {
          for (const [oldest, { until }] of tickets)
            if (until < now() || tickets.size >= ticketsMax) tickets.delete(oldest);
          tickets.set(digestOf(ticket, path), { until: now() + ticketLifeMs, session });
        },
        close() {
          session.lines -= 1;
          session.idleSince = now();
        },
      };
    },
    isAdmitted(ticket, path) {
      const digest = digestOf(ticket, path);
      const found = tickets.get(digest);
      tickets.delete(digest);
      return found !== undefined && found.until >= now() && found.session.lines > 0;
    },
  };
}

// The cast is safe because Node signs synchronously, so the result is a string.
export const nameOf = (secret: string): string => nameOfSecret(sign, secret) as string;

const digestOf = (ticket: string, path: string): string =>
  createHash('sha256').update(`${ticket} ${path}`).digest('base64');
