import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const usedJtis: Migration = { up };

async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('used_jtis')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('jti', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('used_jtis_key', ['owner', 'jti'])
    .execute();
  await db.schema.createIndex('used_jtis_by_expiry').on('used_jtis').column('expires_at').execute();
}
