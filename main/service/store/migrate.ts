import { sql, type Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration';
import { organizationsAndSecurity } from './migrations/0001-organizations-and-security.ts';
import { claims } from './migrations/0002-claims.ts';
import { usedJtisAndUploads } from './migrations/0003-used-jtis-and-uploads.ts';
import { rateLimits } from './migrations/0004-rate-limits.ts';
import { searchFacets } from './migrations/0005-search-facets.ts';
import { documentsInObjects } from './migrations/0006-documents-in-objects.ts';
import { searchByOwner } from './migrations/0007-search-by-owner.ts';
import { lastChange } from './migrations/0008-last-change.ts';
import { usedJtis } from './replay-migrations/0001-used-jtis.ts';

type Migrations = Readonly<Record<string, Migration>>;

const common: Migrations = {
  '0001-organizations-and-security': organizationsAndSecurity,
  '0002-claims': claims,
  '0003-used-jtis-and-uploads': usedJtisAndUploads,
  '0006-documents-in-objects': documentsInObjects,
  '0008-last-change': lastChange,
};

/** In the order of their names; a number is never used twice, a file never changed. */
export const migrations: Migrations = {
  ...common,
  // What it entered, 0007 throws away and enters in another form.
  '0005-search-facets': { up: () => Promise.resolve() },
  '0007-search-by-owner': searchByOwner,
};

/** Those of a store that several processes share. */
export const sharedMigrations: Migrations = {
  ...common,
  '0004-rate-limits': rateLimits,
  '0005-search-facets': searchFacets,
};

export const replayMigrations: Migrations = { '0001-used-jtis': usedJtis };

/**
 * Brings a database up to date, all of it or nothing, so that a process that dies meanwhile leaves
 * a store which the next can bring up to date.
 * @throws {Error} where a later version of the service has been at it, of whose tables this one
 *   knows nothing, or a migration fails.
 */
export async function migrate<Tables>(db: Kysely<Tables>, list: Migrations): Promise<void> {
  if (await isUpToDate(db, list)) return;
  if (db.getExecutor().adapter.supportsTransactionalDdl) {
    await migrateToLatest(db, list);
    return;
  }
  // Kysely has no transaction for changes of SQLite's tables, although SQLite has.
  await db.connection().execute(async (session) => {
    await sql`begin immediate`.execute(session);
    try {
      await migrateToLatest(session, list);
      await sql`commit`.execute(session);
    } catch (error) {
      // SQLite has rolled back by itself where its disk is full, and then says so.
      await sql`rollback`.execute(session).catch(() => undefined);
      throw error;
    }
  });
}

/** The migrator learns the same from the whole schema, which takes a good part of a start. */
async function isUpToDate<Tables>(db: Kysely<Tables>, list: Migrations): Promise<boolean> {
  const table = sql.table(DEFAULT_MIGRATION_TABLE);
  try {
    const { rows } = await sql<{ name: string }>`select name from ${table}`.execute(db);
    const names = rows.map(({ name }) => name).toSorted();
    return names.join() === Object.keys(list).toSorted().join();
  } catch {
    // A store without the table is new, and whatever else is wrong the migrator says.
    return false;
  }
}

async function migrateToLatest<Tables>(db: Kysely<Tables>, list: Migrations): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(list) } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  // The migrator has no other sign of it than its words.
  const isLater = error instanceof Error && /previously executed .* is missing/.test(error.message);
  throw new Error(
    isLater
      ? 'the store was brought up to date by a later version of the service, and cannot go back'
      : 'the store could not be migrated',
    { cause: error },
  );
}
