/* Everything specific to SQLite: opening, encryption, column types, search, locks. */
import Sqlite from 'better-sqlite3';
import { sql, SqliteDialect, type Dialect } from 'kysely';
import type { DialectAdapter } from './store.ts';

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
  return new SqliteDialect({ database });
}

/** Characters of the shortest word in the trigram index; shorter words scan the text. */
const trigramLength = 3;

export const sqliteAdapter: DialectAdapter = {
  bytesType: 'blob',
  countingType: 'integer',

  async createOwnSchema(db) {
    // The text is folded already, so case counts.
    await sql`create virtual table claims_search using fts5(
      search_text, content='claim_payloads', content_rowid='claim_number',
      tokenize='trigram case_sensitive 1'
    )`.execute(db);
    // A payload is inserted once, and neither changed nor deleted.
    await sql`create trigger claim_payloads_search after insert on claim_payloads begin
      insert into claims_search (rowid, search_text) values (new.claim_number, new.search_text);
    end`.execute(db);
  },

  containsWords(words) {
    const isIndexed = (word: string) => Array.from(word).length >= trigramLength;
    const phrases = words.filter(isIndexed).map((word) => `"${word.replaceAll('"', '""')}"`);
    const conditions = words
      .filter((word) => !isIndexed(word))
      .map(
        (word) => sql`exists (select 1 from claim_payloads
          where claim_number = claims.number and instr(search_text, ${word}) > 0)`,
      );
    if (phrases.length > 0) {
      conditions.unshift(sql`claims.number in (
        select rowid from claims_search where claims_search match ${phrases.join(' ')})`);
    }
    return sql`${sql.join(conditions, sql` and `)}`;
  },
};

/**
 * Locks a file by an exclusive transaction that is never committed.
 * @returns the function that unlocks, or undefined if another process holds the lock.
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
