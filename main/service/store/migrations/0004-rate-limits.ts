import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Only where several processes share the store; a single one counts in its memory. */
export const rateLimits: Migration = { up };

async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rate_limits')
    // Not kept over a crash of the database: every bucket is full then, which harms nobody.
    .modifyFront(sql`unlogged`)
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('level', 'double precision', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('wait_ms', 'double precision', (column) => column.notNull())
    .addColumn('idle_from', 'bigint', (column) => column.notNull())
    .execute();
}
