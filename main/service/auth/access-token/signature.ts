import { isSignedBy } from '../jws.ts';
import type { CompactJwt } from '../jwt.ts';
import { invalidToken } from './invalid-token.ts';
import type { SigningKey } from './signing-key.ts';

/** RFC 9068 section 4: the token is signed by this service, with ES256. */
export function checkSignature(token: CompactJwt, key: SigningKey): void {
  if (token.header['alg'] !== 'ES256' || !isSignedBy(token, key.publicKey)) {
    throw invalidToken('the access token is not signed by this service');
  }
}
