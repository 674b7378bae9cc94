import { sql, type Kysely } from 'kysely';
import { columnTypes, isPostgres, type Migrations } from './store.ts';

/** Migrations of the replay store of a single process. */
export const replayMigrations: Migrations = [{ name: 'schema', up: createUsedJtis }];

async function createUsedJtis(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('used_jtis')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('jti', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('used_jtis_key', ['owner', 'jti'])
    .execute();
  await db.schema.createIndex('used_jtis_by_expiry').on('used_jtis').column('expires_at').execute();
}

/**
 * Creates the tables of keys and stored answers. If processes share the store, they include used
 * jtis and levels of limits.
 */
export async function createSecurity(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('signing_keys')
    .addColumn('kid', 'text', (column) => column.primaryKey())
    .addColumn('private_jwk', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('idempotency_answers')
    .addColumn('scope', 'text', (column) => column.primaryKey())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('body', columnTypes(db).bytes, (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('idempotency_answers_by_expiry')
    .on('idempotency_answers')
    .column('expires_at')
    .execute();
  // A single process stores the jtis in the replay store, and the levels in memory.
  if (!isPostgres(db)) return;
  await createUsedJtis(db);
  // The table is unlogged, because it does no harm if the buckets are full after a crash of the
  // database.
  await sql`create unlogged table rate_limits (
    name text primary key, level double precision not null, at bigint not null,
    wait_ms double precision not null, idle_from bigint not null
  )`.execute(db);
}

/** Creates the tables for the bytes of documents. */
export async function createContents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contents')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('stored', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('in_objects', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // The index is partial, because unfinished uploads are few among many documents, and documents in
  // a bucket may also be few.
  await db.schema
    .createIndex('contents_unfinished')
    .on('contents')
    .column('created_at')
    .where(sql.ref('stored'), '=', 0)
    .execute();
  await db.schema
    .createIndex('contents_in_objects')
    .on('contents')
    .column('id')
    .where(sql.ref('in_objects'), '=', 1)
    .execute();
  await db.schema
    .createTable('content_chunks')
    .addColumn('content_id', 'text', (column) =>
      column.notNull().references('contents.id').onDelete('cascade'),
    )
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('bytes', columnTypes(db).bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('content_chunks_key', ['content_id', 'position'])
    .execute();
  await db.schema
    .createTable('objects_to_delete')
    .addColumn('content_id', 'text', (column) => column.primaryKey())
    .execute();
}
