import type { KeyObject } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../store/tables.ts';
import { BoundedCache } from '../../bounded-cache.ts';
import { importPublicKey } from '../import-key.ts';

export interface ClientKey {
  readonly kid: string;
  readonly key: KeyObject;
}

export interface Client {
  readonly clientId: string;
  readonly organizationId: string;
  readonly kind: 'insurer' | 'expert';
  readonly keys: readonly ClientKey[];
}

export interface ClientKeys {
  /** The client with its keys as they are now; undefined where there is none of that id. */
  find(clientId: string): Promise<Client | undefined>;
}

const maxKeys = 1000;
const jwkSchema = z.record(z.string(), z.unknown());

/** Reads clients from the store; a key that was imported once is kept, since its kid is its hash. */
export function createClientKeys(db: Kysely<Database>): ClientKeys {
  const keysByClient = (clientId: string) =>
    db
      .selectFrom('organizations')
      .leftJoin('client_keys', 'client_keys.organization_id', 'organizations.id')
      .select([
        'organizations.id as organizationId',
        'organizations.kind',
        'client_keys.kid',
        'client_keys.public_jwk',
      ])
      .where('organizations.client_id', '=', clientId)
      .orderBy('client_keys.created_at', 'desc')
      .execute();
  const imported = new BoundedCache<string, KeyObject>(maxKeys);

  function keyOf(kid: string, publicJwk: string): ClientKey {
    const known = imported.get(kid);
    if (known) return { kid, key: known };
    const key = importPublicKey(jwkSchema.parse(JSON.parse(publicJwk)));
    imported.set(kid, key);
    return { kid, key };
  }

  return {
    async find(clientId) {
      const rows = await keysByClient(clientId);
      const [first] = rows;
      if (!first) return undefined;
      // An organization whose keys were all removed is one row without a key.
      const keys = rows.flatMap(({ kid, public_jwk: publicJwk }) =>
        kid === null || publicJwk === null ? [] : [keyOf(kid, publicJwk)],
      );
      return { clientId, organizationId: first.organizationId, kind: first.kind, keys };
    },
  };
}
