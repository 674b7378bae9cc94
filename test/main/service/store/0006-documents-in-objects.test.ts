import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { deleteContent } from '#main/service/documents/content-rows.ts';
import { hasContentsInObjects } from '#main/service/documents/content-store.ts';
import { openStore } from '#main/service/store/database.ts';
import { sqliteDialect } from '#main/service/store/dialect.ts';
import { migrations, sharedMigrations } from '#main/service/store/migrate.ts';
import { postgresDialect } from '#main/service/store/postgres-dialect.ts';
import { openSharedStore } from '#main/service/store/shared-store.ts';
import type { Database } from '#main/service/store/tables.ts';
import { createDatabase, databaseOf, dropDatabase } from '../support/database.ts';

/** Run over both stores: the column and its partial index are said alike in both dialects. */
test('0006: a store of version 5 keeps its documents, and can have some in a bucket', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'migration-'));
  await createDatabase(directory);
  const url = databaseOf(directory)?.url;
  const onError = () => undefined;
  const before = new Kysely<Database>({
    dialect:
      url === undefined
        ? sqliteDialect(join(directory, 'service.db'), { durability: 'full' })
        : await postgresDialect({ url, connections: 2, durability: 'full', onError }),
  });
  const earlier = Object.entries(url === undefined ? migrations : sharedMigrations).filter(
    ([name]) => name < '0006',
  );
  const provider = { getMigrations: () => Promise.resolve(Object.fromEntries(earlier)) };
  const migrator = new Migrator({ db: before, provider });
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  await before.insertInto('contents').values({ id: 'old', kept: 1, created_at: 1 }).execute();
  const chunk = { content_id: 'old', position: 0, bytes: Buffer.from('x') };
  await before.insertInto('content_chunks').values(chunk).execute();
  await before.destroy();

  const store =
    url === undefined ? await openStore({ directory }) : await openSharedStore({ url, onError });
  const { db } = store;
  const contents = await db.selectFrom('contents').select(['id', 'kept', 'in_objects']).execute();
  expect(contents).toEqual([{ id: 'old', kept: 1, in_objects: 0 }]);
  expect(await db.selectFrom('content_chunks').select('bytes').execute()).toHaveLength(1);
  expect(await hasContentsInObjects(db)).toBe(false);
  const fresh = { id: 'new', kept: 1, created_at: 2, in_objects: 1 };
  await db.insertInto('contents').values(fresh).execute();
  expect(await hasContentsInObjects(db)).toBe(true);
  for (const id of ['old', 'new']) await deleteContent(db, id);
  // Only what was in a bucket is to be deleted there.
  expect(await db.selectFrom('doomed_objects').selectAll().execute()).toEqual([
    { content_id: 'new' },
  ]);
  await store.close();
  await dropDatabase(directory);
  await rm(directory, { recursive: true });
});
