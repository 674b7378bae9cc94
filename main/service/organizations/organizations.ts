import { generateKeyPair, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Kysely } from 'kysely';
import { rsaMinBits } from '#shared/api/limits.ts';
import type { OperationContext } from '../../front/context.ts';
import { knownKey, readClientKey, storedKey, type Client } from '../../front/auth/clients.ts';
import { Problem } from '../../front/problem.ts';
import type { Database } from '../store/tables.ts';

const generateKeyPairAsync = promisify(generateKeyPair);

export interface NewOrganization {
  readonly kind: 'insurer' | 'expert';
  readonly name: string;
  /** People in the organization. */
  readonly members: number;
  readonly responsible: { readonly name: string; readonly email: string; readonly phone: string };
}

/** How an organization reaches the service. */
export interface OrganizationCredentials {
  readonly organizationId: string;
  readonly clientId: string;
  /** RSA, PKCS#8; the service does not store it. */
  readonly privateKeyPem: string;
}

/** Adds an organization with a client id and its first key. */
export async function registerOrganization(
  { db, clock }: Pick<OperationContext<Database>, 'db' | 'clock'>,
  organization: NewOrganization,
): Promise<OrganizationCredentials> {
  const { publicKey, privateKey: privateKeyPem } = await generateClientKey();
  const organizationId = randomUUID();
  const clientId = `${organization.kind}-${randomUUID()}`;
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
  return { organizationId, clientId, privateKeyPem };
}

/** @throws {Problem} not_found */
export async function loadOrganization(
  db: Kysely<Database>,
  organizationId: string,
): Promise<{ kind: 'insurer' | 'expert' }> {
  const organization = await db
    .selectFrom('organizations')
    .select('kind')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (!organization) throw new Problem('not_found', 'There is no such organization.');
  return organization;
}

/**
 * Adds a public key of an organization, or a new pair if none is given: the answer has the only
 * copy of its private key.
 * @throws {Problem} see `registerKey`
 */
export async function addOrganizationKey(
  { db, clock }: Pick<OperationContext<Database>, 'db' | 'clock'>,
  organizationId: string,
  publicKeyPem?: string,
): Promise<{ kid: string; privateKeyPem?: string }> {
  if (publicKeyPem !== undefined) {
    return { kid: await registerKey(db, organizationId, publicKeyPem, clock.now()) };
  }
  const { publicKey, privateKey: privateKeyPem } = await generateClientKey();
  return { kid: await registerKey(db, organizationId, publicKey, clock.now()), privateKeyPem };
}

/**
 * Registers a public key.
 * @returns the key's kid.
 * @throws {Problem} invalid_request if it is not a public RSA key of at least 2048 bits, or any
 *   organization has it already.
 */
export async function registerKey(
  db: Kysely<Database>,
  organizationId: string,
  publicKeyPem: string,
  nowMs: number,
): Promise<string> {
  const { kid, jwk } = await readClientKey(publicKeyPem);
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
  if (!inserted) throw knownKey();
  return kid;
}

/**
 * Removes a key: from now on no assertion by it is accepted. Access tokens issued by it expire
 * after 300 s at most.
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

function generateClientKey() {
  return generateKeyPairAsync('rsa', {
    modulusLength: rsaMinBits,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

/** Finds a client with its keys as they are now, so that a removed key has no effect at once. */
export async function findClient(
  db: Kysely<Database>,
  clientId: string,
): Promise<Client | undefined> {
  // PostgreSQL takes no NUL in a text.
  if (clientId.includes('\0')) return undefined;
  const rows = await db
    .selectFrom('organizations')
    .leftJoin('client_keys', 'client_keys.organization_id', 'organizations.id')
    .select([
      'organizations.id',
      'organizations.kind',
      'organizations.members',
      'client_keys.kid',
      'client_keys.public_jwk',
    ])
    .where('organizations.client_id', '=', clientId)
    .orderBy('client_keys.created_at', 'desc')
    .execute();
  const [first] = rows;
  if (!first) return undefined;
  const keys = rows.flatMap(({ kid, public_jwk: publicJwk }) =>
    kid === null || publicJwk === null ? [] : [storedKey(kid, publicJwk)],
  );
  return { clientId, organizationId: first.id, kind: first.kind, members: first.members, keys };
}
