import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sqliteDialect } from '#main/front/store/file-store.ts';
import { migrate } from '#main/front/store/store.ts';
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

const sheep: Migration = {
  async up(tables) {
    await tables.schema.createTable('sheep').addColumn('name', 'text').execute();
  },
};

/** Makes its table, fills the first one, and then does not come to its end. */
function goats(end: () => Promise<void>): Migration {
  return {
    async up(tables: Kysely<Tables>) {
      await tables.schema.createTable('goats').addColumn('name', 'text').execute();
      await tables.insertInto('sheep').values({ name: 'Dolly' }).execute();
      await end();
    },
  };
}

test('migrate: a migration is whole or not at all, and can be tried again', async () => {
  await migrate(db, { '1': sheep });
  const broken = goats(() => Promise.reject(new Error('no')));
  await expect(migrate(db, { '1': sheep, '2': broken })).rejects.toThrow('could not be migrated');
  expect(await db.selectFrom('sheep').selectAll().execute()).toEqual([]);
  await expect(db.selectFrom('goats').selectAll().execute()).rejects.toThrow();
  await migrate(db, { '1': sheep, '2': goats(() => Promise.resolve()) });
  expect(await db.selectFrom('sheep').selectAll().execute()).toEqual([{ name: 'Dolly' }]);
  expect(await db.selectFrom('goats').selectAll().execute()).toEqual([]);
});

test('migrate: a store that has rolled back by itself says what was wrong', async () => {
  // As SQLite does when its disk is full.
  const full: Migration = {
    async up(tables) {
      await sql`rollback`.execute(tables);
      throw new Error('disk full');
    },
  };
  const failed: unknown = await migrate(db, { '1': full }).catch((error: unknown) => error);
  expect(failed).toMatchObject({ message: 'the store could not be migrated: disk full' });
  expect(failed).toMatchObject({ cause: { message: 'disk full' } });
});

test('migrate: what is up to date stays as it is', async () => {
  await migrate(db, { '1': sheep });
  await db.insertInto('sheep').values({ name: 'Shaun' }).execute();
  await migrate(db, { '1': sheep });
  expect(await db.selectFrom('sheep').selectAll().execute()).toEqual([{ name: 'Shaun' }]);
});

test('migrate: a store that a later version has brought up to date is refused', async () => {
  await migrate(db, { '1': sheep, '2': goats(() => Promise.resolve()) });
  await expect(migrate(db, { '1': sheep })).rejects.toThrow('a later version of the service');
  const { rows } = await sql`select name from kysely_migration order by name`.execute(db);
  expect(rows).toEqual([{ name: '1' }, { name: '2' }]);
});
