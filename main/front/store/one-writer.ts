import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely';

/**
 * Gives transactions a separate pool with one connection, so that they queue in their order. In a
 * common pool, a few transactions that wait for another process would occupy all connections, and
 * reads, which need no lock, would wait as well.
 */
export function oneWriter(readers: Dialect, writer: Dialect): Dialect {
  return { ...readers, createDriver: () => new OneWriterDriver(readers, writer) };
}

class OneWriterDriver implements Driver {
  readonly #readers: Driver;
  readonly #writer: Driver;

  constructor(readers: Dialect, writer: Dialect) {
    this.#readers = readers.createDriver();
    this.#writer = writer.createDriver();
  }

  async init(): Promise<void> {
    await this.#readers.init();
    await this.#writer.init();
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(new LazyConnection(this.#readers));
  }

  async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    const opened = await lazyOf(connection).open(this.#writer);
    await this.#writer.beginTransaction(opened, settings);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#writer.commitTransaction(await lazyOf(connection).open());
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#writer.rollbackTransaction(await lazyOf(connection).open());
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return lazyOf(connection).close();
  }

  async destroy(): Promise<void> {
    await this.#writer.destroy();
    await this.#readers.destroy();
  }
}

/** A connection that is opened at its first use, because the use determines the pool. */
class LazyConnection implements DatabaseConnection {
  #driver: Driver;
  #opened: Promise<DatabaseConnection> | undefined;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  open(driver = this.#driver): Promise<DatabaseConnection> {
    if (this.#opened) return this.#opened;
    this.#driver = driver;
    return (this.#opened = driver.acquireConnection());
  }

  async close(): Promise<void> {
    // If the connection could not be opened, its query has already failed.
    const connection = await this.#opened?.catch(() => undefined);
    if (connection) await this.#driver.releaseConnection(connection);
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

function lazyOf(connection: DatabaseConnection): LazyConnection {
  if (connection instanceof LazyConnection) return connection;
  throw new TypeError('the connection is of another driver');
}
