import { chmodSync, closeSync, openSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import {
  missingSteps,
  plainSql,
  SchemaMismatch,
  type SchemaStep,
} from '#shared/lib/schema-steps.ts';
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

/**
 * Runs the steps that a store lacks, each in its own transaction, and records them. The number of
 * steps is `user_version`, too.
 * @throws {DeskError} home_newer, home_trial: the file is not touched
 */
export function migrate(db: Database, steps: readonly SchemaStep[]): void {
  for (const step of lacking(db, steps)) {
    db.transaction(() => {
      db.exec(step.statements);
      db.exec(recordTable);
      record(db, step);
      db.pragma(`user_version = ${steps.indexOf(step) + 1}`);
    })();
  }
}

const recordTable = `CREATE TABLE IF NOT EXISTS schema_steps (
  number INTEGER PRIMARY KEY, name TEXT NOT NULL, statements TEXT NOT NULL) STRICT`;

function record(db: Database, { name, statements }: SchemaStep): void {
  db.prepare('INSERT INTO schema_steps (name, statements) VALUES (?, ?)').run(name, statements);
}

function lacking(db: Database, steps: readonly SchemaStep[]): readonly SchemaStep[] {
  try {
    return missingSteps(applied(db, steps), steps);
  } catch (error) {
    if (!(error instanceof SchemaMismatch)) throw error;
    const { reason, found, known } = error;
    throw new DeskError(reason === 'newer' ? 'home_newer' : 'home_trial', { found, known });
  }
}

function applied(db: Database, steps: readonly SchemaStep[]): readonly SchemaStep[] {
  const found = Number(db.pragma('user_version', { simple: true }));
  if (found > steps.length) throw new SchemaMismatch('newer', found, steps.length);
  const isRecorded =
    db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'schema_steps'`).get() !== undefined;
  if (isRecorded) {
    return db
      .prepare<[], SchemaStep>('SELECT name, statements FROM schema_steps ORDER BY number')
      .all();
  }
  return adopted(db, steps.slice(0, found));
}

/** Steps of a store that recorded only their number, if they made exactly what is in it. */
function adopted(db: Database, steps: readonly SchemaStep[]): readonly SchemaStep[] {
  const fresh = new SQLite(':memory:');
  for (const { statements } of steps) fresh.exec(statements);
  const isSame = schemaOf(db) === schemaOf(fresh);
  fresh.close();
  if (!isSame) throw new SchemaMismatch('changed', steps.length, steps.length);
  if (steps.length > 0) {
    db.transaction(() => {
      db.exec(recordTable);
      for (const step of steps) record(db, step);
    })();
  }
  return steps;
}

function schemaOf(db: Database): string {
  const texts = db
    .prepare<[], string>('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name')
    .pluck()
    .all();
  return texts.map(plainSql).join('\n');
}
