import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { Kysely } from 'kysely';
import { rsaMinBits } from '#shared/api/limits.ts';
import { Problem } from '../front/problem.ts';
import type { Database } from '../store/tables.ts';

const generateKeyPairAsync = promisify(generateKeyPair);

/** A new RSA key pair; the private key, PKCS#8, is kept nowhere. */
export async function generateClientKey(): Promise<{
  readonly publicKey: KeyObject;
  readonly privateKeyPem: string;
}> {
  const { publicKey, privateKey } = await generateKeyPairAsync('rsa', {
    modulusLength: rsaMinBits,
  });
  return {
    publicKey,
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/**
 * Registers one more public key of an organization, as PEM or key object.
 * @returns the key's kid.
 * @throws {Problem} invalid_request where it is not a public RSA key of at least 2048 bits, or is
 *   registered already, for whomever.
 */
export async function registerKey(
  db: Kysely<Database>,
  organizationId: string,
  key: KeyObject | string,
  nowMs: number,
): Promise<string> {
  const publicKey = typeof key === 'string' ? parsePublicKey(key) : key;
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (publicKey.asymmetricKeyType !== 'rsa' || bits < rsaMinBits) throw unusableKey();
  // The cast names what the export of an RSA key is; Node types it more loosely.
  const jwk = publicKey.export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  const inserted = await db
    .insertInto('client_keys')
    .values({
      kid,
      organization_id: organizationId,
      public_jwk: JSON.stringify(jwk),
      created_at: nowMs,
    })
    .onConflict((conflict) => conflict.column('kid').doNothing())
    .returning('kid')
    .executeTakeFirst();
  if (!inserted) {
    throw new Problem('invalid_request', 'the key is registered already', {
      errors: { PublicKeyPem: ['must be a new key.'] },
    });
  }
  return kid;
}

/**
 * Removes a key: no assertion that it signs is accepted from now on. Access tokens that were
 * issued by it run out by themselves, after 300 s at most.
 * @throws {Problem} not_found
 */
export async function removeKey(
  db: Kysely<Database>,
  organizationId: string,
  kid: string,
): Promise<void> {
  const removed = await db
    .deleteFrom('client_keys')
    .where('organization_id', '=', organizationId)
    .where('kid', '=', kid)
    .returning('kid')
    .executeTakeFirst();
  if (!removed) throw new Problem('not_found', 'The organization has no such key.');
}

/** A private key is refused, although its public key could be had from it: it must not travel. */
function parsePublicKey(pem: string): KeyObject {
  if (pem.includes('PRIVATE')) throw unusableKey();
  try {
    return createPublicKey(pem);
  } catch {
    throw unusableKey();
  }
}

function unusableKey(): Problem {
  return new Problem('invalid_request', 'a key must be RSA with at least 2048 bits', {
    errors: { PublicKeyPem: ['must be the PEM of a public RSA key of at least 2048 bits.'] },
  });
}
