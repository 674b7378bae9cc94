import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { wordsOf } from '../words-of.ts';

export const organizationsAndSecurity: Migration = { up };

async function up(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('body', wordsOf(db).bytesType, (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('idempotency_answers_by_expiry')
    .on('idempotency_answers')
    .column('expires_at')
    .execute();
  await db.schema
    .createTable('practice_secrets')
    .addColumn('id', wordsOf(db).countingType, (column) => column.primaryKey())
    .addColumn('credentials_json', 'text', (column) => column.notNull())
    .execute();
}
