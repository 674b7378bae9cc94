import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { inject } from 'vitest';
import { sqliteDialect } from '#main/front/store/file-store.ts';
import { postgresDialect } from '#main/front/store/shared-store.ts';
import { createDatabase, databaseOf, dropDatabase } from '../../service/support/database.ts';

/** The kinds of database of this run of the tests: PostgreSQL is there only if it was started. */
export const databaseKinds =
  inject('postgresSocket') === undefined
    ? (['sqlite'] as const)
    : (['sqlite', 'postgres'] as const);

export interface DatabaseForTest<Tables> {
  readonly db: Kysely<Tables>;
  remove(): Promise<void>;
}

/** Opens an empty database. */
export async function openDatabase<Tables>(
  kind: (typeof databaseKinds)[number],
): Promise<DatabaseForTest<Tables>> {
  if (kind === 'sqlite') {
    const db = new Kysely<Tables>({
      dialect: sqliteDialect(':memory:', { durability: 'process' }),
    });
    return { db, remove: () => db.destroy() };
  }
  const directory = join(tmpdir(), randomUUID());
  await createDatabase(directory);
  const dialect = await postgresDialect({
    url: databaseOf(directory)?.url ?? '',
    connections: 2,
    durability: 'process',
    onError: () => undefined,
  });
  const db = new Kysely<Tables>({ dialect });
  return {
    db,
    async remove() {
      await db.destroy();
      await dropDatabase(directory);
    },
  };
}
