import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '#shared/lib/clock.ts';
import { es256Key, type Es256Key } from '../jws.ts';
import type { Database } from '../../store/tables.ts';

/** The service's own ES256 key pair. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: Es256Key;
  readonly publicKey: Es256Key;
}

const jwkSchema = z.record(z.string(), z.unknown());

/** The newest signing key of the store, made where there is none; one for all who share it. */
export function openSigningKey(db: Kysely<Database>, clock: Clock): Promise<SigningKey> {
  return db.transaction().execute((transaction) => findOrMakeKey(transaction, clock));
}

async function findOrMakeKey(db: Kysely<Database>, clock: Clock): Promise<SigningKey> {
  const row = await db
    .selectFrom('signing_keys')
    .select(['kid', 'private_jwk'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row) {
    const key = jwkSchema.parse(JSON.parse(row.private_jwk));
    return keyPair(row.kid, createPrivateKey({ key, format: 'jwk' }));
  }
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = await calculateJwkThumbprint(await exportJWK(publicKey));
  await db
    .insertInto('signing_keys')
    .values({
      kid,
      private_jwk: JSON.stringify(privateKey.export({ format: 'jwk' })),
      created_at: clock.now(),
    })
    .execute();
  return keyPair(kid, privateKey);
}

function keyPair(kid: string, privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey);
  return { kid, privateKey: es256Key(privateKey), publicKey: es256Key(publicKey) };
}
