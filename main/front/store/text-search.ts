/*
 * The index behind q, which finds parts of words: a part of a word is the beginning of one of the
 * word's ends, and beginnings are found in a sorted index at the cost of what is found. SQLite and
 * PostgreSQL each have their own kind of index.
 */
import type Sqlite from 'better-sqlite3';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { isPostgres } from './store.ts';

/** Characters of an end that are indexed. What follows them is looked up in the text. */
const endMax = 24;

/**
 * Characters of a text that is indexed. The ends of a longer one would exceed what a `tsvector` can
 * hold (1 MB), so its text is read at each search.
 */
const indexedMax = 10_000;

/** A table with the text that q searches, in its column `search_text`. */
export interface SearchedTable {
  readonly table: string;
  /** Its column with a whole number that identifies the row; the primary key. */
  readonly key: string;
  /** Name of the index. */
  readonly index: string;
}

/** Creates the index over a table, which is still empty. */
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
 * @param rowKey the column that has the row's number
 * @param words folded, at least one.
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
  // The index has their beginnings only.
  const cut = words.filter((word) => Array.from(word).length > endMax);
  const indexed =
    cut.length === 0 ? found : rows(sql`${sql.ref(key)} in (${found}) and ${contains(cut)}`);
  return sql`${sql.ref(rowKey)} in (
    ${indexed} union all ${rows(sql`${isLong} and ${contains(words)}`)})`;
}

/**
 * A column in a condition next to `containsWords`. SQLite would walk the index of the column and look
 * for each row among those found; a leading plus makes it begin with those found.
 */
export function besideSearch<Tables>(db: Kysely<Tables>, column: string): RawBuilder<unknown> {
  return isPostgres(db) ? sql.ref(column) : sql`+${sql.ref(column)}`;
}

const isLong = sql`length(search_text) > ${sql.lit(indexedMax)}`;
const isInside = (word: string) => sql`instr(search_text, ${word}) > 0`;
const isLike = (word: string) => sql`search_text like ${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`;

const beginning = (word: string) => Array.from(word).slice(0, endMax).join('');

/** Gives a connection to SQLite the function that the triggers of the index call. */
export function addSearchFunctions(database: Sqlite.Database): void {
  database.function('word_ends', { deterministic: true }, (text) => wordEnds(String(text)));
}

/** The ends of a text's words, each once; `hat` has `hat`, `at` and `t`. */
function wordEnds(text: string): string {
  const ends = new Set<string>();
  for (const word of text.split(/[ \t\n\r]+/)) {
    const letters = Array.from(word);
    for (const start of letters.keys()) ends.add(letters.slice(start, start + endMax).join(''));
  }
  return [...ends].join(' ');
}

/** Every sign belongs to a word; the tokenizer takes all characters beyond ASCII for letters. */
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
  // A table apart from the searched one, whose rows change more often than their texts. The ends are stored
  // outside the rows, so that many rows fit into a page.
  await sql`create table ${search} (
    ${number} bigint primary key references ${rows} on delete cascade, ends tsvector not null
  ) with (toast_tuple_target = 128)`.execute(db);
  // How rare a word is does not change the way to it.
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
