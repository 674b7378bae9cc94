import Sqlite from 'better-sqlite3';
import { Kysely, sql, SqliteDialect, type RawBuilder } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { slot } from '#main/front/store/compiled-queries.ts';
import { createPageMemory, listReader, readListPage } from '#main/front/store/list-page.ts';

/* A page is what a look at the whole list gives, however it was found. */

interface Tables {
  readonly notes: { readonly id: string; readonly at: number; readonly changed: number };
}

let database: Sqlite.Database;
let db: Kysely<Tables>;
let memory: ReturnType<typeof createPageMemory>;
/** The queries since the last look, with their limit and offset. */
let queries: string[];
/** Changes the list between the reading of the numbers and that of the page. */
let between: (() => void) | undefined;

beforeEach(() => {
  database = new Sqlite(':memory:');
  database.exec('create table notes (id text primary key, at integer, changed integer)');
  queries = [];
  between = undefined;
  memory = createPageMemory();
  const get = memory.get.bind(memory);
  memory.get = (key) => {
    between?.();
    return get(key);
  };
  db = new Kysely({
    dialect: new SqliteDialect({ database }),
    log: ({ query }) => void queries.push(query.sql),
  });
});
afterEach(() => db.destroy());

const add = (id: string, at: number, changed = 1) =>
  database.prepare('insert into notes values (?, ?, ?)').run(id, at, changed);
/** Notes of which each two have one time. */
const fill = (count: number) => {
  for (let number = 0; number < count; number += 1)
    add(`n${String((number * 7) % count).padStart(3, '0')}`, Math.floor(number / 2));
};
const countAll = sql<number>`(select count(*) from notes)`;

interface Asked {
  readonly page: number;
  readonly size?: number;
  readonly isDescending?: boolean;
  readonly isCounted?: boolean;
  readonly key?: string;
}
async function read({ page, size = 3, isDescending = true, isCounted = true, key = 'k' }: Asked) {
  const version = () => sql<number>`(select coalesce(max(changed), 0) from notes)`.as('version');
  const { total, rows } = await readListPage({
    db,
    memory,
    list: { name: undefined, values: {} },
    key,
    page: { page, size },
    order: { time: 'notes.at', id: 'notes.id', isDescending },
    counted: isCounted ? () => countAll : undefined,
    count: () => countAll,
    scalars: (number: RawBuilder<number>) => db.selectNoFrom([number.as('total'), version()]),
    read: (slice, number: RawBuilder<number>) =>
      db
        .selectFrom('notes')
        .select(['id', 'at', number.as('total'), version()])
        .where('id', 'in', slice(db.selectFrom('notes').select('notes.id')))
        // A page is put into its order whatever the order of its rows.
        .orderBy(sql`random()`),
  });
  return { total, ids: rows.map(({ id }) => id) };
}

/** The page by a look at every note. */
function expected({ page, size = 3, isDescending = true }: Asked) {
  const all = database.prepare('select id, at from notes').all() as { id: string; at: number }[];
  const ordered = all.toSorted((one, other) => {
    const byTime = isDescending ? other.at - one.at : one.at - other.at;
    return byTime || (one.id < other.id ? -1 : 1);
  });
  const ids = ordered.slice((page - 1) * size, page * size).map(({ id }) => id);
  return { total: ids.length === 0 && page === 1 ? 0 : all.length, ids };
}

const orders = [
  [true, true],
  [true, false],
  [false, true],
  [false, false],
].map(([isDescending = true, isCounted = true]) => ({ isDescending, isCounted }));
/** How the last query found its place. */
const how = () => {
  const text = queries.at(-1) ?? '';
  const direction = /order by .*?"id" (\w+)/.exec(text)?.[1] === 'desc' ? 'from the end' : 'from';
  return text.includes('offset') ? direction : 'after';
};

describe.each(orders)('a list (descending: $isDescending, counted: $isCounted)', (order) => {
  test.each([0, 1, 2, 3, 10, 12])('of %i notes has its pages in any order', async (count) => {
    fill(count);
    const pages = [1, 2, 3, 4, 5, 6];
    const walks = [pages, pages.toReversed(), [1, 3, 2, 3, 4, 1, 2, 6, 4, 5]];
    for (const walk of walks) {
      for (const page of walk) {
        const asked = { ...order, page };
        expect([page, await read(asked)]).toEqual([page, expected(asked)]);
      }
    }
  });
});

