import type { JWK } from 'jose';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Client } from '../../front/auth/clients.ts';
import type { Database } from '../store/tables.ts';

const jwkSchema = z.object({ kty: z.literal('RSA'), n: z.string(), e: z.string() });

/** Finds a client with its keys as they are now, so that a removed key has no effect at once. */
export function createClientFinder(
  db: Kysely<Pick<Database, 'organizations' | 'client_keys'>>,
): (clientId: string) => Promise<Client | undefined> {
  // jose imports a key once for each object. A kid is the hash of its key, so none goes out of date.
  const jwks = new Map<string, JWK>();

  function jwkOf(kid: string, publicJwk: string): JWK {
    const known = jwks.get(kid);
    if (known) return known;
    const jwk = jwkSchema.parse(JSON.parse(publicJwk));
    jwks.set(kid, jwk);
    return jwk;
  }

  return async (clientId) => {
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
      kid === null || publicJwk === null ? [] : [{ kid, jwk: jwkOf(kid, publicJwk) }],
    );
    return { clientId, organizationId: first.id, kind: first.kind, members: first.members, keys };
  };
}
