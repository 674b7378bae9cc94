import { createPublicKey } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import { rsaMinBits } from '#shared/api/limits.ts';
import { Problem } from '../problem.ts';

/** A key of a client, by its RFC 7638 thumbprint. */
export interface ClientKey {
  readonly kid: string;
  /** The public RSA key. */
  readonly jwk: JWK;
}

/** An organization as a client of the token endpoint. */
export interface Client {
  readonly clientId: string;
  readonly organizationId: string;
  readonly kind: 'insurer' | 'expert';
  /** The number of people in the organization. */
  readonly members: number;
  /** The keys, newest first. A client without keys cannot get a token. */
  readonly keys: readonly ClientKey[];
  /**
   * The generation of the client's tokens: a token of another one is invalid. It is undefined if
   * there are no generations.
   */
  readonly generation?: number | undefined;
}

/** A stored key, whose JWK is JSON. */
export function storedKey(kid: string, publicJwk: string): ClientKey {
  // The cast is safe because `readClientKey` returned the value.
  return { kid, jwk: JSON.parse(publicJwk) as JWK };
}

/**
 * Reads the public key of a client. A private key is refused, because it must not be sent; Node
 * would accept it and derive the public key.
 * @throws {Problem} invalid_request if it is not a public RSA key of at least 2048 bits.
 */
export async function readClientKey(pem: string): Promise<ClientKey> {
  const key = pem.includes('PRIVATE') ? undefined : publicKeyOf(pem);
  const bits = key?.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key?.asymmetricKeyType !== 'rsa' || bits < rsaMinBits) {
    throw unusableKey(`must be the PEM of a public RSA key of at least ${rsaMinBits} bits.`);
  }
  const jwk = await exportJWK(key);
  return { kid: await calculateJwkThumbprint(jwk), jwk };
}

function publicKeyOf(pem: string) {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}

/** The refusal of a key that belongs to another client, or belonged to this one. */
export const knownKey = () => unusableKey('must be a new key.');

function unusableKey(rule: string): Problem {
  return new Problem('invalid_request', 'the key cannot be used', {
    errors: { PublicKeyPem: [rule] },
  });
}
