import { Worker } from 'node:worker_threads';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { ErrorOrigin } from '#shared/lib/error-origin.ts';

export interface ReadThreadData {
  readonly file: string;
}

/** A query for the thread. */
export interface ReadOrder {
  readonly id: number;
  readonly text: string;
  readonly parameters: readonly unknown[];
}

export type ReadReport =
  | { readonly id: number; readonly rows: unknown[] }
  | { readonly id: number; readonly failure: ErrorOrigin };

/**
 * A SQLite file that is read in a thread, one query after the other, so that a query that takes
 * long holds up no request of others. It sees every commit that was made before the query. The
 * thread starts with the first query.
 */
export function openReadThread<Tables>(file: string): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new ThreadDriver(file),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

type Waiting = ReturnType<typeof Promise.withResolvers<unknown[]>>;

class ThreadDriver implements Driver {
  readonly #file: string;
  #worker: Worker | undefined;
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();

  constructor(file: string) {
    this.#file = file;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve({
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
        // The cast is what Kysely's own driver for SQLite does: the query has named the columns.
        const rows = (await this.#ask(sql, parameters)).map(withBuffers) as Row[];
        return { rows };
      },
      streamQuery: onlyReads,
    });
  }

  beginTransaction = onlyReads;
  commitTransaction = onlyReads;
  rollbackTransaction = onlyReads;

  releaseConnection(): Promise<void> {
    return Promise.resolve();
  }

  async destroy(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask(text: string, parameters: readonly unknown[]): Promise<unknown[]> {
    const worker = (this.#worker ??= this.#start());
    const waiting = Promise.withResolvers<unknown[]>();
    const id = (this.#lastId += 1);
    this.#waiting.set(id, waiting);
    worker.postMessage({ id, text, parameters } satisfies ReadOrder);
    return waiting.promise;
  }

  #start(): Worker {
    const workerData: ReadThreadData = { file: this.#file };
    const worker = new Worker(new URL('./read-worker.ts', import.meta.url), { workerData });
    // Requests keep the process alive, not their thread.
    worker.unref();
    worker.on('message', (report: ReadReport) => {
      const waiting = this.#waiting.get(report.id);
      this.#waiting.delete(report.id);
      if ('rows' in report) waiting?.resolve(report.rows);
      else waiting?.reject(new ReadError(report.failure));
    });
    const end = () => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of this.#waiting.values())
        reject(new Error('the reading thread ended'));
      this.#waiting.clear();
    };
    // The next query starts another thread.
    worker.once('error', end);
    worker.once('exit', end);
    return worker;
  }
}

/** A query failed in the thread. */
class ReadError extends Error {
  readonly code: string;

  constructor({ name, code = '' }: ErrorOrigin) {
    super('a query of the reading thread failed');
    this.name = name;
    this.code = code;
  }
}

function onlyReads(): never {
  throw new TypeError('the reading thread has no transactions and no streams');
}

/** Between threads a buffer becomes a plain array of bytes. */
function withBuffers(row: unknown): object {
  // The cast is safe, because a row of SQLite is an object.
  const values = row as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) {
    if (value instanceof Uint8Array)
      values[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  return values;
}
