import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '#shared/lib/clock.ts';
import type { SecurityTables } from '../store/tables.ts';

/** The service's own ES256 key pair. */
export interface SigningKey {
  readonly kid: string;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

const publicMembers = {
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
};
const publicJwkSchema = z.object(publicMembers);
const privateJwkSchema = z.object({ ...publicMembers, d: z.string() });

/** The newest signing key of the store, made if there is none. Processes of one store share it. */
export function openSigningKey(
  db: Kysely<Pick<SecurityTables, 'signing_keys'>>,
  clock: Clock,
): Promise<SigningKey> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('signing_keys')
      .select(['kid', 'private_jwk'])
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (row) return signingKey(row.kid, JSON.parse(row.private_jwk));
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(privateKey);
    const kid = await calculateJwkThumbprint(jwk);
    await transaction
      .insertInto('signing_keys')
      .values({ kid, private_jwk: JSON.stringify(jwk), created_at: clock.now() })
      .execute();
    return signingKey(kid, jwk);
  });
}

function signingKey(kid: string, jwk: unknown): SigningKey {
  return {
    kid,
    privateJwk: privateJwkSchema.parse(jwk),
    publicJwk: publicJwkSchema.parse(jwk),
  };
}
