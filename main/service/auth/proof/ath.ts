import { invalidDpop } from './invalid-dpop.ts';

/** RFC 9449 section 4.3, check 12 a: ath is base64url(SHA-256(access token)). */
export function checkAth(ath: unknown, expected: string): void {
  if (ath === undefined) throw invalidDpop('ath mismatch: the DPoP proof has no ath');
  if (ath !== expected) throw invalidDpop('ath mismatch: it is not the hash of the access token');
}
