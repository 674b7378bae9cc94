import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { gatewayClientPrefix } from '#shared/api/assignment.ts';
import type { Clock } from '#shared/lib/clock.ts';
import { knownKey, readClientKey, storedKey, type Client } from '../../front/auth/clients.ts';
import { Problem } from '../../front/problem.ts';
import { recordAudit } from '../writing/audit.ts';
import type { GatewayTables } from '../tables.ts';

/** The lifetime of an enrolment code. */
const codeLifetimeMs = 24 * 60 * 60_000;
/** A code has 128 bits, in groups that are easy to type. */
const codeBytes = 16;
const groupLength = 8;

/**
 * A client with its key. Every client belongs to the one office.
 * @throws {Problem} invalid_client if it was revoked, so that its user learns why
 */
export async function findClient(
  db: Kysely<GatewayTables>,
  clientId: string,
): Promise<Client | undefined> {
  // PostgreSQL does not accept NUL in a text.
  if (clientId.includes('\0')) return undefined;
  const row = await db
    .selectFrom('clients')
    .select(['kid', 'public_jwk', 'revoked_at', 'generation'])
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.revoked_at !== null) {
    throw new Problem('invalid_client', 'this client was revoked', {
      oauthError: 'invalid_client',
      headers: { 'WWW-Authenticate': 'DPoP algs="ES256"' },
    });
  }
  const keys = [storedKey(row.kid, row.public_jwk)];
  const { generation } = row;
  return { clientId, organizationId: 'office', kind: 'expert', members: 1, keys, generation };
}

/**
 * Creates a code that enrols one client, once.
 * @param clientId an existing client that gets a new key; if absent, a new client is created
 */
export async function createCode(
  db: Kysely<GatewayTables>,
  clock: Clock,
  {
    name,
    isDispatcher,
    clientId = null,
  }: {
    readonly name: string;
    readonly isDispatcher: boolean;
    readonly clientId?: string | null;
  },
): Promise<{ code: string; expiresAtMs: number }> {
  const code = newCode();
  const expiresAtMs = clock.now() + codeLifetimeMs;
  await db
    .insertInto('enrolment_codes')
    .values({
      code_hash: hashOf(code),
      label: labelOf(code),
      name,
      dispatcher: isDispatcher ? 1 : 0,
      expires_at: expiresAtMs,
      client_id: clientId,
      used_at: null,
    })
    .execute();
  return { code, expiresAtMs };
}

/**
 * Creates a client from a code and a public key. The same code with the same key returns the same
 * client again, because the answer may have been lost.
 * @throws {Problem} invalid_request if the key is unusable; forbidden if the code is unknown, used
 *   or expired. The caller does not learn which.
 */
export async function redeemCode(
  db: Kysely<GatewayTables>,
  clock: Clock,
  {
    code,
    publicKeyPem,
    correlationId,
  }: { readonly code: string; readonly publicKeyPem: string; readonly correlationId: string },
): Promise<{ clientId: string; name: string }> {
  const { kid, jwk } = await readClientKey(publicKeyPem);
  const key = { kid, public_jwk: JSON.stringify(jwk) };
  return db.transaction().execute(async (transaction) => {
    const made = await redeem(transaction, clock, code, key);
    await recordAudit(
      { db: transaction, clock },
      {
        clientId: made.clientId,
        operation: 'enrolled',
        subject: labelOf(code),
        status: 201,
        correlationId,
      },
    );
    return made;
  });
}

/** @param transaction the transaction */
async function redeem(
  transaction: Kysely<GatewayTables>,
  clock: Clock,
  code: string,
  key: { readonly kid: string; readonly public_jwk: string },
): Promise<{ clientId: string; name: string }> {
  const row = await transaction
    .selectFrom('enrolment_codes')
    .leftJoin('clients', 'clients.client_id', 'enrolment_codes.client_id')
    .select(['enrolment_codes.name', 'enrolment_codes.dispatcher', 'enrolment_codes.client_id'])
    .select(['enrolment_codes.used_at', 'clients.kid', 'clients.revoked_at'])
    .where('code_hash', '=', hashOf(code))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  if (!row) throw wrongCode();
  const { name, client_id: knownId } = row;
  if (row.used_at !== null) {
    const isRepetition = knownId !== null && row.kid === key.kid && row.revoked_at === null;
    if (!isRepetition) throw wrongCode();
    return { clientId: knownId, name };
  }
  const other = await transaction
    .selectFrom('clients')
    .select('client_id')
    .where('kid', '=', key.kid)
    .executeTakeFirst();
  if (other) throw knownKey();
  const clientId = knownId ?? `${gatewayClientPrefix}${randomUUID()}`;
  if (knownId === null) {
    const { dispatcher } = row;
    await transaction
      .insertInto('clients')
      .values({ client_id: clientId, name, ...key, dispatcher, created_at: clock.now() })
      .execute();
  } else {
    await transaction
      .updateTable('clients')
      .set((set) => ({ ...key, revoked_at: null, generation: set('generation', '+', 1) }))
      .where('client_id', '=', clientId)
      .execute();
  }
  await transaction
    .updateTable('enrolment_codes')
    .set({ client_id: clientId, used_at: clock.now() })
    .where('code_hash', '=', hashOf(code))
    .execute();
  return { clientId, name };
}

