import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { Kysely } from 'kysely';
import { rsaMinBits } from '#shared/api/limits.ts';
import type { ServiceContext } from '../context.ts';
import { Problem } from '../problem.ts';
import type { Database } from '../store/tables.ts';

export interface NewOrganization {
  readonly kind: 'insurer' | 'expert';
  readonly name: string;
  /** People in the organization. */
  readonly members: number;
  readonly responsible: { readonly name: string; readonly email: string; readonly phone: string };
}

/** What an organization needs to reach the service; the private key is kept nowhere else. */
export interface OrganizationCredentials {
  readonly organizationId: string;
  readonly clientId: string;
  /** RSA, PKCS#8. */
  readonly privateKeyPem: string;
}

const generateKeyPairAsync = promisify(generateKeyPair);

/** Adds an organization with a client id and its first key. */
export async function registerOrganization(
  { db, clock, newId }: Pick<ServiceContext, 'db' | 'clock' | 'newId'>,
  organization: NewOrganization,
): Promise<OrganizationCredentials> {
  const { publicKey, privateKey } = await generateKeyPairAsync('rsa', {
    modulusLength: rsaMinBits,
  });
  const organizationId = newId();
  const clientId = `${organization.kind}-${newId()}`;
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('organizations')
      .values({
        id: organizationId,
        kind: organization.kind,
        name: organization.name,
        responsible_name: organization.responsible.name,
        responsible_email: organization.responsible.email,
        responsible_phone: organization.responsible.phone,
        members: organization.members,
        client_id: clientId,
        created_at: clock.now(),
      })
      .execute();
    await registerKey(transaction, organizationId, publicKey, clock.now());
  });
  return {
    organizationId,
    clientId,
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/**
 * Registers one more public key of an organization, as PEM or key object.
 * @returns the key's kid.
 * @throws {Problem} invalid_request where it is not an RSA key of at least 2048 bits.
 */
export async function registerKey(
  db: Kysely<Database>,
  organizationId: string,
  key: KeyObject | string,
  nowMs: number,
): Promise<string> {
  const publicKey = typeof key === 'string' ? createPublicKey(key) : key;
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0;
  if (publicKey.asymmetricKeyType !== 'rsa' || bits < rsaMinBits) {
    throw new Problem('invalid_request', 'a key must be RSA with at least 2048 bits');
  }
  // The cast names what the export of an RSA key is; Node types it more loosely.
  const jwk = publicKey.export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(jwk);
  await db
    .insertInto('client_keys')
    .values({
      kid,
      organization_id: organizationId,
      public_jwk: JSON.stringify(jwk),
      created_at: nowMs,
    })
    .execute();
  return kid;
}
