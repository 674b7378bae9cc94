import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '#shared/lib/clock.ts';
import { knownKey, readClientKey, storedKey, type Client } from '../front/auth/clients.ts';
import { Problem } from '../front/problem.ts';
import type { GatewayTables } from './tables.ts';

/** Lifetime of an enrolment code. */
const codeLifetimeMs = 24 * 60 * 60_000;
/** 128 bits, in groups that are easy to type. */
const codeBytes = 16;

/**
 * A client with its key; every client is of the one office.
 * @throws {Problem} invalid_client if it was revoked, so that its user learns why
 */
export async function findClient(
  db: Kysely<GatewayTables>,
  clientId: string,
): Promise<Client | undefined> {
  // PostgreSQL takes no NUL in a text.
  if (clientId.includes('\0')) return undefined;
  const row = await db
    .selectFrom('clients')
    .select(['kid', 'public_jwk', 'revoked_at'])
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
  return { clientId, organizationId: 'office', kind: 'expert', members: 1, keys };
}

/** Makes a code that enrols one client, once. */
export async function createCode(
  db: Kysely<GatewayTables>,
  clock: Clock,
  { name, isDispatcher }: { readonly name: string; readonly isDispatcher: boolean },
): Promise<{ code: string; expiresAtMs: number }> {
  const code = newCode();
  const expiresAtMs = clock.now() + codeLifetimeMs;
  await db
    .insertInto('enrolment_codes')
    .values({
      code_hash: hashOf(code),
      name,
      dispatcher: isDispatcher ? 1 : 0,
      expires_at: expiresAtMs,
      client_id: null,
    })
    .execute();
  return { code, expiresAtMs };
}

/**
 * Makes a client from a code and a public key. The same code with the same key gives the same client
 * again, because the answer may have been lost.
 * @throws {Problem} invalid_request: the key is unusable; forbidden: the code is unknown, used or
 *   expired. The caller does not learn which.
 */
export async function redeemCode(
  db: Kysely<GatewayTables>,
  clock: Clock,
  { code, publicKeyPem }: { readonly code: string; readonly publicKeyPem: string },
): Promise<{ clientId: string; name: string }> {
  const { kid, jwk } = await readClientKey(publicKeyPem);
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('enrolment_codes')
      .leftJoin('clients', 'clients.client_id', 'enrolment_codes.client_id')
      .select(['enrolment_codes.name', 'enrolment_codes.dispatcher', 'enrolment_codes.client_id'])
      .select(['clients.kid', 'clients.revoked_at'])
      .where('code_hash', '=', hashOf(code))
      .where('expires_at', '>', clock.now())
      .executeTakeFirst();
    if (!row) throw wrongCode();
    const { name, client_id: usedBy } = row;
    if (usedBy !== null) {
      if (row.kid === kid && row.revoked_at === null) return { clientId: usedBy, name };
      if (row.kid === waitingFor(code)) {
        const known = await transaction
          .selectFrom('clients')
          .select('client_id')
          .where('kid', '=', kid)
          .executeTakeFirst();
        if (known) throw knownKey();
        await transaction
          .updateTable('clients')
          .set({ kid, public_jwk: JSON.stringify(jwk), revoked_at: null })
          .where('client_id', '=', usedBy)
          .where('kid', '=', waitingFor(code))
          .execute();
        return { clientId: usedBy, name };
      }
      throw wrongCode();
    }
    const clientId = `laptop-${randomUUID()}`;
    const inserted = await transaction
      .insertInto('clients')
      .values({
        client_id: clientId,
        name,
        kid,
        public_jwk: JSON.stringify(jwk),
        dispatcher: row.dispatcher,
        created_at: clock.now(),
        revoked_at: null,
      })
      .onConflict((conflict) => conflict.column('kid').doNothing())
      .returning('client_id')
      .executeTakeFirst();
    if (!inserted) throw knownKey();
    await transaction
      .updateTable('enrolment_codes')
      .set({ client_id: clientId })
      .where('code_hash', '=', hashOf(code))
      .execute();
    return { clientId, name };
  });
}

/**
 * Makes a code that gives a client a new key. A laptop that was replaced or lost its key stays the
 * same client, with its cases and its backups of unsent work. The old key becomes invalid at once.
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
    const { name, dispatcher } = client;
    const made = await createCode(transaction, clock, { name, isDispatcher: dispatcher === 1 });
    await transaction
      .updateTable('enrolment_codes')
      .set({ client_id: clientId })
      .where('code_hash', '=', hashOf(made.code))
      .execute();
    await transaction
      .updateTable('clients')
      .set({ kid: waitingFor(made.code), revoked_at: clock.now() })
      .where('client_id', '=', clientId)
      .execute();
    return { ...made, name };
  });
}

/** A placeholder for the key's id: the client has no key until this code is redeemed. */
const waitingFor = (code: string) => `code:${hashOf(code)}`;

/** Ends a client's access at once. @returns false if there is no such client. */
export async function revokeClient(
  db: Kysely<GatewayTables>,
  clock: Clock,
  clientId: string,
): Promise<boolean> {
  const revoked = await db
    .updateTable('clients')
    .set({ revoked_at: clock.now() })
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .returning('client_id')
    .executeTakeFirst();
  return revoked !== undefined;
}

/** A code of 128 bits. */
export function newCode(): string {
  const digits = randomBytes(codeBytes).toString('hex').toUpperCase();
  return digits.match(/.{8}/g)?.join('-') ?? digits;
}

/** Hex SHA-256 of a code. Blanks, hyphens and case are ignored. */
export function hashOf(code: string): string {
  const digits = code.replaceAll(/[\s-]/g, '').toUpperCase();
  return createHash('sha256').update(digits).digest('hex');
}

function wrongCode(): Problem {
  return new Problem('forbidden', 'the code is mistyped, used or expired; ask for a new one');
}
