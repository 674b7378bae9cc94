import { invalidDpop } from './invalid-dpop.ts';

/** RFC 9449 section 4.3, check 12 b: the token's cnf.jkt is the thumbprint of the proof's key. */
export function checkBinding(tokenJkt: string, proofJkt: string): void {
  if (tokenJkt !== proofJkt) {
    throw invalidDpop('the access token is not bound to the DPoP proof key');
  }
}
