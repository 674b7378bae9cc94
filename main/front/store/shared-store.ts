import {
  Kysely,
  CompiledQuery,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type TransactionSettings,
} from 'kysely';
import { z } from 'zod';
import { StartError } from '../problem.ts';
import { migrate, type Migrations, type Store } from './store.ts';
import { oneWriter } from './one-writer.ts';
import type { LimitTables, ReplayTables } from './tables.ts';
/* Everything specific to PostgreSQL: connections, transactions in turn. */

export interface SharedStoreOptions extends Pick<PostgresOptions, 'url' | 'onTime' | 'onError'> {
  readonly migrations: Migrations;
}

/** Connections of a process: for reads, and for the jtis and limits that every request writes. */
const connections = { reads: 11, passing: 4 };

/**
 * Opens a store in PostgreSQL that several processes share, and migrates it.
 * @throws {StartError} if the server cannot be reached, refuses, or a migration fails.
 */
export async function openSharedStore<Tables>(options: SharedStoreOptions): Promise<Store<Tables>> {
  const durable = (connections: number) =>
    postgresDialect({ ...options, connections, durability: 'full' });
  const db = new Kysely<Tables>({
    dialect: oneWriter(await durable(connections.reads), await durable(1)),
  });
  const passing = new Kysely<ReplayTables & LimitTables>({
    dialect: await postgresDialect({
      url: options.url,
      onError: options.onError,
      connections: connections.passing,
      durability: 'process',
    }),
  });

  const store: Store<Tables> = {
    db,
    replay: passing.$pickTables<'used_jtis'>(),
    limits: passing.$pickTables<'rate_limits'>(),
    alone: (work) =>
      db.connection().execute(async (session) => {
        await session.executeQuery(takeStartLock);
        try {
          return await work();
        } finally {
          await session.executeQuery(releaseStartLock);
        }
      }),
    close: async () => {
      await db.destroy();
      await passing.destroy();
    },
  };
  try {
    await store.alone(() => migrate(db, options.migrations));
  } catch (error) {
    await store.close();
    throw new StartError(`the database cannot be used: ${reasonOf(error)}`, { cause: error });
  }
  return store;
}

function reasonOf(error: unknown): string {
  const { message = '', code } = z
    .object({ message: z.string().optional(), code: z.string().optional() })
    .catch({})
    .parse(error);
  return message === '' ? (code ?? 'no reason given') : message;
}

/** How long to wait for a connection, ms. */
const connectionTimeoutMs = 30_000;

/** Numbers of advisory locks; the same in every process that shares the database. */
export const locks = { start: 0x6170_7001, transaction: 0x6170_7002 };

export interface PostgresOptions {
  /** postgres://user@host/database; PGPASSWORD and the like complete it. */
  readonly url: string;
  /** The most connections at a time. */
  readonly connections: number;
  /**
   * `full`: a commit survives the death of the database server. `process`: it survives the death of
   * this process, but the last ones not always that of the server.
   */
  readonly durability: 'full' | 'process';
  /**
   * Receives the database's time, milliseconds since 1970, when a transaction begins. It is never
   * ahead of the time at which the next transaction of any process begins.
   */
  readonly onTime?: ((nowMs: number) => void) | undefined;
  /** Receives the error of a connection that broke while idle. */
  readonly onError: (error: Error) => void;
}

/** Creates a pool of connections for Kysely, without a request to the server. */
export async function postgresDialect(options: PostgresOptions): Promise<Dialect> {
  // Lazily, because a service with files does not need the driver.
  const { Pool, types, TypeOverrides } = (await import('pg')).default;
  const parsers = new TypeOverrides();
  // Counts, amounts in Rappen and times in milliseconds are all below 2^53.
  parsers.setTypeParser(types.builtins.INT8, Number);
  const pool = new Pool({
    connectionString: options.url,
    max: options.connections,
    keepAlive: true,
    connectionTimeoutMillis: connectionTimeoutMs,
    application_name: 'appraiser-service',
    // A process that hangs inside a transaction must not block the others permanently.
    idle_in_transaction_session_timeout: 20_000,
    // Compiling a query takes longer than any of ours: it would begin with the size of the store.
    options: `-c jit=off${options.durability === 'process' ? ' -c synchronous_commit=off' : ''}`,
    types: parsers,
  });
  pool.on('error', (error) => options.onError(error));
  // A connection that breaks in use fails its query; without a listener the error would also end
  // the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    createDriver: () => new OneByOneDriver({ pool }, options.onTime),
    createQueryCompiler: () => new TextCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

/**
 * Begins transactions one after the other, over all processes, as SQLite does. So each sees all
 * earlier changes, and changes become visible in the order of their times; otherwise a partner's
 * lastChangedSince could skip a change that was committed late. Reads, and writes without a
 * transaction, do not wait.
 */
class OneByOneDriver extends PostgresDriver {
  readonly #onTime: ((nowMs: number) => void) | undefined;

  constructor(
    config: ConstructorParameters<typeof PostgresDriver>[0],
    onTime: ((nowMs: number) => void) | undefined,
  ) {
    super(config);
    this.#onTime = onTime;
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await super.beginTransaction(connection, settings);
    // The lock, after `from`, is taken before the time is read.
    const { rows } = await connection.executeQuery<{ now: number }>(
      CompiledQuery.raw(`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now
        from pg_advisory_xact_lock(${locks.transaction})`),
    );
    for (const { now } of rows) this.#onTime?.(now);
  }
}

/** PostgreSQL's text cannot contain NUL. No stored text has one, so a query for it finds nothing. */
class TextCompiler extends PostgresQueryCompiler {
  protected override addParameter(parameter: unknown): void {
    super.addParameter(
      typeof parameter === 'string' ? parameter.replaceAll('\0', '\ufffd') : parameter,
    );
  }
}

/** The lock under which processes start one after the other; it ends with the session. */
export const takeStartLock = CompiledQuery.raw(`select pg_advisory_lock(${locks.start})`);
export const releaseStartLock = CompiledQuery.raw(`select pg_advisory_unlock(${locks.start})`);
