import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCompiled, slot } from '#main/front/store/compiled-queries.ts';
import { sqliteDialect } from '#main/front/store/file-store.ts';

interface Tables {
  readonly sheep: { readonly name: string; readonly age: number };
}

let db: Kysely<Tables>;
let compiled: number;
beforeEach(async () => {
  db = new Kysely({ dialect: sqliteDialect(':memory:', { durability: 'process' }) });
  await sql`create table sheep (name text, age integer)`.execute(db);
  await db
    .insertInto('sheep')
    .values([
      { name: 'Dolly', age: 6 },
      { name: 'Shaun', age: 2 },
    ])
    .execute();
  compiled = 0;
});
afterEach(() => db.destroy());

const find = async (
  name: string | undefined,
  values: Readonly<Record<string, unknown>>,
  limit = 9,
) => {
  const rows = await runCompiled(db, { name, values }, () => {
    compiled += 1;
    return db
      .selectFrom('sheep')
      .select('name')
      .where('age', '>', slot('above'))
      .orderBy('name')
      .limit(limit)
      .compile();
  });
  return rows.map((row) => row.name);
};

test('a query with a name is compiled once, and has the values of each run', async () => {
  expect(await find('older', { above: 1 })).toEqual(['Dolly', 'Shaun']);
  expect(await find('older', { above: 5, other: undefined })).toEqual(['Dolly']);
  expect(await find('older', { above: 0 })).toEqual(['Dolly', 'Shaun']);
  expect(compiled).toBe(1);
});

test('a query with another name, or with none, is another', async () => {
  expect(await find('first', { above: 1 }, 1)).toEqual(['Dolly']);
  expect(await find('both', { above: 1 })).toEqual(['Dolly', 'Shaun']);
  expect(await find(undefined, { above: 1 }, 1)).toEqual(['Dolly']);
  expect(await find(undefined, { above: 1 })).toEqual(['Dolly', 'Shaun']);
  expect(compiled).toBe(4);
});

test('a value that is missing is named, and nothing is asked', async () => {
  await expect(find('missing', { below: 1 })).rejects.toThrow(
    new TypeError('the query has no value for above'),
  );
  expect(await find('missing', { above: 5 })).toEqual(['Dolly']);
});

test('a value may be nothing or zero', async () => {
  expect(await find('nothing', { above: null })).toEqual([]);
  expect(await find('nothing', { above: 0 })).toEqual(['Dolly', 'Shaun']);
});
