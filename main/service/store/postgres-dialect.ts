/* Everything specific to PostgreSQL: connections, transactions in turn, column types, search. */
import {
  CompiledQuery,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type DatabaseConnection,
  type Dialect,
  type TransactionSettings,
} from 'kysely';
import type { DialectAdapter } from './store.ts';

/** How long to wait for a connection, ms. */
export const connectionTimeoutMs = 30_000;

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
    // A process that hangs inside a transaction must not block the others for ever.
    idle_in_transaction_session_timeout: 20_000,
    ...(options.durability === 'process' && { options: '-c synchronous_commit=off' }),
    types: parsers,
  });
  pool.on('error', (error) => options.onError(error));
  // A connection that breaks in use fails its query; without a listener the error would also end
  // the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    createDriver: () => new OneWriterDriver({ pool }, options.onTime),
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
class OneWriterDriver extends PostgresDriver {
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

/** PostgreSQL's text holds no NUL. No stored text has one, so a query for it finds nothing. */
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

export const postgresAdapter: DialectAdapter = {
  bytesType: 'bytea',
  countingType: 'serial',

  async createOwnSchema(db) {
    try {
      await sql`create extension if not exists pg_trgm`.execute(db);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'no reason given';
      throw new Error(
        `its extension pg_trgm, which serves searches, cannot be created (${reason}); have an administrator run CREATE EXTENSION pg_trgm in it`,
        { cause: error },
      );
    }
    await sql`create index claim_payloads_by_trigram on claim_payloads
      using gin (search_text gin_trgm_ops)`.execute(db);
    // Unlogged, because buckets that are full after a crash of the database do no harm.
    await sql`create unlogged table rate_limits (
      name text primary key, level double precision not null, at bigint not null,
      wait_ms double precision not null, idle_from bigint not null
    )`.execute(db);
  },

  containsWords(words) {
    const conditions = words.map(
      (word) => sql`search_text like ${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
    );
    return sql`claims.number in (
      select claim_number from claim_payloads where ${sql.join(conditions, sql` and `)})`;
  },
};
