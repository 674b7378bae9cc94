import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { createClaimFinder } from '#main/service/claims/find-claims.ts';
import { claimListQuery } from '#main/service/claims/list-queries.ts';
import { sharedMigrations } from '#main/service/store/migrate.ts';
import { postgresDialect } from '#main/service/store/postgres-dialect.ts';
import { openSharedStore } from '#main/service/store/shared-store.ts';
import type { Database } from '#main/service/store/tables.ts';
import { createDatabase, databaseOf, dropDatabase } from '../support/database.ts';

/* PostgreSQL's alone: SQLite's index is entered again by 0007. */

/** More than are read at a time. */
const claims = 250;
const onError = () => undefined;

/** The store of version 4, whose index knew words, but not what lists filter by. */
async function makeEarlierStore(url: string): Promise<void> {
  const dialect = await postgresDialect({ url, connections: 2, durability: 'full', onError });
  const db = new Kysely<Database>({ dialect });
  const earlier = Object.entries(sharedMigrations).filter(([name]) => name < '0005');
  const provider = { getMigrations: () => Promise.resolve(Object.fromEntries(earlier)) };
  expect((await new Migrator({ db, provider }).migrateToLatest()).error).toBeUndefined();
  await sql`insert into organizations values
    ('insurer', 'insurer', '', '', '', '', 1, 'insurer', 1)`.execute(db);
  for (let number = 1; number <= claims; number += 1) {
    await sql`insert into claims values (${number}, ${`id-${number}`}, ${`SF-${number}`},
      'vehicle', ${number % 2 === 0 ? 'Final' : 'Created'}, 'insurer', null, 'workshop', '',
      0, 0, null, null, ${number}, ${number}, null, null)`.execute(db);
    await sql`insert into claim_payloads values (${number},
      ${JSON.stringify({ note: `Müller ${number}` })})`.execute(db);
    await sql`insert into claims_search (claim_number, words, text)
      values (${number}, array['older'], ' older ')`.execute(db);
  }
  await db.destroy();
}

test('0005: the claims of a store of version 4 are found by words and filters', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'migration-'));
  await createDatabase(directory);
  const url = databaseOf(directory)?.url ?? '';
  await makeEarlierStore(url);
  const store = await openSharedStore({ url, onError });
  const find = createClaimFinder(store.db);
  const found = async (query: Record<string, string>) => {
    const caller = {
      clientId: '',
      organizationId: 'insurer',
      kind: 'insurer',
      members: 1,
    } as const;
    const filters = { inspectionType: undefined, ...claimListQuery.parse(query) };
    const { total, claims: page } = await find(caller, filters);
    return [total, page[0]?.number];
  };
  expect(await found({ q: 'muller' })).toEqual([250, 250]);
  expect(await found({ q: 'muller', status: 'Final' })).toEqual([125, 250]);
  expect(await found({ q: 'muller 249', status: 'Created' })).toEqual([1, 249]);
  expect(await found({ q: 'older' })).toEqual([0, undefined]);
  await store.close();
  await dropDatabase(directory);
  await rm(directory, { recursive: true });
});
