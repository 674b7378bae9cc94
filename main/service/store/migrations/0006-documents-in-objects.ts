import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const documentsInObjects: Migration = { up };

/** Contents may be objects in a bucket; those that nobody refers to any more wait to be deleted. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('contents')
    .addColumn('in_objects', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // Tells at each start whether there are any.
  await db.schema
    .createIndex('contents_in_objects')
    .on('contents')
    .column('id')
    .where(sql.ref('in_objects'), '=', 1)
    .execute();
  await db.schema
    .createTable('doomed_objects')
    .addColumn('content_id', 'text', (column) => column.primaryKey())
    .execute();
}
