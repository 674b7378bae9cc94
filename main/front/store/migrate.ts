import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';

/**
 * Runs the migrations that a database lacks, all of them or none.
 * @throws {Error} if a later version of the service has migrated the database, or a migration
 *   fails.
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  if (db.getExecutor().adapter.supportsTransactionalDdl) {
    await migrateToLatest(db, migrations);
    return;
  }
  // Kysely opens no transaction for SQLite's schema changes, although SQLite has them.
  await db.connection().execute(async (session) => {
    await sql`begin immediate`.execute(session);
    try {
      await migrateToLatest(session, migrations);
      await sql`commit`.execute(session);
    } catch (error) {
      // SQLite rolls back by itself if its disk is full, and then refuses this.
      await sql`rollback`.execute(session).catch(() => undefined);
      throw error;
    }
  });
}

async function migrateToLatest<Tables>(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const provider = { getMigrations: () => Promise.resolve(migrations) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error === undefined) return;
  const reason = error instanceof Error ? error.message : 'no reason given';
  // The migrator reports it in its message only.
  const isLater = /previously executed .* is missing/.test(reason);
  throw new Error(
    isLater
      ? 'a later version of the service has migrated the store, and this one cannot go back'
      : `the store could not be migrated: ${reason}`,
    { cause: error },
  );
}
