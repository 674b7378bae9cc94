import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { lockFile, openFileStore, sqliteDialect } from '#main/front/store/file-store.ts';
import type { StoreWait } from '#main/front/store/store-watch.ts';
import type { ReplayTables } from '#main/front/store/tables.ts';
import type { Migrations } from '#main/front/store/store.ts';

interface Tables {
  readonly sheep: { readonly name: string };
}

const key = 'ab'.repeat(32);
let directory: string;
let file: string;
let opened: Kysely<Tables>[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'file-store-'));
  file = join(directory, 'a.db');
  opened = [];
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const db of opened) await db.destroy();
  await rm(directory, { recursive: true });
});

function open(options: Partial<Parameters<typeof sqliteDialect>[1]> = {}): Kysely<Tables> {
  const dialect = sqliteDialect(file, { durability: 'full', ...options });
  const db = new Kysely<Tables>({ dialect });
  opened.push(db);
  return db;
}
const create = (db: Kysely<Tables>) => sql`create table sheep (name text)`.execute(db);
const add = (db: Kysely<Tables>, name = 'Dolly') =>
  db.insertInto('sheep').values({ name }).execute();
const names = async (db: Kysely<Tables>) =>
  (await db.selectFrom('sheep').selectAll().execute()).map(({ name }) => name);

describe('what waits for a file', () => {
  test('is reported with the time until its turn', async () => {
    let nowMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const waits: StoreWait[] = [];
    const db = open({ watch: { waited: (wait) => waits.push(wait), addPool: () => undefined } });
    await create(db);
    expect(waits).toEqual([{ wait: 'turn', pool: 'file', ms: 0 }]);
    const begun = Promise.withResolvers<null>();
    const mayEnd = Promise.withResolvers<null>();
    const first = db.transaction().execute(async (transaction) => {
      begun.resolve(null);
      await mayEnd.promise;
      await add(transaction);
    });
    await begun.promise;
    const second = names(db);
    // Whatever is ready has run then.
    await new Promise((resolve) => setImmediate(resolve));
    expect(waits).toHaveLength(2);
    nowMs += 700;
    mayEnd.resolve(null);
    await first;
    expect(await second).toEqual(['Dolly']);
    expect(waits.slice(1)).toEqual([
      { wait: 'turn', pool: 'file', ms: 0 },
      { wait: 'turn', pool: 'file', ms: 700 },
    ]);
  });
});

