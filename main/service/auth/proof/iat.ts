import { proofMaxAgeS, proofMaxAheadS } from '#shared/api/limits.ts';
import { invalidDpop } from './invalid-dpop.ts';

/**
 * RFC 9449 section 4.3, check 11: iat is inside the permitted window, in whole seconds: 60 s old,
 * 10 s ahead.
 */
export function checkIat(iat: unknown, nowMs: number): number {
  if (iat === undefined) throw invalidDpop('the DPoP proof has no iat');
  if (typeof iat !== 'number' || !Number.isFinite(iat)) {
    throw invalidDpop('the iat of the DPoP proof is not a number');
  }
  const ageS = Math.floor(nowMs / 1000) - Math.floor(iat);
  if (ageS > proofMaxAgeS) throw invalidDpop('iat outside the window: the DPoP proof is too old');
  if (-ageS > proofMaxAheadS) {
    throw invalidDpop('iat outside the window: the DPoP proof is ahead of time');
  }
  return iat;
}
