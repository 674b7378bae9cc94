import { createPublicKey, type KeyObject } from 'node:crypto';

/**
 * Imports a public key from its JWK (RFC 7517).
 * @throws where it is none, such as a point that is not on its curve.
 */
export function importPublicKey(jwk: Readonly<Record<string, unknown>>): KeyObject {
  return createPublicKey({ key: { ...jwk }, format: 'jwk' });
}
