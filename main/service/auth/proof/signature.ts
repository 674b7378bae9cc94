import { isSignedBy, type Es256Key } from '../jws.ts';
import type { CompactJwt } from '../jwt.ts';
import { invalidDpop } from './invalid-dpop.ts';

/** RFC 9449 section 4.3, check 6: the signature verifies with the key in jwk. */
export function checkSignature(proof: CompactJwt, key: Es256Key): void {
  if (!isSignedBy(proof, key)) throw invalidDpop('the signature of the DPoP proof is wrong');
}
