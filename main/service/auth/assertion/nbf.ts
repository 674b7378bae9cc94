import { assertionLeewayS } from '#shared/api/limits.ts';
import { invalidClient } from './invalid-client.ts';

/** RFC 7523 section 3, rule 5: not before nbf where there is one, with 60 s of leeway. */
export function checkNbf(nbf: unknown, nowMs: number): void {
  if (nbf === undefined) return;
  if (typeof nbf !== 'number' || !Number.isFinite(nbf)) {
    throw invalidClient('the nbf of the client assertion is not a number');
  }
  if (nowMs < (nbf - assertionLeewayS) * 1000) {
    throw invalidClient('the client assertion is not valid yet');
  }
}
