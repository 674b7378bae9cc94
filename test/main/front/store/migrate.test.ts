import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartError } from '#main/front/problem.ts';
import { sqliteDialect } from '#main/front/store/file-store.ts';
import { migrate, type Migrations } from '#main/front/store/store.ts';
import { postgresDialect } from '#main/front/store/shared-store.ts';
import { createDatabase, databaseOf, dropDatabase } from '../../service/support/database.ts';

/* Run over both stores. */

interface Tables {
  readonly sheep: { readonly name: string };
  readonly goats: { readonly name: string };
}

let directory: string;
let db: Kysely<Tables>;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'migrate-'));
  await createDatabase(directory);
  db = await open();
});
afterEach(async () => {
  await db.destroy();
  await dropDatabase(directory);
  await rm(directory, { recursive: true });
});

async function open(): Promise<Kysely<Tables>> {
  const url = databaseOf(directory)?.url;
  const dialect =
    url === undefined
      ? sqliteDialect(join(directory, 'service.db'), { durability: 'full' })
      : await postgresDialect({
          url,
          connections: 2,
          durability: 'full',
          onError: () => undefined,
        });
  return new Kysely<Tables>({ dialect });
}

const sheep: Migrations[number] = {
  name: 'sheep',
  up: async (tables) => {
    await tables.schema.createTable('sheep').addColumn('name', 'text').execute();
  },
};

/** Makes its table, fills the first one, and ends with a statement. */
const goats = (last: string): Migrations[number] => ({
  name: 'goats',
  up: async (tables) => {
    await tables.schema.createTable('goats').addColumn('name', 'text').execute();
    await sql`insert into sheep (name) values ('Dolly')`.execute(tables);
    await sql.raw(last).execute(tables);
  },
});
const fine = goats('select 1');
const broken = goats('select nothing from nowhere');

test('migrate: a step is whole or not at all, and can be tried again', async () => {
  await migrate(db, [sheep]);
  await expect(migrate(db, [sheep, broken])).rejects.toThrow('could not be migrated');
  expect(await db.selectFrom('sheep').selectAll().execute()).toEqual([]);
  await expect(db.selectFrom('goats').selectAll().execute()).rejects.toThrow(/goats/);
  await migrate(db, [sheep, fine]);
  expect(await db.selectFrom('sheep').selectAll().execute()).toEqual([{ name: 'Dolly' }]);
  expect(await db.selectFrom('goats').selectAll().execute()).toEqual([]);
});

test('migrate: a store that has rolled back by itself reports what was wrong', async () => {
  // As SQLite does when its disk is full: the steps' own record is missing then.
  await expect(migrate(db, [sheep, goats('rollback')])).rejects.toThrow(
    /could not be migrated: .*schema_steps/,
  );
});

test('migrate: what is up to date stays unchanged', async () => {
  await migrate(db, [sheep]);
  await db.insertInto('sheep').values({ name: 'Shaun' }).execute();
  await migrate(db, [sheep]);
  expect(await db.selectFrom('sheep').selectAll().execute()).toEqual([{ name: 'Shaun' }]);
});

test('migrate: a store that a later version has brought up to date is refused', async () => {
  await migrate(db, [sheep, fine]);
  await expect(migrate(db, [sheep])).rejects.toEqual(
    new StartError(
      'a later version has migrated the store, and this one cannot go back: start the later version',
    ),
  );
  const { rows } = await sql`select name from schema_steps order by number`.execute(db);
  expect(rows).toEqual([{ name: 'sheep' }, { name: 'goats' }]);
});

test('migrate: a store whose steps have changed since is refused, and not touched', async () => {
  await migrate(db, [sheep]);
  await expect(migrate(db, [fine, sheep])).rejects.toThrow('no released version made the store');
  expect(await db.selectFrom('sheep').selectAll().execute()).toEqual([]);
});
