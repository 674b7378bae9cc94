/*
 * The index behind q, which finds parts of words. A part of a word is the beginning of one of the
 * word's ends, and a sorted index finds beginnings fast. SQLite and PostgreSQL have different kinds
 * of index.
 */
import type Sqlite from 'better-sqlite3';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { isPostgres } from './store.ts';

/**
 * The number of characters of a word's end that are indexed. Further characters are searched in the
 * text.
 */
const endMax = 24;

/**
 * The longest text that is indexed, in characters. The ends of a longer text would exceed the limit
 * of a `tsvector` (1 MB), so such a text is read at each search.
 */
const indexedMax = 10_000;

/** A table whose column `search_text` contains the text that q searches. */
export interface SearchedTable {
  readonly table: string;
  /** The primary key, a whole number that identifies the row. */
  readonly key: string;
  /** The name of the index. */
  readonly index: string;
}

/** Creates the index over a table that is still empty. */
export async function createTextSearch<Tables>(
  db: Kysely<Tables>,
  searched: SearchedTable,
): Promise<void> {
  const { table, key, index } = searched;
  await sql`create index ${sql.ref(`${index}_long`)} on ${sql.table(table)} (${sql.ref(key)})
    where ${isLong}`.execute(db);
  if (isPostgres(db)) await createPostgresIndex(db, searched);
  else await createSqliteIndex(db, searched);
}

/**
 * A condition that the text of a row contains every word.
 * @param rowKey the column with the number of the row
 * @param words folded words, at least one.
 */
export function containsWords<Tables>(
  db: Kysely<Tables>,
  { table, key, index }: SearchedTable,
  rowKey: string,
  words: readonly string[],
): RawBuilder<SqlBool> {
  const isShared = isPostgres(db);
  const contains = (each: readonly string[]) =>
    sql.join(
      each.map((word) => (isShared ? isLike(word) : isInside(word))),
      sql` and `,
    );
  const rows = (condition: RawBuilder<unknown>) =>
    sql`select ${sql.ref(key)} from ${sql.table(table)} where ${condition}`;
  const found = isShared ? findInPostgres(index, key, words) : findInSqlite(index, words);
  // The index contains only the beginnings of these words.
  const cut = words.filter((word) => Array.from(word).length > endMax);
  const indexed =
    cut.length === 0 ? found : rows(sql`${sql.ref(key)} in (${found}) and ${contains(cut)}`);
  return sql`${sql.ref(rowKey)} in (
    ${indexed} union all ${rows(sql`${isLong} and ${contains(words)}`)})`;
}

/**
 * A column in a condition next to `containsWords`. Without the leading plus, SQLite would walk the
 * index of the column and check each row against the found ones. With the plus, it begins with the
 * found rows.
 */
export function besideSearch<Tables>(db: Kysely<Tables>, column: string): RawBuilder<unknown> {
  return isPostgres(db) ? sql.ref(column) : sql`+${sql.ref(column)}`;
}

const isLong = sql`length(search_text) > ${sql.lit(indexedMax)}`;
const isInside = (word: string) => sql`instr(search_text, ${word}) > 0`;
const isLike = (word: string) => sql`search_text like ${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`;

const beginning = (word: string) => Array.from(word).slice(0, endMax).join('');

/** Registers the function that the triggers of the index call in a connection to SQLite. */
export function addSearchFunctions(database: Sqlite.Database): void {
  database.function('word_ends', { deterministic: true }, (text) => wordEnds(String(text)));
}

/** Characters that take two units of a string; without them a slice is far cheaper. */
const hasPairs = /[\ud800-\udfff]/;

/** The ends of a text's words, each once: `hat` has `hat`, `at` and `t`. */
function wordEnds(text: string): string {
  const ends = new Set<string>();
  for (const word of text.split(/[ \t\n\r]+/)) {
    if (hasPairs.test(word)) {
      const letters = Array.from(word);
      for (const start of letters.keys()) ends.add(letters.slice(start, start + endMax).join(''));
    } else {
      for (let start = 0; start < word.length; start += 1)
        ends.add(word.slice(start, start + endMax));
    }
  }
  return [...ends].join(' ');
}

