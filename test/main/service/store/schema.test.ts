import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresAdapter, sql, type Compilable, type Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFileStore } from '#main/front/store/file-store.ts';
import { claimContains } from '#main/service/store/claim-search.ts';
import { openSharedStore } from '#main/front/store/shared-store.ts';
import type { Store } from '#main/front/store/store.ts';
import { storeMigrations } from '#main/service/store/schema.ts';
import type { Database } from '#main/service/store/tables.ts';
import { createDatabase, databaseOf, dropDatabase } from '../support/database.ts';

/* Run over both stores. */

let directory: string;
let store: Store<Database>;

function open(): Promise<Store<Database>> {
  const migrations = storeMigrations;
  const url = databaseOf(directory)?.url;
  return url === undefined
    ? openFileStore({ directory, name: 'service', migrations })
    : openSharedStore({ url, migrations, onError: () => undefined });
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'schema-'));
  await createDatabase(directory);
  store = await open();
});
afterEach(async () => {
  await store.close();
  await dropDatabase(directory);
  await rm(directory, { recursive: true });
});

test('schema: a new store has every table, and a second start leaves it as it is', async () => {
  const tables: readonly (keyof Database)[] = [
    ...(['organizations', 'client_keys', 'signing_keys', 'idempotency_answers'] as const),
    ...(['credentials', 'claims', 'claim_payloads', 'events'] as const),
    ...(['claim_documents', 'submissions', 'submission_documents', 'contents'] as const),
    ...(['content_chunks', 'objects_to_delete', 'counters'] as const),
  ];
  for (const table of tables) {
    expect(await store.db.selectFrom(table).selectAll().execute()).toEqual([]);
  }
  expect(await store.replay.selectFrom('used_jtis').selectAll().execute()).toEqual([]);
  const limits = await store.limits?.selectFrom('rate_limits').selectAll().execute();
  expect(limits).toEqual(databaseOf(directory) === undefined ? undefined : []);
  await store.db.insertInto('counters').values({ name: 'a row', value: 1 }).execute();
  await store.close();
  store = await open();
  expect(await store.db.selectFrom('counters').selectAll().execute()).toHaveLength(1);
});

/** How the store would run a query. */
async function planOf(db: Kysely<Database>, query: Compilable): Promise<string> {
  const compiled = query.compile();
  const isShared = db.getExecutor().adapter instanceof PostgresAdapter;
  // A table without rows is scanned even if it has indexes.
  if (isShared) await sql`set enable_seqscan = off`.execute(db);
  const rows = await db.executeQuery<Record<string, unknown>>({
    ...compiled,
    sql: `${isShared ? 'explain' : 'explain query plan'} ${compiled.sql}`,
  });
  return rows.rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n');
}

const plan = (query: (db: Kysely<Database>) => Compilable) =>
  store.db.connection().execute((db) => planOf(db, query(db)));

test.each(['insurer', 'expert'] as const)(
  'schema: both orders of the %s list come from an index, without sorting',
  async (kind) => {
    const list = (db: Kysely<Database>) =>
      db.selectFrom('claims').select('number').where(`${kind}_organization_id`, '=', 'x').limit(50);
    const created = await plan((db) => list(db).orderBy('created_at', 'desc').orderBy('id'));
    expect(created).toContain(`claims_by_${kind}_and_creation`);
    const changed = await plan((db) => list(db).orderBy('last_changed_at').orderBy('id'));
    expect(changed).toContain(`claims_by_${kind}_and_change`);
    expect(created + changed).not.toMatch(/TEMP B-TREE|Sort/);
  },
);

test('schema: words are found by the index of their ends', async () => {
  const found = await plan((db) =>
    db
      .selectFrom('claims')
      .select('number')
      .where(claimContains(db, ['hagel', 'z'])),
  );
  expect(found).toMatch(/claims_search VIRTUAL TABLE INDEX|Index Scan on claims_search_ends/);
  expect(found).not.toMatch(/SCAN claim_payloads(?! USING INDEX claims_search_long)|Seq Scan/);
});

test('schema: the latest change of all and unfinished uploads have their indexes', async () => {
  const latest = await plan((db) =>
    db.selectFrom('claims').select((select) => select.fn.max('last_changed_at').as('last')),
  );
  expect(latest).toContain('claims_by_change');
  const unfinished = await plan((db) =>
    db.deleteFrom('contents').where('stored', '=', sql.lit(0)).where('created_at', '<', 5),
  );
  expect(unfinished).toContain('contents_unfinished');
});
