import { invalidDpop } from './invalid-dpop.ts';

/** RFC 9449 section 4.3, check 5; specification, "DPoP proof": signed ES256, nothing else. */
export function checkAlg(alg: unknown): void {
  if (alg !== 'ES256') throw invalidDpop('the alg of the DPoP proof is not ES256');
}
