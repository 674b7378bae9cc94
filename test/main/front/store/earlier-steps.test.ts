import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { replayMigrations } from '#main/front/store/front-schema.ts';
import { sqliteDialect } from '#main/front/store/file-store.ts';
import { postgresDialect } from '#main/front/store/shared-store.ts';
import { isPostgres, migrate, type Migrations } from '#main/front/store/store.ts';
import { gatewayMigrations } from '#main/gateway/schema.ts';
import { storeMigrations } from '#main/service/store/schema.ts';
import { releasedVersions } from '../../../support/released/released-home.ts';
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
    rows: [
      [...contents, `insert into counters (name, value) values ('a', 1)`],
      [`insert into counters (name, value) values ('b', 1)`],
    ],
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

const releasedSteps = z.array(z.object({ name: z.string(), statements: z.array(z.string()) }));
const releasedFolder = join(import.meta.dirname, '../../../support/released');

test.each(
  releasedVersions.flatMap((version) => stores.slice(0, 2).map((each) => ({ ...each, version }))),
)('a $store store of version $version opens with all its rows', async (each) => {
  const { store, version, migrations, rows } = each;
  const file = `${store}-${version}.${isPostgres(db) ? 'postgres' : 'sqlite'}.json`;
  const steps = releasedSteps.parse(JSON.parse(readFileSync(join(releasedFolder, file), 'utf8')));
  // As that version made it, whatever today's words compile to.
  const made = steps.map(({ name, statements }) => ({
    name,
    up: async (session: Kysely<unknown>) => {
      for (const statement of statements) await sql.raw(statement).execute(session);
    },
  }));
  await migrate(db, made);
  const [released = []] = rows;
  for (const row of released) await sql.raw(row).execute(db);
  await migrate(db, migrations);
  const { rows: contents } = await sql`select * from contents`.execute(db);
  expect(contents).toHaveLength(1);
});
