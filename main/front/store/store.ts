import { PostgresAdapter, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
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
   * Used jtis of proofs and assertions. Apart, because every request writes one and would wait for
   * the disk; they survive the death of the process, but not always a power cut.
   */
  readonly replay: Kysely<ReplayTables>;
  /** Levels of the rate limits, if processes share them. */
  readonly limits: Kysely<LimitTables> | undefined;
  /** Runs what only one process at a time may do while it starts. */
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
