import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { migration, SchemaMismatch, type SchemaStep } from '#shared/lib/schema-steps.ts';
import { StartError } from '../problem.ts';
import type { LimitTables, ReplayTables } from './tables.ts';

/**
 * The steps of a store in their order, written with Kysely because SQLite and PostgreSQL differ.
 * See `SchemaStep`: a step consists only of statements, and a released step never changes.
 */
export type Migrations = readonly {
  readonly name: string;
  readonly up: (db: Kysely<unknown>) => Promise<void>;
}[];

/** Connections for reading alone, by what is read. Neither waits for the other. */
export interface SlowReads<Tables> {
  /** For searches of words. */
  readonly searches: Kysely<Tables>;
  /** For lists whose total is counted from many rows. */
  readonly counts: Kysely<Tables>;
}

/**
 * A server's store: files of one process, or a database that several processes share. Transactions
 * run one after the other over all processes.
 */
export interface Store<Tables> {
  /** The database. A commit survives a power cut. */
  readonly db: Kysely<Tables>;
  /** The same database for queries that take long and must not hold up others. */
  readonly slow: SlowReads<Tables>;
  /**
   * The used jtis of proofs and assertions. They are in a separate database, because every request
   * writes one and would wait for the disk. They survive the end of the process, but not always a
   * power cut.
   */
  readonly replay: Kysely<ReplayTables>;
  /** The levels of the rate limits, if processes share them. */
  readonly limits: Kysely<LimitTables> | undefined;
  /** Runs a task at the start that only one process may run at a time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Whether `db` is connected to PostgreSQL; otherwise it is SQLite. */
export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** The names of types that differ: a column of bytes, and a number that the database increments. */
export function columnTypes<Tables>(db: Kysely<Tables>) {
  return isPostgres(db)
    ? ({ bytes: 'bytea', counting: 'serial' } as const)
    : ({ bytes: 'blob', counting: 'integer' } as const);
}

/**
 * Runs the steps that a database lacks, all of them or none, and records them.
 * @throws {StartError} if a later version, or no released one, made the database
 * @throws {Error} if a step fails
 */
export async function migrate<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<void> {
  try {
    const steps = await compileSteps(isPostgres(db), migrations);
    await inOneTransaction(db, (session) => runMigration(session, steps));
  } catch (error) {
    const mismatch = mismatchText(error);
    if (mismatch !== null) throw new StartError(mismatch, { cause: error });
    throw new Error(`the store could not be migrated: ${reasonOf(error)}`, { cause: error });
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : 'no reason given');

function mismatchText(error: unknown): string | null {
  if (!(error instanceof SchemaMismatch)) return null;
  return error.reason === 'newer'
    ? 'a later version has migrated the store, and this one cannot go back: start the later version'
    : 'no released version made the store, and this one cannot read it: take another folder or database';
}

async function runMigration<Tables>(
  session: Kysely<Tables>,
  steps: readonly SchemaStep[],
): Promise<void> {
  const commands = migration(steps);
  let rows: readonly unknown[] = [];
  for (;;) {
    const { done, value } = commands.next(rows);
    if (done === true) return;
    ({ rows } = await sql.raw(value.sql).execute(session));
  }
}

/**
 * The statements of each step, from a database that executes none. Therefore a step cannot read
 * anything.
 */
export async function compileSteps(
  isShared: boolean,
  migrations: Migrations,
): Promise<SchemaStep[]> {
  const steps: SchemaStep[] = [];
  for (const { name, up } of migrations) {
    const statements: string[] = [];
    await up(recorder(isShared, (text) => statements.push(text)));
    steps.push({ name, statements });
  }
  return steps;
}

function recorder(isShared: boolean, onStatement: (sql: string) => void): Kysely<unknown> {
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => (isShared ? new PostgresAdapter() : new SqliteAdapter()),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) =>
        isShared ? new PostgresIntrospector(db) : new SqliteIntrospector(db),
      createQueryCompiler: () =>
        isShared ? new PostgresQueryCompiler() : new SqliteQueryCompiler(),
    },
    log: ({ query }) => {
      onStatement(query.sql);
    },
  });
}

async function inOneTransaction<Tables>(
  db: Kysely<Tables>,
  run: (session: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  if (isPostgres(db)) {
    await db.transaction().execute(run);
    return;
  }
  // A transaction of Kysely would acquire the lock only at the first write.
  await db.connection().execute(async (session) => {
    await sql`begin immediate`.execute(session);
    try {
      await run(session);
      await sql`commit`.execute(session);
    } catch (error) {
      // If its disk is full, SQLite has already rolled back and refuses this statement.
      await sql`rollback`.execute(session).catch(() => undefined);
      throw error;
    }
  });
}
