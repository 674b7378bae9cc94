import { PostgresAdapter, type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { LimitTables, ReplayTables } from './tables.ts';

/** Migrations in the order of their names; a released one never changes. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * A server's store: files of one process, or a database that several processes share.
 * Transactions run one after the other, over all processes.
 */
export interface Store<Tables> {
  /** A commit survives a power cut. */
  readonly db: Kysely<Tables>;
  /**
   * Used jtis of proofs and assertions. A separate database, because every request writes one and
   * would wait for the disk. They survive the death of the process, but not always a power cut.
   */
  readonly replay: Kysely<ReplayTables>;
  /** Levels of the rate limits, if processes share them. */
  readonly limits: Kysely<LimitTables> | undefined;
  /** Runs a start-up task that only one process may run at a time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Whether `db` is connected to PostgreSQL; else it is SQLite. */
export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** The names of types that differ: a column of bytes, and a number that counts up by itself. */
export function columnTypes<Tables>(db: Kysely<Tables>) {
  return isPostgres(db)
    ? ({ bytes: 'bytea', counting: 'serial' } as const)
    : ({ bytes: 'blob', counting: 'integer' } as const);
}

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
