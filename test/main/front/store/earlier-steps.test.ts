import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replayMigrations } from '#main/front/store/front-schema.ts';
import { sqliteDialect } from '#main/front/store/file-store.ts';
import { postgresDialect } from '#main/front/store/shared-store.ts';
import { migrate, type Migrations } from '#main/front/store/store.ts';
import { gatewayMigrations } from '#main/gateway/schema.ts';
import { storeMigrations } from '#main/service/store/schema.ts';
import { createDatabase, databaseOf, dropDatabase } from '../../service/support/database.ts';

/* Run over both stores. */

interface StoreCase {
  readonly store: string;
  readonly migrations: Migrations;
  /** What a store may contain right behind each step, in the steps' order. */
  readonly rows: readonly (readonly string[])[];
}

const contents = [
  `insert into contents (id, stored, created_at) values ('c', 1, 5)`,
  `insert into idempotency_answers values ('s', 204, 'text/plain', '', 5)`,
];
const stores: readonly StoreCase[] = [
  {
    store: 'service',
    migrations: storeMigrations,
    rows: [[...contents, `insert into counters (name, value) values ('a', 1)`]],
  },
  {
    store: 'gateway',
    migrations: gatewayMigrations,
    rows: [[...contents, `insert into state (name, value) values ('a', '1')`]],
  },
  {
    store: 'replay',
    migrations: replayMigrations,
    rows: [[`insert into used_jtis (owner, jti, expires_at) values ('o', 'j', 5)`]],
  },
];

let directory: string;
let db: Kysely<unknown>;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'steps-'));
  await createDatabase(directory);
  const url = databaseOf(directory)?.url;
  const onError = () => undefined;
  db = new Kysely({
    dialect:
      url === undefined
        ? sqliteDialect(join(directory, 'store.db'), { durability: 'full' })
        : await postgresDialect({ url, connections: 2, durability: 'full', onError }),
  });
});
afterEach(async () => {
  await db.destroy();
  await dropDatabase(directory);
  await rm(directory, { recursive: true });
});

test.each(stores)('every step of the $store store has rows in this test', (each) => {
  expect(each.rows).toHaveLength(each.migrations.length);
});

test.each(
  stores.flatMap(({ migrations, ...each }) =>
    migrations.map(({ name }, at) => ({ ...each, migrations, name, steps: at + 1 })),
  ),
)('a $store store that ends with “$name” opens with all its rows', async (each) => {
  const { migrations, rows, steps } = each;
  for (let at = 0; at < steps; at += 1) {
    await migrate(db, migrations.slice(0, at + 1));
    for (const row of rows[at] ?? []) await sql.raw(row).execute(db);
  }
  const tables = [
    ...rows
      .slice(0, steps)
      .flat()
      .join('\n')
      .matchAll(/insert into (\w+)/g),
  ];
  await migrate(db, migrations);
  for (const [, table = ''] of tables) {
    const { rows: found } = await sql`select * from ${sql.table(table)}`.execute(db);
    expect(found, table).not.toEqual([]);
  }
});
