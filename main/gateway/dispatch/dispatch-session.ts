import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '#shared/lib/clock.ts';
import { hashOf, newCode } from '../auth/clients.ts';
import type { GatewayTables } from '../tables.ts';

/** The lifetime is short, because the dispatcher types the code immediately. */
const codeLifetimeMs = 15 * 60_000;
/** A session lasts for a working day. */
export const sessionLifetimeMs = 10 * 3_600_000;

interface Dispatcher {
  readonly clientId: string;
  readonly name: string;
}

/**
 * Creates a code with which a dispatcher signs in to the page, once.
 * @returns null if there is no such client, or it is not a dispatcher
 */
export async function createSignInCode(
  db: Kysely<GatewayTables>,
  clock: Clock,
  clientId: string,
): Promise<{ code: string; expiresAtMs: number } | null> {
  const client = await activeDispatchers(db).where('client_id', '=', clientId).executeTakeFirst();
  if (!client) return null;
  const code = newCode();
  const expiresAtMs = clock.now() + codeLifetimeMs;
  await db
    .insertInto('dispatch_keys')
    .values({
      key_hash: hashOf(code),
      purpose: 'code',
      client_id: clientId,
      generation: client.generation,
      expires_at: expiresAtMs,
    })
    .execute();
  return { code, expiresAtMs };
}

/** Exchanges a code for a session. @returns the session's token; null if the code is invalid */
export function signIn(
  db: Kysely<GatewayTables>,
  clock: Clock,
  code: string,
): Promise<string | null> {
  return db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('dispatch_keys').where('expires_at', '<=', clock.now()).execute();
    const used = await transaction
      .deleteFrom('dispatch_keys')
      .where('key_hash', '=', hashOf(code))
      .where('purpose', '=', 'code')
      .returning(['client_id', 'generation'])
      .executeTakeFirst();
    if (!used) return null;
    const token = randomBytes(32).toString('hex');
    await transaction
      .insertInto('dispatch_keys')
      .values({
        key_hash: hashOf(token),
        purpose: 'session',
        client_id: used.client_id,
        generation: used.generation,
        expires_at: clock.now() + sessionLifetimeMs,
      })
      .execute();
    return token;
  });
}

/**
 * The dispatcher of a session. It is undefined if the session expired, or if the client is no
 * longer a dispatcher, was revoked, or got a new key.
 */
export function findDispatcher(
  db: Kysely<GatewayTables>,
  clock: Clock,
  token: string,
): Promise<Dispatcher | undefined> {
  return activeDispatchers(db)
    .innerJoin('dispatch_keys', (join) =>
      join
        .onRef('dispatch_keys.client_id', '=', 'clients.client_id')
        .onRef('dispatch_keys.generation', '=', 'clients.generation'),
    )
    .where('key_hash', '=', hashOf(token))
    .where('purpose', '=', 'session')
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
}

export async function signOut(db: Kysely<GatewayTables>, token: string): Promise<void> {
  await db.deleteFrom('dispatch_keys').where('key_hash', '=', hashOf(token)).execute();
}

function activeDispatchers(db: Kysely<GatewayTables>) {
  return db
    .selectFrom('clients')
    .select(['clients.client_id as clientId', 'name', 'clients.generation'])
    .where('dispatcher', '=', 1)
    .where('revoked_at', 'is', null);
}
