import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { locks, openSharedStore } from '#main/front/store/shared-store.ts';
import { StartError } from '#main/front/problem.ts';
import type { Migrations, Store } from '#main/front/store/store.ts';
import { storeMigrations } from '#main/service/store/schema.ts';
import type { Database } from '#main/service/store/tables.ts';
import { createDatabase, databaseOf, dropDatabase } from '../support/database.ts';

let directory: string;
let url: string;
const opened: Store<Database>[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shared-'));
  await createDatabase(directory);
  url = databaseOf(directory)?.url ?? '';
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  await dropDatabase(directory);
  await rm(directory, { recursive: true });
});

async function open(
  onTime?: (nowMs: number) => void,
  migrations: Migrations = storeMigrations,
): Promise<Store<Database>> {
  const store = await openSharedStore<Database>({
    url,
    migrations,
    onTime,
    onError: () => undefined,
  });
  opened.push(store);
  return store;
}

test('shared store: several that open an empty database at once make its tables once', async () => {
  const stores = await Promise.all([open(), open(), open()]);
  for (const store of stores) {
    expect(await store.db.selectFrom('claims').selectAll().execute()).toEqual([]);
  }
});

test('shared store: several that upgrade it at once do so once, lose nothing, and the version before is refused', async () => {
  const before = await open();
  await before.db.insertInto('counters').values({ name: 'of before', value: 7 }).execute();
  await before.close();
  const nextVersion: Migrations = [
    ...storeMigrations,
    {
      name: 'next',
      up: async (db) => {
        await db.schema.createTable('upgrades').addColumn('of', 'text').execute();
        await sql`insert into upgrades select name from counters`.execute(db);
      },
    },
  ];
  const upgraded = await Promise.all([1, 2, 3].map(() => open(undefined, nextVersion)));
  for (const { db } of upgraded) {
    expect((await sql`select * from upgrades`.execute(db)).rows).toEqual([{ of: 'of before' }]);
    expect(await db.selectFrom('counters').selectAll().execute()).toEqual([
      { name: 'of before', value: 7 },
    ]);
  }
  await expect(open()).rejects.toEqual(
    new StartError(
      'the database cannot be used: a later version has migrated the store, and this one cannot go back: start the later version',
    ),
  );
});

test('shared store: only one is alone at a time', async () => {
  const [one, other] = await Promise.all([open(), open()]);
  let inside = 0;
  const enter = async (store: Store<Database>) => {
    inside += 1;
    expect(inside).toBe(1);
    await store.db.selectFrom('claims').selectAll().execute();
    inside -= 1;
  };
  await Promise.all([one, other, one, other].map((store) => store.alone(() => enter(store))));
});

