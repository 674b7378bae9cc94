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
import { z } from 'zod';
import { missingSteps, SchemaMismatch, type SchemaStep } from '#shared/lib/schema-steps.ts';
import type { LimitTables, ReplayTables } from './tables.ts';

/**
 * The steps of a store in their order, in Kysely's words, as SQLite and PostgreSQL differ. See
 * `SchemaStep`: only statements, and one that may be in a store never changes.
 */
export type Migrations = readonly {
  readonly name: string;
  up(db: Kysely<unknown>): Promise<void>;
}[];

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
 * Runs the steps that a database lacks, all of them or none, and records them.
 * @throws {Error} if a later or a trial version made the database, or a step fails.
 */
export async function migrate<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<void> {
  try {
    const steps = await stepsOf(db, migrations);
    await inOneTransaction(db, (session) => runSteps(session, steps));
  } catch (error) {
    throw new Error(mismatchText(error) ?? `the store could not be migrated: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : 'no reason given');

function mismatchText(error: unknown): string | null {
  if (!(error instanceof SchemaMismatch)) return null;
  return error.reason === 'newer'
    ? 'a later version of the service has migrated the store, and this one cannot go back'
    : 'a trial version of the service made the store, and this one cannot read it: take another folder or database';
}

/** The statements of each step, from a database that runs none: a step cannot read anything. */
async function stepsOf<Tables>(db: Kysely<Tables>, migrations: Migrations): Promise<SchemaStep[]> {
  const steps: SchemaStep[] = [];
  for (const migration of migrations) {
    const { name } = migration;
    const statements: string[] = [];
    await migration.up(recorder(isPostgres(db), (text) => statements.push(text)));
    steps.push({ name, statements: JSON.stringify(statements) });
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

async function runSteps<Tables>(
  session: Kysely<Tables>,
  steps: readonly SchemaStep[],
): Promise<void> {
  await refuseUnrecorded(session);
  await sql`create table if not exists schema_steps (
    number integer primary key, name text not null, statements text not null)`.execute(session);
  const { rows: applied } =
    await sql<SchemaStep>`select name, statements from schema_steps order by number`.execute(
      session,
    );
  for (const step of missingSteps(applied, steps)) {
    for (const statement of z.array(z.string()).parse(JSON.parse(step.statements))) {
      await sql.raw(statement).execute(session);
    }
    await sql`insert into schema_steps (number, name, statements)
      values (${steps.indexOf(step) + 1}, ${step.name}, ${step.statements})`.execute(session);
  }
}

/** A trial version recorded its steps elsewhere, and not their content. */
async function refuseUnrecorded<Tables>(session: Kysely<Tables>): Promise<void> {
  const tables = await session.introspection.getTables({ withInternalKyselyTables: true });
  const has = (name: string) => tables.some((table) => table.name === name);
  if (has('kysely_migration') && !has('schema_steps')) throw new SchemaMismatch('changed', 1, 1);
}

async function inOneTransaction<Tables>(
  db: Kysely<Tables>,
  run: (session: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  if (isPostgres(db)) {
    await db.transaction().execute(run);
    return;
  }
  // Kysely's own transaction takes the lock only at the first write.
  await db.connection().execute(async (session) => {
    await sql`begin immediate`.execute(session);
    try {
      await run(session);
      await sql`commit`.execute(session);
    } catch (error) {
      // SQLite rolls back by itself if its disk is full, and then refuses this.
      await sql`rollback`.execute(session).catch(() => undefined);
      throw error;
    }
  });
}
