import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClaimFinder } from '#main/service/claims/find-claims.ts';
import { claimListQuery } from '#main/service/claims/list-queries.ts';
import { openStore } from '#main/service/store/database.ts';
import { sqliteDialect, sqliteWords } from '#main/service/store/dialect.ts';
import { migrations } from '#main/service/store/migrate.ts';
import type { Database } from '#main/service/store/tables.ts';

/* SQLite's alone: the index of the other store has another form. */

/** More than are read at a time. */
const claims = 450;
const organizations = ['insurer', 'first-expert', 'second-expert'] as const;
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'migration-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** The store of version 6: one row of the index for each claim, under the claim's number. */
async function makeEarlierStore(): Promise<void> {
  const db = new Kysely<Database>({
    dialect: sqliteDialect(join(directory, 'service.db'), { durability: 'process' }),
  });
  const earlier = Object.entries(migrations).filter(([name]) => name < '0007');
  const provider = { getMigrations: () => Promise.resolve(Object.fromEntries(earlier)) };
  expect((await new Migrator({ db, provider }).migrateToLatest()).error).toBeUndefined();
  await sql`drop table claims_search`.execute(db);
  await sql`drop table search_owners`.execute(db);
  await sql`create virtual table claims_search using fts5(
    text, content='', contentless_delete=1, detail='full', tokenize='unicode61 remove_diacritics 2'
  )`.execute(db);
  await db.transaction().execute(async (transaction) => {
    for (const id of organizations) {
      const kind = id === 'insurer' ? 'insurer' : 'expert';
      await sql`insert into organizations values (${id}, ${kind}, '', '', '', '', 1, ${id}, 1)`.execute(
        transaction,
      );
    }
    for (let number = 1; number <= claims; number += 1) {
      // Every third is assigned to nobody, the others to the experts in turn.
      const expert = organizations[number % 3] ?? 'insurer';
      await sql`insert into claims values (${number}, ${`id-${number}`}, ${`SF-${number}`},
        'vehicle', ${number % 2 === 0 ? 'Final' : 'Created'}, 'insurer',
        ${expert === 'insurer' ? null : expert}, 'workshop', '', 0, 0, null, null,
        ${number}, ${number}, null, null)`.execute(transaction);
      await sql`insert into claim_payloads values (${number},
        ${JSON.stringify({ note: `Müller ${number}` })})`.execute(transaction);
      await sql`insert into claims_search (rowid, text) values (${number}, 'older')`.execute(
        transaction,
      );
    }
  });
  await db.destroy();
}

test('0007: the claims of a store of version 6 are found by whom they belong to', async () => {
  await makeEarlierStore();
  const store = await openStore({ directory });
  const find = createClaimFinder(store.db);
  const found = async (organizationId: string, query: Record<string, string>) => {
    const kind = organizationId === 'insurer' ? 'insurer' : 'expert';
    const caller = { clientId: '', organizationId, kind, members: 1 } as const;
    const filters = { inspectionType: undefined, ...claimListQuery.parse(query) };
    const { total, claims: page } = await find(caller, filters);
    return [total, page[0]?.number];
  };
  expect(await found('insurer', { q: 'muller' })).toEqual([450, 450]);
  expect(await found('insurer', { q: 'muller', status: 'Final' })).toEqual([225, 450]);
  expect(await found('first-expert', { q: 'muller' })).toEqual([150, 448]);
  expect(await found('second-expert', { q: 'muller' })).toEqual([150, 449]);
  expect(await found('second-expert', { q: '448' })).toEqual([0, undefined]);
  expect(await found('nobody', { q: 'muller' })).toEqual([0, undefined]);
  expect(await found('insurer', { q: 'older' })).toEqual([0, undefined]);
  const rows = await sql`select id from claims_search_docsize`.execute(store.db);
  expect(rows.rows).toHaveLength(450 + 300);
  await store.close();
});

test('0007: the index itself is told whose rows to walk, and gives the newest without sorting', async () => {
  const store = await openStore({ directory });
  const hits = await sqliteWords.hitsOf(store.db, { owner: 'o', words: ['zh'], facets: [] });
  for (const newest of [undefined, { limit: 50, offset: 0 }]) {
    const plan = await sql<{ detail: string }>`explain query plan
      select * from ${hits.numbers(newest)}`.execute(store.db);
    const details = plan.rows.map(({ detail }) => detail).join('\n');
    // FTS5's name of what it was given: a match in column 1, and both bounds of the row id.
    expect(details).toMatch(/VIRTUAL TABLE INDEX \d+:M1><$/m);
    expect(details).not.toContain('SUBQUERY');
    expect(details).not.toContain('TEMP B-TREE');
  }
  await store.close();
});
