import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { wordsOf } from '../words-of.ts';

export const claims: Migration = { up };

async function up(db: Kysely<unknown>): Promise<void> {
  await createClaims(db);
  await createContents(db);
  await createDocuments(db);
  await createEvents(db);
  await wordsOf(db).createSearchIndex(db);
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
  await db.schema
    .createTable('claim_payloads')
    .addColumn('claim_number', 'integer', (column) =>
      column.primaryKey().references('claims.number'),
    )
    .addColumn('payload_json', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('claim_views')
    .addColumn('claim_number', 'integer', (column) =>
      column.primaryKey().references('claims.number'),
    )
    .addColumn('json', wordsOf(db).bytesType, (column) => column.notNull())
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
    .execute();
  await db.schema
    .createTable('content_chunks')
    .addColumn('content_id', 'text', (column) =>
      column.notNull().references('contents.id').onDelete('cascade'),
    )
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('bytes', wordsOf(db).bytesType, (column) => column.notNull())
    .addPrimaryKeyConstraint('content_chunks_key', ['content_id', 'position'])
    .execute();
}

async function createDocuments(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('claim_documents')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('claim_id', 'text', (column) => column.notNull().references('claims.id'))
    .addColumn('file_name', 'text', (column) => column.notNull())
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('content_id', 'text', (column) => column.notNull().references('contents.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('claim_documents_by_claim')
    .on('claim_documents')
    .columns(['claim_id', 'created_at desc', 'id'])
    .execute();
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
  await db.schema
    .createTable('submission_documents')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('submission_id', 'text', (column) => column.notNull().references('submissions.id'))
    .addColumn('claim_id', 'text', (column) => column.notNull().references('claims.id'))
    .addColumn('file_name', 'text', (column) => column.notNull())
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('is_salvage_sale', 'integer', (column) => column.notNull())
    .addColumn('content_id', 'text', (column) => column.notNull().references('contents.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('submission_documents_by_submission')
    .on('submission_documents')
    .columns(['submission_id', 'created_at desc', 'id'])
    .execute();
  // Deleting a content checks both tables for what refers to it.
  for (const table of ['claim_documents', 'submission_documents']) {
    await db.schema.createIndex(`${table}_by_content`).on(table).column('content_id').execute();
  }
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
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
}
