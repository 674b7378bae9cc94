import type { Kysely } from 'kysely';
import type { Database } from '../store/tables.ts';
import { credentialsSchema, type CredentialsKeeper } from './credentials.ts';

/** Keeps credentials in the store itself: for practice, whose store is encrypted. */
export function credentialsTable(db: Kysely<Database>): CredentialsKeeper {
  return {
    async read() {
      const row = await db
        .selectFrom('practice_secrets')
        .select('credentials_json')
        .orderBy('id', 'desc')
        .executeTakeFirst();
      return row && credentialsSchema.parse(JSON.parse(row.credentials_json));
    },
    async write(credentials) {
      await db
        .insertInto('practice_secrets')
        .values({ credentials_json: JSON.stringify(credentials) })
        .execute();
    },
  };
}
