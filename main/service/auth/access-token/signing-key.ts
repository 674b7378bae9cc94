import { calculateJwkThumbprint, exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose';
import type { Kysely } from 'kysely';
import type { Clock } from '#shared/lib/clock.ts';
import { importKey } from '../import-key.ts';
import type { Database } from '../../store/tables.ts';

/** The service's own ES256 key pair. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** The newest signing key of the store, made where there is none; one for all who share it. */
export function openSigningKey(db: Kysely<Database>, clock: Clock): Promise<SigningKey> {
  return db.transaction().execute((transaction) => findOrMakeKey(transaction, clock));
}

async function findOrMakeKey(db: Kysely<Database>, clock: Clock): Promise<SigningKey> {
  const row = await db
    .selectFrom('signing_keys')
    .select('private_jwk')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  // The cast is safe: only this function writes the column, and import checks what it reads.
  if (row) return importSigningKey(JSON.parse(row.private_jwk) as JWK);
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const key = await importSigningKey(jwk);
  await db
    .insertInto('signing_keys')
    .values({ kid: key.kid, private_jwk: JSON.stringify(jwk), created_at: clock.now() })
    .execute();
  return key;
}

async function importSigningKey(jwk: JWK): Promise<SigningKey> {
  const publicJwk: JWK = { ...jwk };
  delete publicJwk.d;
  return {
    kid: await calculateJwkThumbprint(publicJwk),
    privateKey: await importKey(jwk, 'ES256'),
    publicKey: await importKey(publicJwk, 'ES256'),
  };
}
