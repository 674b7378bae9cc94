import { chmodSync, closeSync, openSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { migration, SchemaMismatch, stepsTable } from '#shared/lib/schema-steps.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';

export type Database = SQLite.Database;

export interface DatabaseOptions {
  readonly file: string;
  /** The raw 256-bit key as 64 hex digits. It never appears in an error or a log. */
  readonly keyHex: string;
  /**
   * With `full`, every commit survives a power cut; with `normal`, the last commits may be lost.
   */
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
    // A full disk has no room for the index next to the log. In this locking mode SQLite stores the
    // index in memory. Other processes are already excluded by the lock of the home.
    return open(options, 'EXCLUSIVE');
  }
}

function open(options: DatabaseOptions, lockingMode: 'NORMAL' | 'EXCLUSIVE'): Database {
  if (!/^[0-9a-f]{64}$/.test(options.keyHex))
    throw new RangeError('a database key is 64 hex digits');
  createPrivately(options.file);
  const db = new SQLite(options.file, { readonly: options.readonly ?? false });
  compileOnce(db);
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

/** More than the texts of a store; a list with filters has a text for each combination. */
const statementsMax = 300;

/**
 * Makes `prepare` compile each text once, because compiling takes longer than most statements.
 * `pluck` changes a statement permanently, so `pluck` returns a second statement of the same text.
 */
function compileOnce(db: Database): void {
  const compile = db.prepare.bind(db);
  const compiled = new LRUCache<string, SQLite.Statement>({ max: statementsMax });
  const plucked = new LRUCache<string, SQLite.Statement>({ max: statementsMax });
  const from = (
    known: LRUCache<string, SQLite.Statement>,
    text: string,
    make: () => SQLite.Statement,
  ): SQLite.Statement => {
    const statement = known.get(text) ?? make();
    known.set(text, statement);
    return statement;
  };
  const prepare = (text: string): SQLite.Statement =>
    from(compiled, text, () =>
      Object.assign(compile(text), {
        pluck: () => from(plucked, text, () => compile(text).pluck()),
      }),
    );
  // The types of parameters and rows are the caller's, as with the library's own method.
  db.prepare = prepare as Database['prepare'];
}

/**
 * Makes the file readable by its owner only, because SQLite would apply the umask of the process.
 */
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
 * Inserts a row that comes from another version of the schema, without the columns that this
 * version does not have.
 * @param table a name from our code, because it becomes part of the statement
 * @returns the rowid, from 1; 0 if no column is known and nothing was inserted
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

/** A step of a SQLite store. All its statements are in one text. */
export interface SqlStep {
  readonly name: string;
  readonly statements: string;
}

/**
 * Runs the steps that a store lacks, all or none, and records them.
 * @throws {DeskError} home_newer, home_unknown; then the file is unchanged
 */
export function migrate(db: Database, steps: readonly SqlStep[]): void {
  try {
    db.transaction(() => {
      if (countSteps(db) === 0 && hasTables(db))
        throw new SchemaMismatch('unknown', 0, steps.length);
      runMigration(db, steps);
    }).immediate();
  } catch (error) {
    if (!(error instanceof SchemaMismatch)) throw error;
    const { reason, found, known } = error;
    throw reason === 'newer'
      ? new DeskError('home_newer', { found, known })
      : new DeskError('home_unknown');
  }
}

function runMigration(db: Database, steps: readonly SqlStep[]): void {
  const commands = migration(
    steps.map(({ name, statements }) => ({ name, statements: [statements] })),
  );
  let rows: readonly unknown[] = [];
  for (;;) {
    const { done, value } = commands.next(rows);
    if (done === true) return;
    if (value.isQuery) rows = db.prepare(value.sql).all();
    else db.exec(value.sql);
  }
}

const hasTables = (db: Database) => db.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined;

/** The number of steps that a store has recorded: 0 if it is new, or if its log was lost. */
export function countSteps(db: Database): number {
  const isRecorded = db
    .prepare<[string]>('SELECT 1 FROM sqlite_schema WHERE name = ?')
    .get(stepsTable);
  if (isRecorded === undefined) return 0;
  return Number(db.prepare(`SELECT count(*) FROM ${stepsTable}`).pluck().get());
}

/** A statement with its named parameters. */
export interface Query {
  readonly sql: string;
  readonly params: Readonly<Record<string, string | number>>;
}
