import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { openStore } from '#main/service/store/database.ts';
import { sqliteDialect } from '#main/service/store/dialect.ts';
import { organizationsAndSecurity } from '#main/service/store/migrations/0001-organizations-and-security.ts';

test('0002: a store of version 1 gets the claims and keeps what it had', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'migration-'));
  const before = new Kysely<Record<string, never>>({
    dialect: sqliteDialect(join(directory, 'service.db'), { durability: 'full' }),
  });
  const migrations = { '0001-organizations-and-security': organizationsAndSecurity };
  const migrator = new Migrator({
    db: before,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  await sql`insert into organizations values
    ('o', 'expert', 'E', '', '', '', 1, 'c', 1)`.execute(before);
  await before.destroy();

  const store = await openStore({ directory });
  const organizations = await store.db.selectFrom('organizations').select('id').execute();
  expect(organizations).toEqual([{ id: 'o' }]);
  const claims = await store.db.selectFrom('claims').selectAll().execute();
  expect(claims).toEqual([]);
  await store.close();
  await rm(directory, { recursive: true });
});

test.each(['insurer', 'expert'] as const)(
  '0002: both orders of the %s list come from an index, without sorting',
  async (kind) => {
    const directory = await mkdtemp(join(tmpdir(), 'migration-'));
    const store = await openStore({ directory });
    for (const [order, index] of [
      ['created_at desc', 'creation'],
      ['last_changed_at', 'change'],
    ] as const) {
      const plan = await sql<{ detail: string }>`explain query plan
        select number from claims where ${sql.ref(`${kind}_organization_id`)} = 'x'
        order by ${sql.raw(order)}, id limit 50`.execute(store.db);
      const details = plan.rows.map(({ detail }) => detail).join('\n');
      expect(details).toContain(`claims_by_${kind}_and_${index}`);
      expect(details).not.toContain('TEMP B-TREE');
    }
    await store.close();
    await rm(directory, { recursive: true });
  },
);
