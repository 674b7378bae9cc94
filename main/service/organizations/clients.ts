import type { Kysely } from 'kysely';
import { storedKey, type Client } from '../../front/auth/clients.ts';
import type { Database } from '../store/tables.ts';

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
