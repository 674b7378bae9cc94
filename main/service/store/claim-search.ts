/* The index behind q. SQLite and PostgreSQL each have their own kind. */
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { isPostgres } from '../../front/store/store.ts';

/** Characters of the shortest word in the trigram index of SQLite; shorter words scan the text. */
const trigramLength = 3;

/** Creates the trigram index over `claim_payloads`. */
export async function createClaimSearch<Tables>(db: Kysely<Tables>): Promise<void> {
  if (isPostgres(db)) await createTrigramIndex(db);
  else await createSearchTable(db);
}

/**
 * A condition on a row of `claims`: its search text contains every word.
 * @param words folded, at least one.
 */
export function containsWords<Tables>(
  db: Kysely<Tables>,
  words: readonly string[],
): RawBuilder<SqlBool> {
  return isPostgres(db) ? matchesTrigramIndex(words) : matchesSearchTable(words);
}

async function createSearchTable<Tables>(db: Kysely<Tables>): Promise<void> {
  // The text is folded already, so case counts.
  await sql`create virtual table claims_search using fts5(
    search_text, content='claim_payloads', content_rowid='claim_number',
    tokenize='trigram case_sensitive 1'
  )`.execute(db);
  // A payload is inserted once and never changed or deleted.
  await sql`create trigger claim_payloads_search after insert on claim_payloads begin
    insert into claims_search (rowid, search_text) values (new.claim_number, new.search_text);
  end`.execute(db);
}

function matchesSearchTable(words: readonly string[]): RawBuilder<SqlBool> {
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
}

async function createTrigramIndex<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await sql`create index claim_payloads_by_trigram on claim_payloads
    using gin (search_text gin_trgm_ops)`.execute(db);
}

function matchesTrigramIndex(words: readonly string[]): RawBuilder<SqlBool> {
  const conditions = words.map(
    (word) => sql`search_text like ${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
  );
  return sql`claims.number in (
    select claim_number from claim_payloads where ${sql.join(conditions, sql` and `)})`;
}