describe('a transaction', () => {
  test('that fails leaves nothing, and does not keep the next one waiting', async () => {
    const db = open();
    await create(db);
    const failing = db.transaction().execute(async (transaction) => {
      await add(transaction);
      throw new Error('not so');
    });
    await expect(failing).rejects.toThrow('not so');
    expect(await names(db)).toEqual([]);
    await db.transaction().execute((transaction) => add(transaction));
    expect(await names(db)).toEqual(['Dolly']);
  });

  test('that SQLite has rolled back by itself fails with its own error', async () => {
    const db = open();
    await create(db);
    const failing = db.transaction().execute(async (transaction) => {
      await add(transaction);
      await sql`rollback`.execute(transaction);
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(await names(db)).toEqual([]);
  });
});

describe('a file', () => {
  const pragma = async (db: Kysely<Tables>, name: string) => {
    const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db);
    return Object.values(rows[0] ?? {})[0];
  };

  test.each([
    ['full', 2],
    ['process', 1],
  ] as const)('has a durability: %s', async (durability, synchronous) => {
    const db = open({ durability });
    expect(await pragma(db, 'synchronous')).toBe(synchronous);
    expect(await pragma(db, 'journal_mode')).toBe('wal');
    expect(await pragma(db, 'foreign_keys')).toBe(1);
    expect(await pragma(db, 'cache_size')).toBe(-16_384);
    expect(await pragma(db, 'wal_autocheckpoint')).toBe(8000);
  });

  test('that is encrypted is read with its key alone', async () => {
    const db = open({ key });
    await create(db);
    await add(db);
    expect(existsSync(`${file}-wal`)).toBe(true);
    await db.destroy();
    // A closed file has no log next to it.
    expect(existsSync(`${file}-wal`)).toBe(false);
    opened = [];
    expect((await readFile(file)).subarray(0, 15).toString('latin1')).not.toBe('SQLite format 3');
    expect(() => open()).toThrow('not a database');
    expect(() => open({ key: 'cd'.repeat(32) })).toThrow('not a database');
    expect(await names(open({ key }))).toEqual(['Dolly']);
  });

  test.each(['', 'ab', `${key}0`, `0${key}`, 'x'.repeat(64)])(
    'takes no key but 64 hexadecimal digits: "%s"',
    (wrong) => {
      expect(() => open({ key: wrong })).toThrow('a store key is 64 hexadecimal digits');
    },
  );

  test('takes a key in capitals', async () => {
    await create(open({ key: key.toUpperCase() }));
    expect(await names(open({ key }))).toEqual([]);
  });

  test('has the functions of the search', async () => {
    const { rows } = await sql<{ ends: string }>`select word_ends('ab') as ends`.execute(open());
    expect(rows[0]?.ends).toContain('b');
  });

  test('runs the same statement again as it is prepared', async () => {
    const db = open();
    await create(db);
    await add(db, 'Dolly');
    await add(db, 'Shaun');
    expect(await names(db)).toEqual(['Dolly', 'Shaun']);
  });
});

describe('a lock', () => {
  test('is held by one at a time, and is free again after it', () => {
    const unlock = lockFile(file);
    expect(unlock).toBeTypeOf('function');
    expect(lockFile(file)).toBeUndefined();
    unlock?.();
    const again = lockFile(file);
    expect(again).toBeTypeOf('function');
    again?.();
  });

  test('that cannot be taken for another reason says so', async () => {
    await writeFile(
      file,
      'this is no file of SQLite, whose header is longer than a few bytes '.repeat(9),
    );
    expect(() => lockFile(file)).toThrow('not a database');
  });
});

describe('a store in a folder', () => {
  const migrations: Migrations = [
    {
      name: 'sheep',
      up: async (db) => {
        await db.schema.createTable('sheep').addColumn('name', 'text').execute();
      },
    },
  ];
  const folder = () => join(directory, 'new', 'store');
  const openStore = (given?: string) =>
    openFileStore<Tables>({ directory: folder(), name: 'desk', migrations, key: given });
  const modeOf = (name: string) => statSync(join(folder(), name)).mode & 0o777;

  test.each([[undefined], [key]])('is made, read and closed (key: %s)', async (given) => {
    const store = await openStore(given);
    const { db, slow, replay, limits } = store;
    expect(modeOf('')).toBe(0o700);
    expect([modeOf('desk.db'), modeOf('replay.db')]).toEqual([0o600, 0o600]);
    await add(db);
    expect(await names(slow.searches)).toEqual(['Dolly']);
    expect(await names(slow.counts)).toEqual(['Dolly']);
    expect(new Set([db, slow.searches, slow.counts]).size).toBe(given === undefined ? 3 : 1);
    expect(await replay.selectFrom('used_jtis').selectAll().execute()).toEqual([]);
    const header = Buffer.from('SQLite format 3');
    for (const name of ['desk.db', 'replay.db']) {
      const content = await readFile(join(folder(), name));
      expect(content.includes(header)).toBe(given === undefined);
    }
    expect(limits).toBeUndefined();
    expect(await store.alone(() => Promise.resolve(7))).toBe(7);
    expect(await pragmaOf(db)).toBe(2);
    expect(await pragmaOf(replay)).toBe(1);
    await store.close();
    for (const each of [db, replay, slow.searches, slow.counts])
      await expect(sql`select 1`.execute(each)).rejects.toThrow('destroyed');
  });

  const pragmaOf = async (db: Kysely<ReplayTables> | Kysely<Tables>) => {
    const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
    return rows[0]?.synchronous;
  };
});