/**
 * Creates a code that gives a client a new key. A laptop that was replaced or lost its key stays
 * the same client, with its cases and its backups of unsent work. The old key becomes invalid
 * immediately.
 * @returns null if there is no such client
 */
export async function createReplacementCode(
  db: Kysely<GatewayTables>,
  clock: Clock,
  clientId: string,
): Promise<{ code: string; name: string; expiresAtMs: number } | null> {
  return db.transaction().execute(async (transaction) => {
    const client = await transaction
      .selectFrom('clients')
      .select(['name', 'dispatcher'])
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    if (!client) return null;
    await endAccess(transaction, clock, clientId);
    const { name, dispatcher } = client;
    const isDispatcher = dispatcher === 1;
    return { name, ...(await createCode(transaction, clock, { name, isDispatcher, clientId })) };
  });
}

/**
 * Grants or removes a client's right to see every case and to assign cases.
 * @returns false if there is no such client
 */
export async function setDispatcher(
  db: Kysely<GatewayTables>,
  clientId: string,
  isDispatcher: boolean,
): Promise<boolean> {
  const changed = await db
    .updateTable('clients')
    .set({ dispatcher: isDispatcher ? 1 : 0 })
    .where('client_id', '=', clientId)
    .returning('client_id')
    .executeTakeFirst();
  return changed !== undefined;
}

/**
 * Ends a client's access immediately, and withdraws its open codes.
 * @returns false if there is no such client
 */
export function revokeClient(
  db: Kysely<GatewayTables>,
  clock: Clock,
  clientId: string,
): Promise<boolean> {
  return db.transaction().execute((transaction) => endAccess(transaction, clock, clientId));
}

/** @param db the transaction */
async function endAccess(
  db: Kysely<GatewayTables>,
  clock: Clock,
  clientId: string,
): Promise<boolean> {
  const ended = await db
    .updateTable('clients')
    .set((set) => ({
      revoked_at: set.fn.coalesce('revoked_at', set.val(clock.now())),
      generation: set('generation', '+', 1),
    }))
    .where('client_id', '=', clientId)
    .returning('client_id')
    .executeTakeFirst();
  await db
    .deleteFrom('enrolment_codes')
    .where('client_id', '=', clientId)
    .where('used_at', 'is', null)
    .execute();
  return ended !== undefined;
}

/** The codes that can still be redeemed, oldest first. */
export function openCodes(db: Kysely<GatewayTables>, clock: Clock) {
  return db
    .selectFrom('enrolment_codes')
    .select(['label', 'name', 'dispatcher', 'client_id', 'expires_at'])
    .where('used_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .orderBy('expires_at')
    .execute();
}

/**
 * Withdraws an open code. It is a transaction, so that a code is not redeemed in the meantime.
 * @param code the whole code or its first group
 * @returns the names of the withdrawn codes
 */
export function revokeCode(db: Kysely<GatewayTables>, code: string): Promise<string[]> {
  const isWhole = digitsOf(code).length > groupLength;
  return db.transaction().execute(async (transaction) => {
    const rows = await transaction
      .deleteFrom('enrolment_codes')
      .where('used_at', 'is', null)
      .where(isWhole ? 'code_hash' : 'label', '=', isWhole ? hashOf(code) : labelOf(code))
      .returning('name')
      .execute();
    return rows.map(({ name }) => name);
  });
}

/** Creates a code of 128 bits. */
export function newCode(): string {
  const digits = randomBytes(codeBytes).toString('hex').toUpperCase();
  return digits.match(/.{8}/g)?.join('-') ?? digits;
}

/** The SHA-256 of a code in hex. Blanks, hyphens, and upper and lower case are ignored. */
export function hashOf(code: string): string {
  return createHash('sha256').update(digitsOf(code)).digest('hex');
}

/** The first group of a code. An attacker would still have to guess 96 bits. */
export function labelOf(code: string): string {
  return digitsOf(code).slice(0, groupLength);
}

const digitsOf = (code: string) => code.replaceAll(/[\s-]/g, '').toUpperCase();

function wrongCode(): Problem {
  return new Problem('forbidden', 'the code is mistyped, used or expired; ask for a new one');
}
