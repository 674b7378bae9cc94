import { assertionLeewayS } from '#shared/api/limits.ts';
import { invalidClient } from './invalid-client.ts';

/** RFC 7523 section 3, rule 4: exp is there and not past, with 60 s of leeway. */
export function checkExp(exp: unknown, nowMs: number): number {
  if (typeof exp !== 'number' || !Number.isFinite(exp)) {
    throw invalidClient('the client assertion has no exp');
  }
  if (nowMs >= (exp + assertionLeewayS) * 1000) {
    throw invalidClient('the client assertion has expired');
  }
  return exp;
}