test('shared store: times reported to transactions never fall behind those reported before', async () => {
  const reported: number[] = [];
  const note = (nowMs: number) => void reported.push(nowMs);
  const [one, other] = await Promise.all([open(note), open(note)]);
  reported.length = 0;
  const seen = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      (index % 2 === 0 ? one : other).db.transaction().execute(async (db) => {
        const { rows } = await sql<{ now: number }>`
          select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
        return { reported: reported.at(-1) ?? 0, now: rows[0]?.now ?? 0 };
      }),
    ),
  );
  expect(reported).toHaveLength(30);
  expect(reported).toEqual(reported.toSorted((a, b) => a - b));
  // No other transaction got the time before this one was over.
  for (const transaction of seen) expect(transaction.reported).toBeLessThanOrEqual(transaction.now);
});

test('shared store: a transaction that fails leaves nothing, and the next goes on', async () => {
  const { db } = await open();
  const add = (name: string) => ({ name, value: 1 });
  const failing = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('counters').values(add('undone')).execute();
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await db.transaction().execute(async (transaction) => {
    await transaction.insertInto('counters').values(add('done')).execute();
  });
  expect(await db.selectFrom('counters').select('name').execute()).toEqual([{ name: 'done' }]);
});

/** Has the transactions' lock, as another process that is inside of one. */
async function holdLock() {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('begin');
  await holder.query(`select pg_advisory_xact_lock(${locks.transaction})`);
  /** The processes of the server that wait for it. */
  const waiting = async (): Promise<number[]> => {
    const { rows } = await holder.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.map(({ pid }) => pid);
  };
  return { holder, waiting };
}

test('shared store: however many transactions wait, reading does not', async ({ signal }) => {
  const { db } = await open();
  const { holder, waiting } = await holdLock();
  const order: number[] = [];
  const writing = Array.from({ length: 40 }, (_, index) =>
    db.transaction().execute((transaction) => {
      order.push(index);
      return transaction
        .insertInto('counters')
        .values({ name: `waiting ${index}`, value: 1 })
        .execute();
    }),
  );
  while ((await waiting()).length === 0) signal.throwIfAborted();
  const reading = Array.from({ length: 40 }, () =>
    db.selectFrom('counters').select('name').execute(),
  );
  expect(await Promise.all(reading)).toEqual(Array.from({ length: 40 }, () => []));
  expect(await waiting()).toHaveLength(1);
  await holder.query('commit');
  await Promise.all(writing);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(await db.selectFrom('counters').selectAll().execute()).toHaveLength(40);
  await holder.end();
}, 20_000);

test('shared store: a transaction that cannot begin does not hold up the next', async ({
  signal,
}) => {
  const { db } = await open();
  const { holder, waiting } = await holdLock();
  const ended = Promise.allSettled(
    [1, 2, 3].map((value) => db.transaction().execute(() => Promise.resolve(value))),
  );
  let [first] = await waiting();
  for (; first === undefined; [first] = await waiting()) signal.throwIfAborted();
  await holder.query('select pg_terminate_backend($1, 5000)', [first]);
  await holder.query('commit');
  await holder.end();
  const outcomes = await ended;
  expect(outcomes[0]?.status).toBe('rejected');
  // The second may be given the same connection, whose end was not heard of yet.
  expect(outcomes[2]).toEqual({ status: 'fulfilled', value: 3 });
}, 20_000);

test('shared store: no query is compiled first, however large the store', async () => {
  const { db, limits } = await open();
  for (const each of [db, limits]) {
    expect(
      await each?.connection().execute((session) => sql`show jit`.execute(session)),
    ).toMatchObject({
      rows: [{ jit: 'off' }],
    });
  }
});

test('shared store: the server itself checks whether each connection still exists', async () => {
  const { db, limits } = await open();
  // Over a socket of this machine the value has no effect, and is shown as 0.
  const named = sql<{ name: string }>`select name from pg_settings
    where source = 'client' and name like 'tcp_keepalives%' order by name`;
  for (const each of [db, limits]) {
    expect(await each?.connection().execute((session) => named.execute(session))).toMatchObject({
      rows: ['count', 'idle', 'interval'].map((name) => ({ name: `tcp_keepalives_${name}` })),
    });
  }
});

test('shared store: connections that break are replaced', async () => {
  const store = await open();
  const killer = await open();
  await store.db.selectFrom('claims').selectAll().execute();
  // Theirs alone: the killer's own connection is what asks.
  await killer.db.connection().execute((connection) =>
    sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(connection),
  );
  const ask = () => store.db.selectFrom('claims').selectAll().execute();
  // One whose end was not heard of yet may be handed out, but none of them twice.
  let answer = await ask().catch(() => undefined);
  for (let tries = 0; answer === undefined && tries < 12; tries += 1) {
    answer = await ask().catch(() => undefined);
  }
  expect(answer).toEqual([]);
});

test('shared store: what is wrong is said, the password is not', async () => {
  const address = new URL(url);
  const nowhere = `postgres://service:hidden@localhost/x?host=${address.searchParams.get('host')}`;
  const refused = openSharedStore({
    url: nowhere,
    migrations: storeMigrations,
    onError: () => undefined,
  });
  await expect(refused).rejects.toThrow(/^the database cannot be used: .*"x"/);
  await expect(refused).rejects.not.toThrow('hidden');
});
