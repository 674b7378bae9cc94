import type { Kysely } from 'kysely';

/** The table of used jtis; the same in each of the databases that have one. */
export async function createUsedJtis(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('used_jtis')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('jti', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('used_jtis_key', ['owner', 'jti'])
    .execute();
  await db.schema.createIndex('used_jtis_by_expiry').on('used_jtis').column('expires_at').execute();
}
