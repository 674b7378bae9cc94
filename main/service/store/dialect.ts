/**
 * Everything that is SQLite's own: opening, encryption, column types, full text. The rest of the
 * service speaks Kysely, and runs on PostgreSQL with postgres-dialect.ts in place of this file.
 */
import Sqlite from 'better-sqlite3';
import { sql, SqliteAdapter, SqliteDialect } from 'kysely';
import type { CompiledQuery, Dialect, Kysely, RawBuilder } from 'kysely';
import type { DialectWords, Search, SearchEntry } from './dialect-words.ts';
import { keptTotalsOf } from './kept-totals.ts';

export interface OpenOptions {
  /** 64 hexadecimal digits; the file is encrypted with it. Without it the file is plain. */
  readonly key?: string | undefined;
  /**
   * `full`: a commit that was answered survives a power cut. `process`: it survives the death of
   * the process, but not always that of the machine.
   */
  readonly durability: 'full' | 'process';
}

/** Opens a SQLite file for Kysely, making it where it does not exist. */
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
  // The system keeps the file in memory too; 64 MB let an upload of 50 MB take them all.
  database.pragma('cache_size = -16384');
  database.pragma('wal_autocheckpoint = 8000');
  return new OwnDialect(withStatementCache(database));
}

const maxStatements = 500;

/** A SQLite file with its statements. */
interface StatementCache {
  readonly inTransaction: boolean;
  prepare(sql: string): Sqlite.Statement;
  close(): void;
}

/** Preparing costs more than most of our statements take, and Kysely prepares every time. */
function withStatementCache(database: Sqlite.Database): StatementCache {
  const statements = new Map<string, Sqlite.Statement>();
  return {
    get inTransaction() {
      return database.inTransaction;
    },
    close: () => database.close(),
    prepare(sql: string): Sqlite.Statement {
      const known = statements.get(sql);
      // A statement that is being iterated cannot be started a second time.
      if (known && !known.busy) return known;
      const statement = database.prepare(sql);
      if (statements.size >= maxStatements) statements.clear();
      statements.set(sql, statement);
      return statement;
    },
  };
}

/** Leads from what Kysely calls a database to the file itself; see `rowsAtOnce`. */
class OwnAdapter extends SqliteAdapter {
  readonly file: StatementCache;

  constructor(file: StatementCache) {
    super();
    this.file = file;
  }
}

class OwnDialect extends SqliteDialect {
  readonly #file: StatementCache;

  constructor(file: StatementCache) {
    super({ database: file });
    this.#file = file;
  }

  override createAdapter(): OwnAdapter {
    return new OwnAdapter(this.#file);
  }
}

/** What the tokenizer takes for part of a word. */
const tokenCharacter = /[\p{L}\p{N}\p{Co}]/u;

/** Row ids of the index: the owner's number times this, plus the claim's number. */
const rowsOfOwner = sql.lit(2 ** 32);
const rowToClaim = sql.lit(2 ** 32 - 1);
/** Owners count from 1: who has no claims has no rows. */
const noOwner = 0;

export const sqliteWords: DialectWords = {
  bytesType: 'blob',
  countingType: 'integer',

  /**
   * It holds no text, only where words occur: the text stands in the claim's payload already. A
   * claim has a row for each of its owners, and the rows of an owner follow each other, so that
   * a search walks through nobody else's and is counted by them alone (decision 0030).
   */
  async createSearchIndex(db) {
    await sql`create table search_owners (
      number integer primary key, owner text not null unique
    )`.execute(db);
    await sql`create virtual table claims_search using fts5(
      text, content='', contentless_delete=1, detail='full', tokenize='unicode61 remove_diacritics 2'
    )`.execute(db);
  },

  async insertSearchEntry(db, entry) {
    keptTotalsOf(db).changes.enter(entry);
    await enter(db, entry);
  },

  async replaceSearchEntry(db, entry, former) {
    keptTotalsOf(db).changes.replace(former, entry);
    for (const owner of former.owners) {
      await sql`delete from claims_search
        where rowid = ${firstRow(owner)} + ${integer(entry.claimNumber)}`.execute(db);
    }
    await enter(db, entry);
  },

  async hitsOf(db, search) {
    const { rows } = await sql<{ number: number }>`
      select number from search_owners where owner = ${search.owner}`.execute(db);
    const owner = rows[0]?.number ?? noOwner;
    // Bounds that SQLite need not work out again for each hit, which takes longer than the walk.
    const first = sql`${integer(owner)} * ${rowsOfOwner}`;
    return {
      count: () =>
        keptTotalsOf(db).total(db, search, (connection, counted, among) =>
          countHits(connection, counted, { owner, among }),
        ),
      numbers(newest) {
        // Row ids in either order come from the index as it is, and end when the page is full.
        const order = newest
          ? sql`order by rowid desc limit ${newest.limit} offset ${newest.offset}`
          : sql``;
        return sql<number>`(select rowid & ${rowToClaim} from claims_search
          where claims_search match ${matchOf(search)}
          and rowid between ${first} and ${first} + ${rowToClaim} ${order})`;
      },
    };
  },

  rowsAtOnce<Row, Tables>(db: Kysely<Tables>, query: CompiledQuery<Row>) {
    const { adapter } = db.getExecutor();
    if (!(adapter instanceof OwnAdapter) || adapter.file.inTransaction) return undefined;
    // The query's type says what its rows are, which SQLite cannot know.
    return adapter.file.prepare(query.sql).all(query.parameters) as Row[];
  },
};

/** What FTS5 is asked for; organizations are told by row ids. */
function matchOf({ words, facets }: Search): string {
  const asked = words.some((word) => tokenCharacter.test(word)) ? [...facets, ...words] : words;
  return asked.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ');
}

/**
 * Walks through the owner's hits, or looks up one claim after the other.
 * @param owner its number.
 */
async function countHits<Tables>(
  db: Kysely<Tables>,
  search: Search,
  { owner, among }: { readonly owner: number; readonly among: readonly number[] | undefined },
): Promise<number> {
  if (among?.length === 0) return 0;
  const first = sql`${integer(owner)} * ${rowsOfOwner}`;
  const rowIds = among?.map((claimNumber) => owner * 2 ** 32 + claimNumber);
  const ofOwner = rowIds
    ? sql`rowid in (select value from json_each(${JSON.stringify(rowIds)}))`
    : sql`rowid between ${first} and ${first} + ${rowToClaim}`;
  const { rows } = await sql<{ total: number }>`select count(*) as total from claims_search
    where claims_search match ${matchOf(search)} and ${ofOwner}`.execute(db);
  return rows[0]?.total ?? 0;
}

async function enter<Tables>(
  db: Kysely<Tables>,
  { claimNumber, owners, text }: SearchEntry,
): Promise<void> {
  for (const owner of owners) {
    await sql`insert into search_owners (owner) values (${owner})
      on conflict do nothing`.execute(db);
    await sql`insert into claims_search (rowid, text)
      values (${firstRow(owner)} + ${integer(claimNumber)}, ${text})`.execute(db);
  }
}

/** Numbers come from JavaScript as floating point, which the index takes for no bound at all. */
function integer(value: number): RawBuilder<number> {
  return sql<number>`cast(${value} as integer)`;
}

/** The first row of an owner, less one. */
function firstRow(owner: string): RawBuilder<number> {
  return sql<number>`(select number * ${rowsOfOwner} from search_owners where owner = ${owner})`;
}

/**
 * Locks a file by an exclusive transaction that is never committed.
 * @returns the function that unlocks, or undefined where another holds the lock.
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
