import { importJWK, type CryptoKey, type JWK } from 'jose';

/**
 * Imports an asymmetric key.
 * @throws where the JWK is not a key for the algorithm.
 */
export async function importKey(jwk: JWK, alg: 'ES256' | 'RS256'): Promise<CryptoKey> {
  const key = await importJWK(jwk, alg);
  if (key instanceof Uint8Array) throw new TypeError('the key is symmetric');
  return key;
}
