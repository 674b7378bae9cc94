import { sql, type Kysely } from 'kysely';
import { countedColumns } from '#shared/api/list-filters.ts';
import { createContents, createSecurity } from '../front/store/front-schema.ts';
import { createListCounts } from '../front/store/list-counts.ts';
import { staleExpression } from './reading/stale-cases.ts';
import { createTextSearch, type SearchedTable } from '../front/store/text-search.ts';
import { columnTypes, type Migrations } from '../front/store/store.ts';

/** Migrations of the gateway's store. */
export const gatewayMigrations: Migrations = [{ name: 'schema', up: createStore }];

export const caseSearch: SearchedTable = {
  table: 'cases',
  key: 'number',
  index: 'cases_search',
};

async function createStore(db: Kysely<unknown>): Promise<void> {
  await createSecurity(db);
  await createContents(db);
  await createClients(db);
  await createDispatchKeys(db);
  await createCases(db);
  await db.schema
    .createTable('audit')
    .addColumn('id', columnTypes(db).counting, (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('correlation_id', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('audit_by_time').on('audit').column('at').execute();
  await createTurnTables(db);
  await db.schema
    .createTable('state')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
}

async function createClients(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('clients')
    .addColumn('client_id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('kid', 'text', (column) => column.notNull().unique())
    .addColumn('public_jwk', 'text', (column) => column.notNull())
    .addColumn('dispatcher', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .addColumn('generation', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
  await db.schema
    .createTable('enrolment_codes')
    .addColumn('code_hash', 'text', (column) => column.primaryKey())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('dispatcher', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.references('clients.client_id'))
    .addColumn('used_at', 'bigint')
    .execute();
}

/** Creates the tables of the clients that wait for their turns at the partner's limits. */
async function createTurnTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('turn_queues')
    .addColumn('bucket', 'text', (column) => column.primaryKey())
    .addColumn('round', 'bigint', (column) => column.notNull())
    .addColumn('client_turns', 'bigint', (column) => column.notNull())
    .addColumn('turn_ms', 'double precision', (column) => column.notNull())
    .addColumn('turn_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('turn_tickets')
    .addColumn('bucket', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('round', 'bigint', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('process', 'text', (column) => column.notNull())
    .addColumn('present_until', 'bigint', (column) => column.notNull())
    .addColumn('is_open', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('turn_tickets_key', ['bucket', 'client_id'])
    .execute();
  await db.schema
    .createIndex('turn_tickets_in_order')
    .on('turn_tickets')
    .columns(['bucket', 'round', 'since', 'client_id'])
    .execute();
}

/** Creates the table of codes and sessions of the dispatcher's page. */
async function createDispatchKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('dispatch_keys')
    .addColumn('key_hash', 'text', (column) => column.primaryKey())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull().references('clients.client_id'))
    .addColumn('generation', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
}

// oxlint-disable-next-line max-lines-per-function -- the columns of one table and its indexes
async function createCases(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('cases')
    .addColumn('number', columnTypes(db).counting, (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('external_key', 'text', (column) => column.notNull())
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('inspection_type', 'text', (column) => column.notNull())
    .addColumn('postal_code', 'text', (column) => column.notNull())
    .addColumn('responsible', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('partner_changed_at', 'text', (column) => column.notNull())
    .addColumn('body_json', 'text', (column) => column.notNull())
    .addColumn('search_text', 'text', (column) => column.notNull())
    .addColumn('delisted', 'integer', (column) => column.notNull())
    .addColumn('latest_change', 'text')
    .addColumn('unsure_since', 'bigint')
    .addColumn('documents_as_of', 'text')
    .addColumn('reports_as_of', 'text')
    .addColumn('stale', 'integer', (column) => column.generatedAlwaysAs(staleExpression).stored())
    .execute();
  // The indexes are for the two orders of a list (decisions, "Lists"), with the filtered columns.
  for (const [name, columns] of [
    ['creation', ['delisted', 'created_at desc', 'id', ...countedColumns]],
    ['change', ['delisted', 'changed_at', 'id', ...countedColumns]],
    ['latest_change', ['changed_at']],
  ] as const) {
    await db.schema
      .createIndex(`cases_by_${name}`)
      .on('cases')
      .columns([...columns])
      .execute();
  }
  await db.schema
    .createIndex('cases_stale')
    .on('cases')
    .columns(['stale', 'changed_at desc'])
    .where(sql.ref('stale'), '=', 1)
    .execute();
  await createListCounts(db, 'cases', [{ only: { column: 'delisted', value: 0 } }]);
  await createTextSearch(db, caseSearch);
  await db.schema
    .createTable('open_changes')
    .addColumn('mark', 'text', (column) => column.primaryKey())
    .addColumn('case_id', 'text', (column) => column.notNull().references('cases.id'))
    .addColumn('since', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('open_changes_by_case')
    .on('open_changes')
    .column('case_id')
    .execute();
  await db.schema
    .createTable('assignments')
    .addColumn('case_id', 'text', (column) => column.notNull().references('cases.id'))
    .addColumn('client_id', 'text', (column) => column.notNull().references('clients.client_id'))
    .addPrimaryKeyConstraint('assignments_key', ['client_id', 'case_id'])
    .execute();
  await db.schema
    .createTable('rules')
    .addColumn('id', columnTypes(db).counting, (column) => column.primaryKey())
    .addColumn('client_id', 'text', (column) => column.notNull().references('clients.client_id'))
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('postal_from', 'text', (column) => column.notNull())
    .addColumn('postal_to', 'text', (column) => column.notNull())
    .addColumn('responsible', 'text', (column) => column.notNull())
    .execute();
  for (const table of ['documents', 'reports'] as const) {
    const plain = db.schema
      .createTable(table)
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('case_id', 'text', (column) => column.notNull().references('cases.id'))
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('body_json', 'text', (column) => column.notNull());
    await (
      table === 'reports'
        ? plain
        : plain
            .addColumn('size_bytes', 'bigint', (column) => column.notNull())
            .addColumn('content_id', 'text', (column) => column.references('contents.id'))
    ).execute();
    await db.schema
      .createIndex(`${table}_by_case`)
      .on(table)
      .columns(['case_id', 'position'])
      .execute();
  }
  await db.schema
    .createTable('report_pages')
    .addColumn('submission_id', 'text', (column) => column.notNull())
    .addColumn('page', 'integer', (column) => column.notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('content_id', 'text', (column) => column.notNull().references('contents.id'))
    .addPrimaryKeyConstraint('report_pages_key', ['submission_id', 'page', 'size'])
    .execute();
}
