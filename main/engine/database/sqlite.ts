import { chmodSync, closeSync, openSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import { DeskError } from '#shared/desk/errors.ts';

export type Database = SQLite.Database;

export interface DatabaseOptions {
  readonly file: string;
  /** Raw 256-bit key, 64 hex digits; never in an error or a log. */
  readonly keyHex: string;
  /** `full` survives a power cut to the last commit; `normal` may lose the last ones. */
  readonly durability: 'full' | 'normal';
  readonly readonly?: boolean;
}

/**
 * Opens an encrypted database (AEGIS-256, pages authenticated) and proves that its key fits.
 * @throws {SQLite.SqliteError} SQLITE_NOTADB or SQLITE_CORRUPT if the file cannot be read with this key.
 */
export function openDatabase(options: DatabaseOptions): Database {
  try {
    return open(options, 'NORMAL');
  } catch (error) {
    const isFull = error instanceof SQLite.SqliteError && error.code === 'SQLITE_IOERR_SHMSIZE';
    if (!isFull) throw error;
    // A full disk has no room for the index next to the log: with the file locked for itself,
    // SQLite has it in memory. The home's lock blocks other processes.
    return open(options, 'EXCLUSIVE');
  }
}

function open(options: DatabaseOptions, lockingMode: 'NORMAL' | 'EXCLUSIVE'): Database {
  if (!/^[0-9a-f]{64}$/.test(options.keyHex))
    throw new RangeError('a database key is 64 hex digits');
  createPrivately(options.file);
  const db = new SQLite(options.file, { readonly: options.readonly ?? false });
  try {
    // The order matters: the cipher is chosen before the key is set, and both before any read.
    db.pragma("cipher='aegis'");
    db.pragma(`key='raw:${options.keyHex}'`);
    db.pragma(`locking_mode=${lockingMode}`);
    db.prepare('SELECT count(*) FROM sqlite_master').get();
    db.pragma('temp_store=MEMORY');
    db.pragma('foreign_keys=ON');
    if (options.readonly) return db;
    db.pragma('journal_mode=WAL');
    db.pragma(`synchronous=${options.durability === 'full' ? 'FULL' : 'NORMAL'}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Makes the file readable by its owner only: SQLite would apply the process's umask. */
export function createPrivately(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/** Whether the file cannot be read as the database that it should be. */
export function isCorruption(error: unknown): boolean {
  return (
    error instanceof SQLite.SqliteError &&
    (error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT'))
  );
}

/**
 * Inserts a row of another version of the schema, without the columns that this one does not have.
 * @param table a name of ours: it becomes part of the statement
 * @returns its rowid, from 1; 0 if no column is known and nothing was inserted
 */
export function insertKnown(
  db: Database,
  verb: 'INSERT' | 'INSERT OR IGNORE',
  table: string,
  values: Readonly<Record<string, string | number | null | undefined>>,
): number {
  const columns = db
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
    .pluck()
    .all(table)
    .filter((name) => Object.hasOwn(values, name));
  if (columns.length === 0) return 0;
  const places = columns.map(() => '?').join();
  const { lastInsertRowid } = db
    .prepare(`${verb} INTO ${table} (${columns.join()}) VALUES (${places})`)
    .run(columns.map((name) => values[name] ?? null));
  return Number(lastInsertRowid);
}

/** One step of a database's schema; its number is its place in the list, from 1. */
export interface Migration {
  readonly name: string;
  up(db: Database): void;
}

/**
 * Brings the schema up to date, each step in its own transaction with its number.
 * @throws {DeskError} home_newer if a later version of the desk wrote the file, which is not touched
 */
export function migrate(db: Database, migrations: readonly Migration[]): void {
  const found = Number(db.pragma('user_version', { simple: true }));
  if (found > migrations.length) {
    throw new DeskError('home_newer', { found, known: migrations.length });
  }
  migrations.slice(found).forEach((migration, index) => {
    db.transaction(() => {
      migration.up(db);
      db.pragma(`user_version = ${found + index + 1}`);
    })();
  });
}
