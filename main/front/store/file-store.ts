import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, SqliteDialect, type Dialect } from 'kysely';
import Sqlite from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { migrate, type Migrations, type Store } from './store.ts';
import { replayMigrations } from './front-schema.ts';
import { addSearchFunctions } from './text-search.ts';
import type { ReplayTables } from './tables.ts';
/* Everything specific to SQLite: opening, encryption, locks. */

export interface FileStoreOptions {
  readonly directory: string;
  /** Name of the main file, without its ending. */
  readonly name: string;
  readonly migrations: Migrations;
  /** 64 hexadecimal digits that encrypt both files. */
  readonly key?: string | undefined;
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
}: FileStoreOptions): Promise<Store<Tables>> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, `${name}.db`);
  const replayFile = join(directory, 'replay.db');
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file, { key, durability: 'full' }) });
  const replay = new Kysely<ReplayTables>({
    dialect: sqliteDialect(replayFile, { key, durability: 'process' }),
  });
  await migrate(db, migrations);
  await migrate(replay, replayMigrations);
  chmodSync(file, 0o600);
  chmodSync(replayFile, 0o600);
  return {
    db,
    replay,
    limits: undefined,
    // The lock on the folder excludes every other process.
    alone: (work) => work(),
    close: async () => {
      await db.destroy();
      await replay.destroy();
    },
  };
}

export interface OpenOptions {
  /** 64 hexadecimal digits that encrypt the file. Without it the file is plain. */
  readonly key?: string | undefined;
  /**
   * `full`: a commit survives a power cut. `process`: it survives the death of the process, but
   * not always that of the machine.
   */
  readonly durability: 'full' | 'process';
}

/** Opens a SQLite file for Kysely; creates it if it does not exist. */
export function sqliteDialect(file: string, { key, durability }: OpenOptions): Dialect {
  const database = new Sqlite(file);
  if (key !== undefined) {
    if (!/^[0-9a-f]{64}$/i.test(key)) throw new RangeError('a store key is 64 hexadecimal digits');
    // Cipher before key: the key is applied to the cipher chosen at that moment.
    database.pragma(`cipher='aegis'`);
    database.pragma(`key='raw:${key}'`);
  }
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
  database.pragma('foreign_keys = ON');
  // The system caches the file too; with 64 MB an upload of 50 MB would fill them all.
  database.pragma('cache_size = -16384');
  database.pragma('wal_autocheckpoint = 8000');
  addSearchFunctions(database);
  const prepared = new LRUCache<string, Sqlite.Statement>({ max: 200 });
  return new SqliteDialect({
    database: {
      // Kysely prepares a statement each time that it runs, which takes longer than most of them.
      prepare: (text) => {
        const statement = prepared.get(text) ?? database.prepare(text);
        prepared.set(text, statement);
        return statement;
      },
      close: () => database.close(),
    },
  });
}

/**
 * Locks a file by an exclusive transaction that is never committed.
 * @returns the function that unlocks, or undefined if another process has the lock.
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
