/* The index behind q. SQLite and PostgreSQL each have their own kind. */
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { isPostgres } from './store.ts';

/** Characters of the shortest word in the trigram index of SQLite; shorter words scan the text. */
const trigramLength = 3;

/** A table with the text that q searches, in its column `search_text`. */
export interface SearchedTable {
  readonly table: string;
  /** Its column with a whole number that identifies the row; the primary key. */
  readonly key: string;
  /** Name of the index. */
  readonly index: string;
}

/** Creates the trigram index over a table. */
export async function createTextSearch<Tables>(
  db: Kysely<Tables>,
  searched: SearchedTable,
): Promise<void> {
  if (isPostgres(db)) await createTrigramIndex(db, searched);
  else await createSearchTable(db, searched);
}

/**
 * A condition that the text of a row contains every word.
 * @param rowKey the column that has the row's number
 * @param words folded, at least one.
 */
export function containsWords<Tables>(
  db: Kysely<Tables>,
  searched: SearchedTable,
  rowKey: string,
  words: readonly string[],
): RawBuilder<SqlBool> {
  return isPostgres(db)
    ? matchesTrigramIndex(searched, rowKey, words)
    : matchesSearchTable(searched, rowKey, words);
}

/**
 * A column in a condition next to `containsWords`. SQLite would walk the index of the column and look
 * for each row among those found; a leading plus makes it begin with those found.
 */
export function besideSearch<Tables>(db: Kysely<Tables>, column: string): RawBuilder<unknown> {
  return isPostgres(db) ? sql.ref(column) : sql`+${sql.ref(column)}`;
}

async function createSearchTable<Tables>(
  db: Kysely<Tables>,
  { table, key, index }: SearchedTable,
): Promise<void> {
  const [rows, number, search] = [sql.table(table), sql.ref(key), sql.table(index)];
  // The text is folded already, so case counts.
  await sql`create virtual table ${search} using fts5(
    search_text, content=${sql.lit(table)}, content_rowid=${sql.lit(key)},
    tokenize='trigram case_sensitive 1'
  )`.execute(db);
  const added = sql`insert into ${search} (rowid, search_text)
    values (new.${number}, new.search_text);`;
  const removed = sql`insert into ${search} (${search}, rowid, search_text)
    values ('delete', old.${number}, old.search_text);`;
  const trigger = (event: string) => sql.table(`${index}_${event}`);
  await sql`create trigger ${trigger('insert')} after insert on ${rows}
    begin ${added} end`.execute(db);
  await sql`create trigger ${trigger('delete')} after delete on ${rows}
    begin ${removed} end`.execute(db);
  await sql`create trigger ${trigger('update')} after update of search_text on ${rows}
    when old.search_text <> new.search_text begin ${removed} ${added} end`.execute(db);
}

function matchesSearchTable(
  { table, key, index }: SearchedTable,
  rowKey: string,
  words: readonly string[],
): RawBuilder<SqlBool> {
  const isIndexed = (word: string) => Array.from(word).length >= trigramLength;
  const phrases = words.filter(isIndexed).map((word) => `"${word.replaceAll('"', '""')}"`);
  const conditions = words
    .filter((word) => !isIndexed(word))
    .map(
      (word) => sql`exists (select 1 from ${sql.table(table)} as searched
        where searched.${sql.ref(key)} = ${sql.ref(rowKey)}
          and instr(searched.search_text, ${word}) > 0)`,
    );
  if (phrases.length > 0) {
    conditions.unshift(sql`${sql.ref(rowKey)} in (
      select rowid from ${sql.table(index)} where ${sql.ref(index)} match ${phrases.join(' ')})`);
  }
  return sql`${sql.join(conditions, sql` and `)}`;
}

async function createTrigramIndex<Tables>(
  db: Kysely<Tables>,
  { table, index }: SearchedTable,
): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await sql`create index ${sql.ref(index)} on ${sql.table(table)}
    using gin (search_text gin_trgm_ops)`.execute(db);
}

function matchesTrigramIndex(
  { table, key }: SearchedTable,
  rowKey: string,
  words: readonly string[],
): RawBuilder<SqlBool> {
  const conditions = words.map(
    (word) => sql`search_text like ${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
  );
  return sql`${sql.ref(rowKey)} in (
    select ${sql.ref(key)} from ${sql.table(table)} where ${sql.join(conditions, sql` and `)})`;
}
