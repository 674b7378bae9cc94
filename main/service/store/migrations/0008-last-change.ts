import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const lastChange: Migration = { up };

/** Every change asks for the last one of all records (`actNow`). */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('claims_by_change').on('claims').column('last_changed_at').execute();
}