describe('a page', () => {
  beforeEach(() => fill(20));

  test('that is the first is read at once', async () => {
    await read({ page: 1 });
    expect([queries.length, how()]).toEqual([1, 'from']);
  });

  test('after the one before starts where that ended', async () => {
    for (const isCounted of [true, false]) {
      await read({ page: 1, isCounted });
      await read({ page: 2, isCounted });
      expect(how()).toBe('after');
      await read({ page: 3, isCounted });
      expect(how()).toBe('after');
    }
  });

  test('of the second half is counted from the end, if the total is known', async () => {
    await read({ page: 6 });
    expect(how()).toBe('from the end');
    await read({ page: 6, isCounted: false });
    expect(how()).toBe('from');
  });

  test('of the first half is counted from the start', async () => {
    await read({ page: 6, size: 2 });
    expect(how()).toBe('from');
    await read({ page: 7, size: 2 });
    expect(how()).toBe('after');
    await read({ page: 7, size: 2, key: 'other' });
    expect(how()).toBe('from the end');
    await read({ page: 6, isCounted: false, key: 'third' });
    expect(how()).toBe('from');
  });

  test.each([
    ['of another list', () => undefined, 'other', 2],
    ['that is not the one after it', () => undefined, 'k', 3],
    ['if something has changed', () => void add('new', 99, 2), 'k', 2],
    ['if a note is gone', () => void database.exec("delete from notes where id = 'n000'"), 'k', 2],
  ])('does not start where another ended %s', async (_, change, key, page) => {
    await read({ page: 1 });
    change();
    const asked = { page, key };
    expect(await read(asked)).toEqual(expected(asked));
    expect(how()).toBe('from');
  });

  test('does not start where the last one ended if something came before it', async () => {
    database.exec('delete from notes');
    fill(3);
    await read({ page: 1, isCounted: false });
    add('new', 99, 2);
    const asked = { page: 2, isCounted: false };
    expect(await read(asked)).toEqual(expected(asked));
  });

  test('beyond the end has no rows, and the total', async () => {
    queries.length = 0;
    expect(await read({ page: 8 })).toEqual({ total: 20, ids: [] });
    expect(queries).toHaveLength(1);
    expect(await read({ page: 8, isCounted: false })).toEqual({ total: 20, ids: [] });
    expect((await read({ page: 10, size: 2 })).ids).toHaveLength(2);
    queries.length = 0;
    expect(await read({ page: 11, size: 2 })).toEqual({ total: 20, ids: [] });
    expect(queries).toHaveLength(1);
  });

  test('after the last one is empty, with the total that was known', async () => {
    await read({ page: 10, size: 2, isCounted: false });
    queries.length = 0;
    expect(await read({ page: 11, size: 2, isCounted: false })).toEqual({ total: 20, ids: [] });
    expect([queries.length, how()]).toEqual([2, 'after']);
  });
});

describe('a list that changes while it is read', () => {
  beforeEach(() => fill(20));
  let changes = 0;
  const insertOnce = (times: number) => () => {
    if (changes >= times) return;
    changes += 1;
    add(`new${changes}`, 100 + changes, 1 + changes);
  };
  beforeEach(() => {
    changes = 0;
  });

  test.each([1, 2, 3, 4])('is read again, %i times at most, and a page is right', async (times) => {
    await read({ page: 1 });
    between = insertOnce(times);
    const asked = { page: 2 };
    expect(await read(asked)).toEqual(expected(asked));
  });

  test.each([1, 2, 3, 4])('is read from its start in the end (%i changes)', async (times) => {
    between = insertOnce(times);
    const asked = { page: 6 };
    queries.length = 0;
    expect(await read(asked)).toEqual(expected(asked));
    expect(how()).toBe(times === 1 ? 'from the end' : 'from');
    expect(queries).toHaveLength(times === 1 ? 4 : 6);
  });

  test('is read again after a change that leaves its total', async () => {
    await read({ page: 1 });
    let isChanged = false;
    between = () => {
      if (isChanged) return;
      isChanged = true;
      // The last note of the list becomes its first.
      database.exec("update notes set at = 500, changed = 2 where id = 'n000'");
    };
    const asked = { page: 2 };
    expect(await read(asked)).toEqual(expected(asked));
  });

  test('is read three times at most, although another request notes each end', async () => {
    const insert = insertOnce(9);
    between = () => {
      // The other request has read the page before at this moment.
      const before = expected({ page: 1 });
      const id = before.ids.at(-1) ?? '';
      const [at, version] = database
        .prepare('select (select at from notes where id = ?), max(changed) from notes')
        .raw()
        .get(id) as [number, number];
      memory.set('k', { page: 1, at, id, version, total: before.total });
      insert();
    };
    const asked = { page: 2 };
    queries.length = 0;
    expect(await read(asked)).toEqual(expected(asked));
    expect(queries).toHaveLength(6);
  });

  test('is not read again if a page is counted from the start', async () => {
    between = insertOnce(1);
    const asked = { page: 2 };
    queries.length = 0;
    expect(await read(asked)).toEqual(expected(asked));
    expect(queries).toHaveLength(2);
  });
});

