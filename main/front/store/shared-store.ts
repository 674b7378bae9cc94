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
import { limitQueries } from './limited-pool.ts';
import { migrate, type Migrations, type Store } from './store.ts';
import { oneWriter } from './one-writer.ts';
import { watchWait, type StoreWatch } from './store-watch.ts';
import type { LimitTables, ReplayTables } from './tables.ts';
/* Everything specific to PostgreSQL: connections, transactions in turn. */

export interface SharedStoreOptions extends Pick<
  PostgresOptions,
  'url' | 'onTime' | 'onError' | 'watch'
> {
  readonly migrations: Migrations;
}

/**
 * The number of connections of a process: for reads, and for the jtis and limits that every request
 * writes.
 */
const connections = { reads: 11, passing: 4 };
/**
 * The connections of a start: one has the lock, and one migrates. They end when nobody uses them.
 */
const startConnections = 2;

/**
 * The longest query. It is longer than the time after which the database ends a transaction that
 * does nothing, for which others wait.
 */
const queryTimeoutMs = 25_000;

/**
 * Opens a store in PostgreSQL that several processes share, and migrates it.
 * @throws {StartError} if the server cannot be reached, refuses, or a migration fails.
 */
export async function openSharedStore<Tables>(options: SharedStoreOptions): Promise<Store<Tables>> {
  const durable = (name: string, connections: number, limitMs?: number) =>
    postgresDialect({ ...options, name, connections, durability: 'full', queryTimeoutMs: limitMs });
  const db = new Kysely<Tables>({
    dialect: oneWriter(
      await durable('reads', connections.reads, queryTimeoutMs),
      await durable('changes', 1, queryTimeoutMs),
    ),
  });
  // A start may wait for that of another process, and a migration may take long.
  const starting = new Kysely<Tables>({ dialect: await durable('start', startConnections) });
  const passing = new Kysely<ReplayTables & LimitTables>({
    dialect: await postgresDialect({
      url: options.url,
      onError: options.onError,
      watch: options.watch,
      name: 'passing',
      connections: connections.passing,
      durability: 'process',
      queryTimeoutMs,
    }),
  });

  const store: Store<Tables> = {
    db,
    slow: { searches: db, counts: db },
    replay: passing.$pickTables<'used_jtis'>(),
    limits: passing.$pickTables<'rate_limits'>(),
    alone: (work) =>
      starting.connection().execute(async (session) => {
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
      await starting.destroy();
    },
  };
  try {
    await store.alone(() => migrate(starting, options.migrations));
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

/** The timeout for a connection, in ms. */
const connectionTimeoutMs = 30_000;

/** The time without a byte after which the system checks whether a connection still exists. */
export const keepAliveMs = 10_000;

/**
 * The same check by the database server. By default it would keep the session of a process that
 * vanished for two hours, with its locks, for which others wait, and with its place among the
 * connections.
 */
export const serverChecks = `-c tcp_keepalives_idle=${String(keepAliveMs / 1000)} -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3`;

/** The numbers of advisory locks, which are the same in every process that shares the database. */
export const locks = { start: 0x6170_7001, transaction: 0x6170_7002 };

export interface PostgresOptions {
  /** The address postgres://user@host/database. PGPASSWORD and similar variables complete it. */
  readonly url: string;
  /** The most connections at the same time. */
  readonly connections: number;
  /**
   * With `full`, a commit survives a crash of the database server. With `process`, it survives the
   * end of this process, but the last commits may not survive a crash of the server.
   */
  readonly durability: 'full' | 'process';
  /** The longest query in ms; undefined if queries may wait. */
  readonly queryTimeoutMs?: number | undefined;
  /**
   * Receives the database's time in milliseconds since 1970 when a transaction begins. It is never
   * ahead of the time at which the next transaction of any process begins.
   */
  readonly onTime?: ((nowMs: number) => void) | undefined;
  /** Receives the error of a connection that broke while idle. */
  readonly onError: (error: Error) => void;
  /** The name of the pool in the figures. */
  readonly name?: string | undefined;
  /** Takes the figures of the pool; nobody by default. */
  readonly watch?: StoreWatch | undefined;
}

/** Creates a pool of connections for Kysely, without a request to the server. */
export async function postgresDialect(options: PostgresOptions): Promise<Dialect> {
  // The driver is loaded lazily, because a service with files does not need it.
  const { Pool, types, TypeOverrides } = (await import('pg')).default;
  const parsers = new TypeOverrides();
  // The cast to a number is safe: counts, amounts in Rappen and times in milliseconds are below
  // 2^53.
  parsers.setTypeParser(types.builtins.INT8, Number);
  const pool = new Pool({
    connectionString: options.url,
    max: options.connections,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    connectionTimeoutMillis: connectionTimeoutMs,
    application_name: 'appraiser-service',
    // A process that hangs within a transaction must not block the others permanently.
    idle_in_transaction_session_timeout: 20_000,
    // The compilation (jit) is off: it would begin with a large store, and takes longer than any
    // query of the server.
    options: `${serverChecks} -c jit=off${options.durability === 'process' ? ' -c synchronous_commit=off' : ''}`,
    types: parsers,
  });
  const { name = 'connections', watch } = options;
  watch?.addPool(name, pool);
  pool.on('error', (error) => options.onError(error));
  // A connection that breaks in use fails its query; without a listener the error would also end
  // the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    createDriver: () =>
      new OneByOneDriver(
        { pool: limitQueries(pool, options.queryTimeoutMs, { name, watch }) },
        options,
      ),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

/**
 * Begins transactions one after the other over all processes, as SQLite does. So each transaction
 * sees all earlier changes, and changes become visible in the order of their times. Otherwise a
 * partner's lastChangedSince could skip a change that was committed late. Reads, and writes without
 * a transaction, do not wait.
 */
class OneByOneDriver extends PostgresDriver {
  readonly #options: Pick<PostgresOptions, 'onTime' | 'watch' | 'name'>;

  constructor(
    config: ConstructorParameters<typeof PostgresDriver>[0],
    options: Pick<PostgresOptions, 'onTime' | 'watch' | 'name'>,
  ) {
    super(config);
    this.#options = options;
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await super.beginTransaction(connection, settings);
    const { onTime, watch, name: pool = '' } = this.#options;
    const { rows } = await watchWait(watch, { wait: 'turn', pool }, () =>
      connection.executeQuery<{ now: number }>(takeTurn),
    );
    for (const { now } of rows) onTime?.(now);
  }
}

/**
 * The turn of a transaction, and the database's time. The lock, which is after `from`, is acquired
 * before the time is read.
 */
const takeTurn = CompiledQuery.raw(
  `select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now
    from pg_advisory_xact_lock(${locks.transaction})`,
);

/** The lock under which processes start one after the other. It ends with the session. */
export const takeStartLock = CompiledQuery.raw(`select pg_advisory_lock(${locks.start})`);
export const releaseStartLock = CompiledQuery.raw(`select pg_advisory_unlock(${locks.start})`);
