import { assertionLeewayS } from '#shared/api/limits.ts';
import { invalidClient } from './invalid-client.ts';

/** RFC 7523 section 3, rule 6: iat is there and not ahead of time, with 60 s of leeway. */
export function checkIat(iat: unknown, nowMs: number): number {
  if (typeof iat !== 'number' || !Number.isFinite(iat)) {
    throw invalidClient('the client assertion has no iat');
  }
  if (nowMs < (iat - assertionLeewayS) * 1000) {
    throw invalidClient('the iat of the client assertion is ahead of time');
  }
  return iat;
}