describe('the connection of a list', () => {
  const searches = {} as Kysely<Tables>;
  const counts = {} as Kysely<Tables>;
  const list = { name: undefined, values: {} };
  const reader = (
    { isSearch = false, isCounted = false },
    slow = { searches, counts },
  ): Promise<string> =>
    listReader({ db, slow }, { isSearch, isCounted, list }, (limit) =>
      db.selectFrom('notes').select('id').limit(sql.lit(limit)),
    ).then((found) => (found === db ? 'usual' : found === searches ? 'searches' : 'counts'));

  test('is its own for a search, and the usual one for a stored total', async () => {
    expect(await reader({ isSearch: true, isCounted: true })).toBe('searches');
    expect(await reader({ isCounted: true })).toBe('usual');
    expect(await reader({}, { searches, counts: db })).toBe('usual');
    expect(queries).toEqual([]);
  });

  test('is its own for a total that is counted from many rows', async () => {
    fill(1999);
    expect(await reader({})).toBe('usual');
    add('last', 1);
    expect(await reader({})).toBe('counts');
    expect(queries[0]).toContain('limit 2000');
  });
});

describe('the queries of a list', () => {
  test('are remembered by what differs between them', async () => {
    fill(20);
    const version = () => sql<number>`(select coalesce(max(changed), 0) from notes)`.as('version');
    let compiled = 0;
    const page = async (
      number: number,
      isCounted: boolean,
      isDescending: boolean,
      least: string,
    ) => {
      const { rows } = await readListPage({
        db,
        memory,
        list: { name: `notes ${isCounted} ${isDescending}`, values: { least } },
        key: `${isCounted} ${isDescending} ${least}`,
        page: { page: number, size: 3 },
        order: { time: 'notes.at', id: 'notes.id', isDescending },
        counted: isCounted
          ? () => sql<number>`(select count(*) from notes where id >= ${slot('least')})`
          : undefined,
        count: () => sql<number>`(select count(*) from notes where id >= ${slot('least')})`,
        scalars: (number: RawBuilder<number>) => {
          compiled += 1;
          return db.selectNoFrom([number.as('total'), version()]);
        },
        read: (slice, number: RawBuilder<number>) => {
          compiled += 1;
          return db
            .selectFrom('notes')
            .select(['id', 'at', number.as('total'), version()])
            .where(
              'id',
              'in',
              slice(db.selectFrom('notes').select('notes.id').where('id', '>=', slot('least'))),
            );
        },
      });
      return rows.map(({ id }) => id);
    };
    const all = database.prepare('select id, at from notes').all() as { id: string; at: number }[];
    for (const isCounted of [true, false]) {
      for (const isDescending of [true, false]) {
        for (const least of ['', 'n004']) {
          const ordered = all
            .filter(({ id }) => id >= least)
            .toSorted((one, other) => {
              const byTime = isDescending ? other.at - one.at : one.at - other.at;
              return byTime || (one.id < other.id ? -1 : 1);
            })
            .map(({ id }) => id);
          for (const number of [1, 2, 5, 3, 4, 9])
            expect(await page(number, isCounted, isDescending, least)).toEqual(
              ordered.slice((number - 1) * 3, number * 3),
            );
          await page(1, isCounted, isDescending, least);
          await page(2, isCounted, isDescending, least);
          expect(how()).toBe('after');
          if (least === '') continue;
          const before = compiled;
          for (const number of [1, 2, 5]) await page(number, isCounted, isDescending, least);
          expect(compiled).toBe(before);
        }
      }
    }
  });
});
