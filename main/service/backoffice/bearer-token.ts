import { createHash, timingSafeEqual } from 'node:crypto';
import { Problem } from '../front/problem.ts';

/**
 * Checks the back office's token (RFC 6750, 2.1), in a time that does not tell how much of it was
 * right.
 * @throws {Problem} unauthorized
 */
export function assertBearerToken(authorization: string | undefined, token: string): void {
  const given = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1] ?? '';
  // Hashed, because only texts of one length can be compared that way.
  if (!timingSafeEqual(sha256(given), sha256(token))) {
    throw new Problem('unauthorized', 'The back office needs its own token.', {
      // RFC 9110 section 11.6.1: on every 401.
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
