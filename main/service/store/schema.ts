import { PostgresAdapter, sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { postgresAdapter } from './postgres-dialect.ts';
import { sqliteAdapter } from './sqlite-dialect.ts';
import type { DialectAdapter } from './store.ts';

type Migrations = Readonly<Record<string, Migration>>;

/** Migrations of the main store, in the order of their names; a released one never changes. */
export const storeMigrations: Migrations = { '0001-schema': { up: createStore } };

/** Migrations of the replay store of a single process. */
export const replayMigrations: Migrations = { '0001-schema': { up: createUsedJtis } };

/** The adapter for the database that `db` is connected to. */
export function dialectOf<Tables>(db: Kysely<Tables>): DialectAdapter {
  return db.getExecutor().adapter instanceof PostgresAdapter ? postgresAdapter : sqliteAdapter;
}

async function createStore(db: Kysely<unknown>): Promise<void> {
  await createOrganizations(db);
  await createSecurity(db);
  // A single process has them in the replay store.
  if (dialectOf(db) === postgresAdapter) await createUsedJtis(db);
  await createClaims(db);
  await createContents(db);
  await createDocuments(db);
  await dialectOf(db).createOwnSchema(db);
}

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

async function createOrganizations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('organizations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('responsible_name', 'text', (column) => column.notNull())
    .addColumn('responsible_email', 'text', (column) => column.notNull())
    .addColumn('responsible_phone', 'text', (column) => column.notNull())
    .addColumn('members', 'integer', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('client_keys')
    .addColumn('kid', 'text', (column) => column.primaryKey())
    .addColumn('organization_id', 'text', (column) =>
      column.notNull().references('organizations.id'),
    )
    .addColumn('public_jwk', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('client_keys_by_organization')
    .on('client_keys')
    .column('organization_id')
    .execute();
  await db.schema
    .createTable('credentials')
    .addColumn('id', dialectOf(db).countingType, (column) => column.primaryKey())
    .addColumn('credentials_json', 'text', (column) => column.notNull())
    .execute();
}

async function createSecurity(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('body', dialectOf(db).bytesType, (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('idempotency_answers_by_expiry')
    .on('idempotency_answers')
    .column('expires_at')
    .execute();
}

async function createClaims(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('claims')
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('external_key', 'text', (column) => column.notNull().unique())
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('insurer_organization_id', 'text', (column) =>
      column.notNull().references('organizations.id'),
    )
    .addColumn('expert_organization_id', 'text', (column) => column.references('organizations.id'))
    .addColumn('inspection_type', 'text', (column) => column.notNull())
    .addColumn('expert_comment', 'text', (column) => column.notNull())
    .addColumn('archived', 'integer', (column) => column.notNull())
    .addColumn('hail_drive_in_accepted', 'integer', (column) => column.notNull())
    .addColumn('cost_estimate_rappen', 'bigint')
    .addColumn('approved_rappen', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_changed_at', 'bigint', (column) => column.notNull())
    .addColumn('completed_at', 'bigint')
    .addColumn('last_report_approved_at', 'bigint')
    .execute();
  for (const kind of ['insurer', 'expert']) {
    // The two orders of a list (decisions, "Lists").
    await db.schema
      .createIndex(`claims_by_${kind}_and_creation`)
      .on('claims')
      .columns([`${kind}_organization_id`, 'created_at desc', 'id'])
      .execute();
    await db.schema
      .createIndex(`claims_by_${kind}_and_change`)
      .on('claims')
      .columns([`${kind}_organization_id`, 'last_changed_at', 'id'])
      .execute();
  }
  // Every change reads the latest change of all records (`actNow`).
  await db.schema.createIndex('claims_by_change').on('claims').column('last_changed_at').execute();
  await db.schema
    .createTable('claim_payloads')
    .addColumn('claim_number', 'integer', (column) =>
      column.primaryKey().references('claims.number'),
    )
    .addColumn('payload_literal', dialectOf(db).bytesType, (column) => column.notNull())
    .addColumn('search_text', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('events')
    .addColumn('claim_id', 'text', (column) => column.notNull().references('claims.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('by', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('events_key', ['claim_id', 'position'])
    .execute();
  await db.schema
    .createTable('counters')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'bigint', (column) => column.notNull())
    .execute();
}

async function createContents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contents')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kept', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('in_objects', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // Unfinished uploads are few among many documents, and so may be documents in a bucket.
  await db.schema
    .createIndex('contents_unfinished')
    .on('contents')
    .column('created_at')
    .where(sql.ref('kept'), '=', 0)
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
    .addColumn('bytes', dialectOf(db).bytesType, (column) => column.notNull())
    .addPrimaryKeyConstraint('content_chunks_key', ['content_id', 'position'])
    .execute();
  await db.schema
    .createTable('objects_to_delete')
    .addColumn('content_id', 'text', (column) => column.primaryKey())
    .execute();
}

async function createDocuments(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('submissions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('claim_id', 'text', (column) => column.notNull().references('claims.id'))
    .addColumn('sequence_no', 'integer', (column) => column.notNull())
    .addColumn('revision_no', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('comment', 'text', (column) => column.notNull())
    .addColumn('submitted_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('submissions_by_sequence', ['claim_id', 'sequence_no'])
    .execute();
  const documentTable = (name: string) =>
    db.schema
      .createTable(name)
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('claim_id', 'text', (column) => column.notNull().references('claims.id'))
      .addColumn('file_name', 'text', (column) => column.notNull())
      .addColumn('content_type', 'text', (column) => column.notNull())
      .addColumn('size_bytes', 'bigint', (column) => column.notNull())
      .addColumn('content_id', 'text', (column) => column.notNull().references('contents.id'))
      .addColumn('created_at', 'bigint', (column) => column.notNull());
  await documentTable('claim_documents').execute();
  await documentTable('submission_documents')
    .addColumn('submission_id', 'text', (column) => column.notNull().references('submissions.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('is_salvage_sale', 'integer', (column) => column.notNull())
    .execute();
  for (const [table, owner] of [
    ['claim_documents', 'claim'],
    ['submission_documents', 'submission'],
  ] as const) {
    await db.schema
      .createIndex(`${table}_by_${owner}`)
      .on(table)
      .columns([`${owner}_id`, 'created_at desc', 'id'])
      .execute();
    // Deleting a content checks both tables for references.
    await db.schema.createIndex(`${table}_by_content`).on(table).column('content_id').execute();
  }
}
