import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely';

/**
 * Lets the transactions of this process queue for the lock that they all need before they take a
 * connection, and not with one each in hand: else a few that wait for another process would have
 * all of the pool, and reading, which needs no lock, would wait with them.
 *
 * @param dialect one whose transactions come one after the other.
 * @param patienceMs how long a transaction waits for those before it, like the pool for a
 *   connection: where one hangs, all that wait behind it are refused after the same time.
 */
export function inTurn(dialect: Dialect, patienceMs: number): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => new TurnTakingDriver(dialect.createDriver(), patienceMs),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

class TurnTakingDriver implements Driver {
  readonly #driver: Driver;
  readonly #patienceMs: number;
  /** Ends with the last of the transactions that have begun or wait. */
  #last: Promise<void> = Promise.resolve();

  constructor(driver: Driver, patienceMs: number) {
    this.#driver = driver;
    this.#patienceMs = patienceMs;
  }

  init(): Promise<void> {
    return this.#driver.init();
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(new LateConnection(this.#driver));
  }

  async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    const late = lateOf(connection);
    const before = this.#last;
    // The turn of one that gave up ends after those before it, too, and lets nobody pass them.
    const turn = late.takeTurn();
    // Not Promise.all, whose value would hold on to that of each one before it, for ever.
    this.#last = before.then(() => turn);
    await within(this.#patienceMs, before);
    await this.#driver.beginTransaction(await late.open(), settings);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#driver.commitTransaction(await lateOf(connection).open());
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#driver.rollbackTransaction(await lateOf(connection).open());
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return lateOf(connection).close();
  }

  destroy(): Promise<void> {
    return this.#driver.destroy();
  }
}

/** A connection that is taken from the pool when it is first used. */
class LateConnection implements DatabaseConnection {
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

  /** The turn that ends when the connection is closed, whether the transaction began or not. */
  takeTurn(): Promise<void> {
    return new Promise((resolve) => (this.#endTurn = resolve));
  }

  async close(): Promise<void> {
    try {
      // One that could not be opened was told of where it was asked for.
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

/** @throws where it takes longer. */
async function within(ms: number, task: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error('the transactions before this one did not end in time'));
    }, ms);
  });
  try {
    await Promise.race([task, late]);
  } finally {
    clearTimeout(timer);
  }
}

function lateOf(connection: DatabaseConnection): LateConnection {
  if (connection instanceof LateConnection) return connection;
  throw new TypeError('the connection is of another driver');
}
