import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely';

/**
 * Queues this process's transactions before they take a connection. Otherwise a few that wait for
 * another process would hold the whole pool, and reads, which need no lock, would wait too.
 *
 * @param dialect one whose transactions run one after the other.
 * @param timeoutMs how long a transaction waits for those before it.
 */
export function inTurn(dialect: Dialect, timeoutMs: number): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => new QueueingDriver(dialect.createDriver(), timeoutMs),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

class QueueingDriver implements Driver {
  readonly #driver: Driver;
  readonly #timeoutMs: number;
  /** Resolves after the last transaction that runs or waits. */
  #last: Promise<void> = Promise.resolve();

  constructor(driver: Driver, timeoutMs: number) {
    this.#driver = driver;
    this.#timeoutMs = timeoutMs;
  }

  init(): Promise<void> {
    return this.#driver.init();
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(new LazyConnection(this.#driver));
  }

  async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    const lazy = lazyOf(connection);
    const before = this.#last;
    // A transaction that timed out ends its turn only after those before it, so none overtakes.
    const turn = lazy.takeTurn();
    // Not Promise.all, whose value would keep every earlier one in memory.
    this.#last = before.then(() => turn);
    await within(this.#timeoutMs, before);
    await this.#driver.beginTransaction(await lazy.open(), settings);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#driver.commitTransaction(await lazyOf(connection).open());
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#driver.rollbackTransaction(await lazyOf(connection).open());
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return lazyOf(connection).close();
  }

  destroy(): Promise<void> {
    return this.#driver.destroy();
  }
}

/** Takes a connection from the pool at its first use. */
class LazyConnection implements DatabaseConnection {
  readonly #driver: Driver;
  #opened: Promise<DatabaseConnection> | undefined;
  #endTurn: () => void = () => undefined;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  open(): Promise<DatabaseConnection> {
    this.#opened ??= this.#driver.acquireConnection();
    return this.#opened;
  }

  /** Resolves when the connection is closed, whether the transaction began or not. */
  takeTurn(): Promise<void> {
    return new Promise((resolve) => (this.#endTurn = resolve));
  }

  async close(): Promise<void> {
    try {
      // A connection that could not be opened has failed its query already.
      const connection = await this.#opened?.catch(() => undefined);
      if (connection) await this.#driver.releaseConnection(connection);
    } finally {
      this.#endTurn();
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const connection = await this.open();
    return connection.executeQuery<Row>(query);
  }

  async *streamQuery<Row>(
    query: CompiledQuery,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<Row>> {
    const connection = await this.open();
    yield* connection.streamQuery<Row>(query, chunkSize);
  }
}

/** @throws {Error} if the task takes longer. */
async function within(ms: number, task: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error('the transactions before this one did not end in time'));
    }, ms);
  });
  try {
    await Promise.race([task, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function lazyOf(connection: DatabaseConnection): LazyConnection {
  if (connection instanceof LazyConnection) return connection;
  throw new TypeError('the connection is of another driver');
}
