import type { Kysely } from 'kysely';
import { countedColumns } from '#shared/api/list-filters.ts';
import { createContents, createSecurity } from '../../front/store/front-schema.ts';
import { columnTypes, type Migrations } from '../../front/store/store.ts';
import { createListCounts } from '../../front/store/list-counts.ts';
import { createTextSearch } from '../../front/store/text-search.ts';
import { claimSearch } from './claim-search.ts';

/** Migrations of the service's store. */
export const storeMigrations: Migrations = [
  { name: 'schema', up: createStore },
  { name: 'lists by status', up: indexStatus },
];

/**
 * A list of one status begins where the first record of it is. Otherwise the newest closed claim
 * comes after all open ones.
 */
async function indexStatus(db: Kysely<unknown>): Promise<void> {
  for (const kind of ['insurer', 'expert']) {
    await db.schema
      .createIndex(`claims_by_${kind}_status_and_creation`)
      .on('claims')
      .columns([`${kind}_organization_id`, 'status', 'created_at desc', 'id'])
      .execute();
  }
}

async function createStore(db: Kysely<unknown>): Promise<void> {
  await createOrganizations(db);
  await createSecurity(db);
  await createClaims(db);
  await createContents(db);
  await createDocuments(db);
  await createTextSearch(db, claimSearch);
  await createListCounts(db, 'claims', [
    { column: 'insurer_organization_id' },
    { column: 'expert_organization_id' },
  ]);
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
    .addColumn('id', columnTypes(db).counting, (column) => column.primaryKey())
    .addColumn('credentials_json', 'text', (column) => column.notNull())
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
    // The indexes are for the two orders of a list (decisions, "Lists"), with the filtered columns.
    await db.schema
      .createIndex(`claims_by_${kind}_and_creation`)
      .on('claims')
      .columns([`${kind}_organization_id`, 'created_at desc', 'id', ...countedColumns])
      .execute();
    await db.schema
      .createIndex(`claims_by_${kind}_and_change`)
      .on('claims')
      .columns([`${kind}_organization_id`, 'last_changed_at', 'id', ...countedColumns])
      .execute();
  }
  // Every change reads the latest change of all records (`actNow`).
  await db.schema.createIndex('claims_by_change').on('claims').column('last_changed_at').execute();
  await db.schema
    .createTable('claim_payloads')
    .addColumn('claim_number', 'integer', (column) =>
      column.primaryKey().references('claims.number'),
    )
    .addColumn('payload_literal', columnTypes(db).bytes, (column) => column.notNull())
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
