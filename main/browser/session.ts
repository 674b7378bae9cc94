import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The secret of one start of the browser shell, in its two forms. */
export interface Session {
  /** In the fragment of the address that is printed; a fragment is never sent by a browser. */
  readonly token: string;
  readonly cookieName: string;
  /** The cookie for the right token, or null. */
  exchange(token: string): string | null;
  isValid(cookie: string | undefined): boolean;
}

/**
 * A new session with 256 random bits for the token and as many for the cookie. Cookies do not know
 * ports, so the port is in the cookie's name and two desks do not overwrite each other's.
 */
export function createSession(port: number): Session {
  const token = randomBytes(32).toString('base64url');
  const secret = randomBytes(32).toString('base64url');
  return {
    token,
    cookieName: `desk-session-${String(port)}`,
    exchange: (candidate) => (isSame(candidate, token) ? secret : null),
    isValid: (cookie) => cookie !== undefined && isSame(cookie, secret),
  };
}

/** Compares digests of equal length, so that the time tells nothing about where they differ. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
