import { generateKeyPair, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Kysely } from 'kysely';
import { isoTime } from '#shared/api/conventions.ts';
import { rsaMinBits } from '#shared/api/limits.ts';
import type { OperationContext } from '../../front/context.ts';
import { knownKey, readClientKey, storedKey, type Client } from '../../front/auth/clients.ts';
import { Problem } from '../../front/problem.ts';
import type { Database } from '../store/tables.ts';

const generateKeyPairAsync = promisify(generateKeyPair);

export interface NewOrganization {
  readonly kind: 'insurer' | 'expert';
  readonly name: string;
  /** The number of people in the organization. */
  readonly members: number;
  readonly responsible: { readonly name: string; readonly email: string; readonly phone: string };
}

/** The values with which an organization connects to the service. */
export interface OrganizationCredentials {
  readonly organizationId: string;
  readonly clientId: string;
  /** The RSA key as PKCS#8. The service does not store it. */
  readonly privateKeyPem: string;
  /** The id of the key; absent in credentials of an earlier version. */
  readonly kid?: string | undefined;
}

/** Adds an organization with a client id and its first key. */
export async function registerOrganization(
  { db, clock }: Pick<OperationContext<Database>, 'db' | 'clock'>,
  organization: NewOrganization,
): Promise<OrganizationCredentials> {
  const { publicKey, privateKey: privateKeyPem } = await generateClientKey();
  const organizationId = randomUUID();
  const clientId = `${organization.kind}-${randomUUID()}`;
  const kid = await db.transaction().execute(async (transaction) => {
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
    return registerKey(transaction, organizationId, publicKey, clock.now());
  });
  return { organizationId, clientId, privateKeyPem, kid };
}

/** An organization as the back office lists it. */
export interface ListedOrganization {
  readonly OrganizationId: string;
  readonly Kind: 'insurer' | 'expert';
  readonly Name: string;
  readonly Members: number;
  readonly ClientId: string;
  /** Its keys, the first one first. */
  readonly Keys: readonly { readonly Kid: string; readonly CreatedAt: string }[];
}

/** Every organization with its keys, in the order in which they were registered. */
export async function listOrganizations(db: Kysely<Database>): Promise<ListedOrganization[]> {
  const organizations = await db
    .selectFrom('organizations')
    .select(['id', 'kind', 'name', 'members', 'client_id'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const keys = await db
    .selectFrom('client_keys')
    .select(['organization_id', 'kid', 'created_at'])
    .orderBy('created_at')
    .orderBy('kid')
    .execute();
  const keysOf = Map.groupBy(keys, (key) => key.organization_id);
  return organizations.map((row) => ({
    OrganizationId: row.id,
    Kind: row.kind,
    Name: row.name,
    Members: row.members,
    ClientId: row.client_id,
    Keys: (keysOf.get(row.id) ?? []).map((key) => ({
      Kid: key.kid,
      CreatedAt: isoTime(key.created_at),
    })),
  }));
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
 * Adds a public key of an organization. If none is given, a new pair is created, and the answer has
 * the only copy of its private key.
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
 * @throws {Problem} invalid_request if it is not a public RSA key of at least 2048 bits, or if an
 *   organization already has it.
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
 * Removes a key. From now on no assertion signed with it is accepted. Access tokens that it
 * obtained expire after 300 s at most.
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

/** Finds a client with its present keys, so that a removed key is refused immediately. */
export async function findClient(
  db: Kysely<Database>,
  clientId: string,
): Promise<Client | undefined> {
  // PostgreSQL does not accept NUL in a text.
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