/**
 * Every sign counts as part of a word. The tokenizer treats all characters beyond ASCII as letters.
 */
const signs = Array.from({ length: 127 }, (_, index) => String.fromCodePoint(index + 1))
  .filter((character) => !/[ \t\n\r\da-z]/i.test(character))
  .join('');

async function createSqliteIndex<Tables>(
  db: Kysely<Tables>,
  { table, key, index }: SearchedTable,
): Promise<void> {
  const [rows, number, search] = [sql.table(table), sql.ref(key), sql.table(index)];
  const tokenizer = `ascii tokenchars '${signs.replaceAll("'", "''")}'`;
  await sql`create virtual table ${search} using fts5(
    ends, content='', contentless_delete=1, detail=none,
    tokenize="${sql.raw(tokenizer.replaceAll('"', '""'))}"
  )`.execute(db);
  const added = sql`insert into ${search} (rowid, ends)
    select new.${number}, word_ends(new.search_text)
    where length(new.search_text) <= ${sql.lit(indexedMax)};`;
  const removed = sql`delete from ${search} where rowid = old.${number};`;
  const trigger = (event: string) => sql.table(`${index}_${event}`);
  await sql`create trigger ${trigger('insert')} after insert on ${rows}
    begin ${added} end`.execute(db);
  await sql`create trigger ${trigger('delete')} after delete on ${rows}
    begin ${removed} end`.execute(db);
  await sql`create trigger ${trigger('update')} after update of search_text on ${rows}
    when old.search_text <> new.search_text begin ${removed} ${added} end`.execute(db);
}

function findInSqlite(index: string, words: readonly string[]): RawBuilder<unknown> {
  const query = words.map((word) => `"${beginning(word).replaceAll('"', '""')}" *`).join(' AND ');
  return sql`select rowid from ${sql.table(index)} where ${sql.ref(index)} match ${query}`;
}

async function createPostgresIndex<Tables>(
  db: Kysely<Tables>,
  { table, key, index }: SearchedTable,
): Promise<void> {
  const [rows, number, search] = [sql.table(table), sql.ref(key), sql.table(index)];
  await sql`create function word_ends(searched text) returns tsvector
    language sql immutable parallel safe as $ends$
      select array_to_tsvector(coalesce(array_agg(distinct substr(word, start, ${sql.lit(endMax)})), '{}'))
      from regexp_split_to_table(searched, '[ \\t\\n\\r]+') as word,
        generate_series(1, length(word)) as start
    $ends$`.execute(db);
  // The ends are in a separate table, because the rows of the searched table change more often than
  // their texts. They are stored outside the rows, so that many rows fit into a page.
  await sql`create table ${search} (
    ${number} bigint primary key references ${rows} on delete cascade, ends tsvector not null
  ) with (toast_tuple_target = 128)`.execute(db);
  // The frequency of a word does not change the query plan, so no statistics are needed.
  await sql`alter table ${search} alter ends set statistics 0`.execute(db);
  await sql`create index ${sql.ref(`${index}_ends`)} on ${search} using gin (ends)`.execute(db);
  await sql`create function ${search}() returns trigger language plpgsql as $search$ begin
    if tg_op = 'UPDATE' then delete from ${search} where ${number} = old.${number}; end if;
    insert into ${search} select new.${number}, word_ends(new.search_text)
      where length(new.search_text) <= ${sql.lit(indexedMax)};
    return null;
  end $search$`.execute(db);
  await sql`create trigger ${sql.ref(`${index}_insert`)} after insert on ${rows}
    for each row execute function ${search}()`.execute(db);
  await sql`create trigger ${sql.ref(`${index}_update`)} after update of search_text on ${rows}
    for each row when (old.search_text <> new.search_text)
    execute function ${search}()`.execute(db);
}

function findInPostgres(index: string, key: string, words: readonly string[]): RawBuilder<unknown> {
  const query = words.map((word) => `'${beginning(word).replaceAll(/['\\]/g, '$&$&')}':*`);
  return sql`select ${sql.ref(key)} from ${sql.table(index)}
    where ends @@ cast(${query.join(' & ')} as tsquery)`;
}
