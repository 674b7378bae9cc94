/**
 * Everything that is PostgreSQL's own, beside shared-limits.ts: connections, transactions that
 * write one after the other, column types, full text.
 */
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
import type { DialectWords, SearchEntry } from './dialect-words.ts';
import { searchTokens } from './search-tokens.ts';

/** How long it is waited for a connection, ms. */
export const connectionPatienceMs = 30_000;

/** Numbers of advisory locks; the same in every process that shares the database. */
export const locks = { start: 0x6170_7001, transaction: 0x6170_7002 };

export interface PostgresOptions {
  /** postgres://user@host/database; what it leaves out comes from PGPASSWORD and its kind. */
  readonly url: string;
  /** How many connections may be open at a time. */
  readonly connections: number;
  /**
   * `full`: a commit that was answered survives the death of the database server. `process`: it
   * survives the death of this process, but the last ones not always that of the server.
   */
  readonly durability: 'full' | 'process';
  /**
   * Told the database's time, milliseconds since 1970, at the beginning of each transaction. It is
   * never ahead of the time at which the next transaction of any process begins.
   */
  readonly onTime?: ((nowMs: number) => void) | undefined;
  /** Told of a connection that broke while nobody used it. */
  readonly onError: (error: Error) => void;
}

/** Connects to PostgreSQL for Kysely; nothing is asked of the server yet. */
export async function postgresDialect(options: PostgresOptions): Promise<Dialect> {
  // Only who shares a database pays for loading the driver.
  const { Pool, types, TypeOverrides } = (await import('pg')).default;
  const parsers = new TypeOverrides();
  // Counts, sums in Rappen and times in milliseconds: all of them below 2^53.
  parsers.setTypeParser(types.builtins.INT8, Number);
  const pool = new Pool({
    connectionString: options.url,
    max: options.connections,
    keepAlive: true,
    connectionTimeoutMillis: connectionPatienceMs,
    application_name: 'appraiser-service',
    // A process that hangs inside a transaction must not hold up the others for ever.
    idle_in_transaction_session_timeout: 20_000,
    ...(options.durability === 'process' && { options: '-c synchronous_commit=off' }),
    types: parsers,
  });
  pool.on('error', (error) => options.onError(error));
  // The pool hears those that nobody uses. One that breaks in use tells whoever uses it by its
  // query; unheard, its error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    createDriver: () => new OneWriterDriver({ pool }, options.onTime),
    createQueryCompiler: () => new TextCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

/**
 * Lets transactions begin one after the other, over all processes, as SQLite does. So each sees
 * all that was changed before it, and changes become visible in the order of their times, without
 * which a partner's lastChangedSince could pass by a change that was committed late. Reading, and
 * writing without a transaction, waits for nobody.
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
    // What stands after `from` is done before the time is asked for.
    const { rows } = await connection.executeQuery<{ now: number }>(
      CompiledQuery.raw(`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now
        from pg_advisory_xact_lock(${locks.transaction})`),
    );
    for (const { now } of rows) this.#onTime?.(now);
  }
}

/** PostgreSQL's text holds no NUL. Nothing that is stored has one; whoever asks finds nothing. */
class TextCompiler extends PostgresQueryCompiler {
  protected override addParameter(parameter: unknown): void {
    super.addParameter(
      typeof parameter === 'string' ? parameter.replaceAll('\0', '\ufffd') : parameter,
    );
  }
}

/** Takes the lock under which processes start one after the other; it ends with the session. */
export const takeStartLock = CompiledQuery.raw(`select pg_advisory_lock(${locks.start})`);
export const releaseStartLock = CompiledQuery.raw(`select pg_advisory_unlock(${locks.start})`);

/** Characters of a token in the index, whose entries may have 2,700 bytes. */
const indexedLength = 255;

const indexed = (tokens: readonly string[]) => [
  ...new Set(tokens.map((token) => token.slice(0, indexedLength))),
];

/** Tokens as one text, in which a phrase is found as part of it. */
const phrase = (tokens: readonly string[]) => ` ${tokens.join(' ')} `;

/** One row for all owners: the index that PostgreSQL has meets several tokens in one walk. */
const entryTokens = ({ owners, text }: SearchEntry) => [...owners, ...searchTokens(text)];

export const postgresWords: DialectWords = {
  bytesType: 'bytea',
  countingType: 'serial',

  /**
   * Our own tokens, because PostgreSQL's parser takes apart what people search for, like plates and
   * telephone numbers, in another way than FTS5. The array leads; the text tells phrases.
   */
  async createSearchIndex(db) {
    await sql`create table claims_search (
      claim_number integer primary key references claims (number),
      words text[] not null,
      text text not null
    )`.execute(db);
    await sql`create index claims_search_by_words on claims_search using gin (words)`.execute(db);
  },

  async insertSearchEntry(db, entry) {
    const tokens = entryTokens(entry);
    await sql`insert into claims_search (claim_number, words, text)
      values (${entry.claimNumber}, ${indexed(tokens)}, ${phrase(tokens)})`.execute(db);
  },

  async replaceSearchEntry(db, entry) {
    const tokens = entryTokens(entry);
    await sql`update claims_search set words = ${indexed(tokens)}, text = ${phrase(tokens)}
      where claim_number = ${entry.claimNumber}`.execute(db);
  },

  hitsOf(db, { owner, words, facets }) {
    const phrases = words.map((word) => searchTokens(word)).filter((tokens) => tokens.length > 0);
    const isPlain = (tokens: readonly string[]) =>
      tokens.length === 1 && tokens.every((token) => token.length <= indexedLength);
    const conditions = [
      // As in FTS5, a word without any letter or digit asks for nothing, and only such for naught.
      phrases.length === 0
        ? sql`false`
        : sql`words @> ${indexed([...phrases.flat(), owner, ...facets])}::text[]`,
      ...phrases
        .filter((tokens) => !isPlain(tokens))
        .map((tokens) => sql`strpos(text, ${phrase(tokens)}) > 0`),
    ];
    const found = sql`from claims_search where ${sql.join(conditions, sql` and `)}`;
    return Promise.resolve({
      async count() {
        const { rows } = await sql<{ total: number }>`select count(*) as total ${found}`.execute(
          db,
        );
        return rows[0]?.total ?? 0;
      },
      numbers(newest) {
        const order = newest
          ? sql`order by claim_number desc limit ${newest.limit} offset ${newest.offset}`
          : sql``;
        return sql<number>`(select claim_number ${found} ${order})`;
      },
    });
  },

  rowsAtOnce: () => undefined,
};
