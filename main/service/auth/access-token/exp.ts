import { invalidToken } from './invalid-token.ts';

/** RFC 9068 section 4: the current time is before exp. No leeway: the clock is the issuer's own. */
export function checkExp(exp: number, nowMs: number): void {
  if (nowMs >= exp * 1000) throw invalidToken('the access token has expired');
}
