import { isSignedBy } from '../jws.ts';
import type { CompactJwt } from '../jwt.ts';
import type { ClientKey } from './client-keys.ts';
import { invalidClient } from './invalid-client.ts';

/** RFC 7523 section 3, rule 9: the signature verifies with one of the client's keys. */
export function checkSignature(assertion: CompactJwt, keys: readonly ClientKey[]): void {
  if (keys.some(({ key }) => isSignedBy(assertion, key))) return;
  throw invalidClient('the client assertion is not signed by a key of the organization');
}
