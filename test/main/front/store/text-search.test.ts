import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  besideSearch,
  containsWords,
  createTextSearch,
  type SearchedTable,
} from '#main/front/store/text-search.ts';
import { databaseKinds, openDatabase, type DatabaseForTest } from '../support/databases.ts';

/* The index finds what a look at each text finds; over each kind of database. */

interface Tables {
  readonly notes: { id: number; search_text: string; other: string };
}

const searched: SearchedTable = { table: 'notes', key: 'id', index: 'notes_search' };

describe.each(databaseKinds)('text search in %s:', (kind) => {
  let database: DatabaseForTest<Tables>;
  let db: Kysely<Tables>;
  beforeAll(async () => {
    database = await openDatabase(kind);
    ({ db } = database);
    await db.schema
      .createTable('notes')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('search_text', 'text', (column) => column.notNull())
      .addColumn('other', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await createTextSearch(db, searched);
  });
  afterAll(() => database.remove());
  beforeEach(() => db.deleteFrom('notes').execute());

  const write = (...texts: string[]) =>
    db
      .insertInto('notes')
      .values(texts.map((search_text, at) => ({ id: at + 1, search_text, other: '' })))
      .execute();
  const find = async (...words: string[]) => {
    const rows = await db
      .selectFrom('notes')
      .select('id')
      .where(containsWords(db, searched, 'notes.id', words))
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  };
  /** The entries of the index itself. */
  const entries = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from notes_search`.execute(db);
    return rows[0]?.count;
  };

  test('a word is found by each of its parts, and texts by each of their words', async () => {
    await write('hat band', 'what', 'that\nhand\ttop\rend', 'ha');
    expect(await find('hat')).toEqual([1, 2, 3]);
    expect(await find('at')).toEqual([1, 2, 3]);
    expect(await find('t')).toEqual([1, 2, 3]);
    expect(await find('ha')).toEqual([1, 2, 3, 4]);
    expect(await find('hat', 'and')).toEqual([1, 3]);
    expect(await find('and', 'top', 'end')).toEqual([3]);
    expect(await find('htat')).toEqual([]);
  });

  const signs = ['"', "'", '\\', '%', '_', '*', '(', ')', ':', '&', '|', '!', '<', '-', '^', '+'];
  test.each([...signs, 'and', 'or', 'not', 'near', 'ü', '𝄞', '€'])(
    'the characters of %s are those that are found',
    async (sign) => {
      await write(`a${sign}b`, 'acb', `${sign} end`);
      expect(await find(`a${sign}b`)).toEqual([1]);
      expect(await find(`${sign}b`)).toEqual([1]);
      expect(await find(sign)).toEqual([1, 3]);
      expect(await find(`a${sign}`)).toEqual([1]);
    },
  );

  test('a long word is found by all of its characters', async () => {
    for (const letter of ['x', '𝄞']) {
      await db.deleteFrom('notes').execute();
      const long = letter.repeat(24);
      await write(`${long}a`, `${long}b`, `0${long}`, letter.repeat(23));
      expect(await find(letter.repeat(23))).toEqual([1, 2, 3, 4]);
      expect(await find(long)).toEqual([1, 2, 3]);
      expect(await find(`${long}a`)).toEqual([1]);
      expect(await find(`${long}a`, 'b')).toEqual([]);
      expect(await find(`${letter.repeat(20)}b`)).toEqual([2]);
      expect(await find(`0${long}`)).toEqual([3]);
    }
  });

  test('a long word with signs is found as it is written', async () => {
    const long = `${'x'.repeat(23)}%_\\'"`;
    await write(long, long.replace('%', 'a'), long.replace('_', 'a'), long.replace('\\', 'a'));
    expect(await find(long)).toEqual([1]);
  });

  test('a long text is found, with no entry in the index', async () => {
    const just = `needle ${'y'.repeat(10_000 - 'needle '.length)}`;
    await write(just, `${just}y`, 'needle');
    expect(await find('needle')).toEqual([1, 2, 3]);
    expect(await find('needle', 'yy')).toEqual([1, 2]);
    expect(await find('needle', 'z')).toEqual([]);
    expect(await entries()).toBe(2);
  });

  test('a text that changes is found by its new words alone', async () => {
    await write('old', 'old');
    const change = (search_text: string, id = 1) =>
      db.updateTable('notes').set({ search_text }).where('id', '=', id).execute();
    await change('new');
    expect([await find('old'), await find('new')]).toEqual([[2], [1]]);
    await change('new');
    await db.updateTable('notes').set({ other: 'old' }).execute();
    expect([await find('old'), await find('new')]).toEqual([[2], [1]]);
    await change('z'.repeat(10_001));
    expect([await find('new'), await find('z'), await entries()]).toEqual([[], [1], 1]);
    await change('new');
    expect([await find('new'), await find('z'), await entries()]).toEqual([[1], [], 2]);
  });

  test('a text that is deleted is found no more', async () => {
    await write('one', 'one');
    await db.deleteFrom('notes').where('id', '=', 1).execute();
    expect([await find('one'), await entries()]).toEqual([[2], 1]);
  });

  test('a text may be empty', async () => {
    await write('', ' ');
    expect(await find('a')).toEqual([]);
  });

  test('a condition next to a search is read as it is written', async () => {
    await write('one two', 'one');
    const rows = await db
      .selectFrom('notes')
      .select('id')
      .where(containsWords(db, searched, 'notes.id', ['one']))
      .where(sql<boolean>`${besideSearch(db, 'id')} = 2`)
      .execute();
    expect(rows).toEqual([{ id: 2 }]);
    const { sql: text } = sql`select ${besideSearch(db, 'id')}`.compile(db);
    // SQLite would else walk the index of the column.
    expect(text).toBe(kind === 'sqlite' ? 'select +"id"' : 'select "id"');
  });

  test('an index of the long texts holds them alone', async () => {
    const { rows } = await (
      kind === 'sqlite'
        ? sql<{
            made: string;
          }>`select sql as made from sqlite_master where name = 'notes_search_long'`
        : sql<{
            made: string;
          }>`select indexdef as made from pg_indexes where indexname = 'notes_search_long'`
    ).execute(db);
    expect(rows[0]?.made).toMatch(/length\(search_text\) > 10000/);
  });
});
