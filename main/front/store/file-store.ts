import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  type Dialect,
  type DialectAdapter,
  type Driver,
} from 'kysely';
import Sqlite from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { migrate, type Migrations, type SlowReads, type Store } from './store.ts';
import { replayMigrations } from './front-schema.ts';
import { watchWait, type StoreWatch } from './store-watch.ts';
import { addSearchFunctions } from './text-search.ts';
import type { ReplayTables } from './tables.ts';
/* Everything specific to SQLite: opening, encryption, locks. */

export interface FileStoreOptions {
  readonly directory: string;
  /** The name of the main file without its extension. */
  readonly name: string;
  readonly migrations: Migrations;
  /** The key that encrypts both files, as 64 hexadecimal digits. */
  readonly key?: string | undefined;
  /** Takes how long requests wait for the file; nobody by default. */
  readonly watch?: StoreWatch | undefined;
}

/**
 * Opens the store in a folder and migrates it; creates the folder if it does not exist. The caller
 * must have locked the folder.
 * @throws {Error} if the folder cannot be written, the key is wrong, or a migration fails.
 */
export async function openFileStore<Tables>({
  directory,
  name,
  migrations,
  key,
  watch,
}: FileStoreOptions): Promise<Store<Tables>> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, `${name}.db`);
  const replayFile = join(directory, 'replay.db');
  const db = new Kysely<Tables>({
    dialect: sqliteDialect(file, { key, durability: 'full', watch }),
  });
  const replay = new Kysely<ReplayTables>({
    dialect: sqliteDialect(replayFile, { key, durability: 'process' }),
  });
  await migrate(db, migrations);
  await migrate(replay, replayMigrations);
  chmodSync(file, 0o600);
  chmodSync(replayFile, 0o600);
  const slow = await slowReads<Tables>(db, key === undefined ? file : undefined);
  return {
    db,
    slow,
    replay,
    limits: undefined,
    // The lock on the folder excludes every other process.
    alone: (work) => work(),
    close: async () => {
      if (slow.searches !== db) await slow.searches.destroy();
      if (slow.counts !== db) await slow.counts.destroy();
      await db.destroy();
      await replay.destroy();
    },
  };
}

/**
 * Threads that read a file. An encrypted store is that of one desk, which waits only for itself, so
 * it has none.
 */
async function slowReads<Tables>(
  db: Kysely<Tables>,
  file: string | undefined,
): Promise<SlowReads<Tables>> {
  if (file === undefined) return { searches: db, counts: db };
  const { openReadThread } = await import('./read-thread.ts');
  return { searches: openReadThread(file), counts: openReadThread(file) };
}

export interface OpenOptions {
  /**
   * The key that encrypts the file, as 64 hexadecimal digits. Without a key the file is not
   * encrypted.
   */
  readonly key?: string | undefined;
  /**
   * With `full`, a commit survives a power cut. With `process`, it survives the end of the process,
   * but not always that of the machine.
   */
  readonly durability: 'full' | 'process';
  /** Takes how long requests wait for the file; nobody by default. */
  readonly watch?: StoreWatch | undefined;
}

/** The turns of requests for one file, which follow one another. */
class Turns {
  #last: Promise<null> = Promise.resolve(null);

  /** Waits for a turn. @returns the function that ends it */
  async begin(): Promise<() => void> {
    const before = this.#last;
    const turn = Promise.withResolvers<null>();
    this.#last = turn.promise;
    await before;
    return () => turn.resolve(null);
  }
}

/** Leaves the turns to the driver, because Kysely would not report how long a request waits. */
class FileAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * Requests for one file follow one another; this dialect reports how long each one waited. A
 * transaction that SQLite has already rolled back, as it does on a full disk, fails with its own
 * error and not with that of a second rollback.
 */
class FileDialect extends SqliteDialect {
  readonly #database: Sqlite.Database;
  readonly #watch: StoreWatch | undefined;

  constructor(
    config: ConstructorParameters<typeof SqliteDialect>[0],
    database: Sqlite.Database,
    watch: StoreWatch | undefined,
  ) {
    super(config);
    this.#database = database;
    this.#watch = watch;
  }

  override createAdapter(): DialectAdapter {
    return new FileAdapter();
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const rollback = driver.rollbackTransaction.bind(driver);
    driver.rollbackTransaction = async (...options) => {
      if (this.#database.inTransaction) await rollback(...options);
    };
    const turns = new Turns();
    let endTurn: (() => void) | undefined;
    const acquire = driver.acquireConnection.bind(driver);
    driver.acquireConnection = async (...options) => {
      const wait = { wait: 'turn', pool: 'file' } as const;
      endTurn = await watchWait(this.#watch, wait, () => turns.begin());
      return acquire(...options);
    };
    const release = driver.releaseConnection.bind(driver);
    driver.releaseConnection = async (...options) => {
      await release(...options);
      endTurn?.();
    };
    return driver;
  }
}

/** Opens a SQLite file for Kysely; creates it if it does not exist. */
export function sqliteDialect(file: string, { key, durability, watch }: OpenOptions): Dialect {
  const database = new Sqlite(file);
  if (key !== undefined) {
    if (!/^[0-9a-f]{64}$/i.test(key)) throw new RangeError('a store key is 64 hexadecimal digits');
    // The cipher is set before the key, because the key is applied to the cipher that is set at
    // that moment.
    database.pragma(`cipher='aegis'`);
    database.pragma(`key='raw:${key}'`);
  }
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
  database.pragma('foreign_keys = ON');
  // The cache is small, because the system caches the file as well; an upload of 50 MB would fill a
  // larger one.
  database.pragma('cache_size = -16384');
  database.pragma('wal_autocheckpoint = 8000');
  addSearchFunctions(database);
  const prepared = new LRUCache<string, Sqlite.Statement>({ max: 200 });
  const config = {
    database: {
      // Prepared statements are cached, because Kysely prepares a statement at each run, which
      // takes longer than most statements.
      prepare: (text: string) => {
        const statement = prepared.get(text) ?? database.prepare(text);
        prepared.set(text, statement);
        return statement;
      },
      close: () => database.close(),
    },
  };
  return new FileDialect(config, database, watch);
}

/**
 * Locks a file by an exclusive transaction that is never committed.
 * @returns the function that unlocks; undefined if another process has the lock.
 */
export function lockFile(file: string): (() => void) | undefined {
  const database = new Sqlite(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return () => database.close();
  } catch (error) {
    database.close();
    if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
}
