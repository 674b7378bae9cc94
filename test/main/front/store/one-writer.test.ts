import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Kysely,
  sql,
  SqliteAdapter,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sqliteDialect } from '#main/front/store/file-store.ts';
import { oneWriter } from '#main/front/store/one-writer.ts';

/* Over two connections to a file, which are as two pools of one connection each. */

interface Tables {
  readonly sheep: { readonly name: string };
}

let directory: string;
let calls: string[];
/** The pool that gives no connection. */
let brokenPool: string | undefined;
let db: Kysely<Tables>;
let driver: Driver;

/** Kysely itself lets only one query of SQLite run at a time. */
class PoolAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** A pool whose calls are noted. */
function noted(pool: string, dialect: Dialect): Dialect {
  const note =
    <Input extends unknown[], Result>(name: string, call: (...input: Input) => Result) =>
    (...input: Input): Result => {
      calls.push(`${pool} ${name}`);
      return call(...input);
    };
  return {
    createAdapter: () => new PoolAdapter(),
    createIntrospector: (of) => dialect.createIntrospector(of),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => {
      const real = dialect.createDriver();
      return {
        init: note('init', () => real.init()),
        acquireConnection: note('acquire', () => {
          if (brokenPool === pool) return Promise.reject(new Error('no connection'));
          return real.acquireConnection();
        }),
        beginTransaction: note('begin', (connection, settings) =>
          real.beginTransaction(connection, settings),
        ),
        commitTransaction: note('commit', (connection) => real.commitTransaction(connection)),
        rollbackTransaction: note('rollback', (connection) => real.rollbackTransaction(connection)),
        releaseConnection: note('release', (connection) => real.releaseConnection(connection)),
        destroy: note('destroy', () => real.destroy()),
      };
    },
  };
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'one-writer-'));
  calls = [];
  brokenPool = undefined;
  const open = () => sqliteDialect(join(directory, 'a.db'), { durability: 'process' });
  const dialect = oneWriter(noted('reader', open()), noted('writer', open()));
  const both = {
    ...dialect,
    createDriver: () => (driver = dialect.createDriver()),
  };
  db = new Kysely<Tables>({ dialect: both });
  await sql`create table sheep (name text)`.execute(db);
  calls = [];
});
afterEach(async () => {
  await db.destroy();
  await rm(directory, { recursive: true });
});

const names = async (of: Kysely<Tables> = db) =>
  (await of.selectFrom('sheep').selectAll().execute()).map(({ name }) => name);
const add = (of: Kysely<Tables>, name: string) => of.insertInto('sheep').values({ name }).execute();

describe('a store with one writer', () => {
  test('reads over one pool, and changes over the other, at the same time', async () => {
    await db.transaction().execute(async (transaction) => {
      await add(transaction, 'Dolly');
      expect(await names(transaction)).toEqual(['Dolly']);
      expect(calls).toEqual(['writer acquire', 'writer begin']);
      expect(await names()).toEqual([]);
      expect(calls.slice(2)).toEqual(['reader acquire', 'reader release']);
    });
    expect(calls.slice(4)).toEqual(['writer commit', 'writer release']);
    expect(await names()).toEqual(['Dolly']);
  });

  test('has nothing of a transaction that failed', async () => {
    const failing = db.transaction().execute(async (transaction) => {
      await add(transaction, 'Dolly');
      throw new Error('not so');
    });
    await expect(failing).rejects.toThrow('not so');
    expect(calls).toEqual(['writer acquire', 'writer begin', 'writer rollback', 'writer release']);
    expect(await names()).toEqual([]);
  });

  test('takes one connection for all queries of a reader, and none before the first', async () => {
    await db.connection().execute(async (connection) => {
      expect(calls).toEqual([]);
      await names(connection);
      await names(connection);
    });
    expect(calls).toEqual(['reader acquire', 'reader release']);
    await db.connection().execute(() => Promise.resolve());
    expect(calls).toHaveLength(2);
  });

  test('streams what a reader reads', async () => {
    await add(db, 'Dolly');
    calls = [];
    const found = [];
    for await (const row of db.selectFrom('sheep').selectAll().stream()) found.push(row);
    expect(found).toEqual([{ name: 'Dolly' }]);
    await vi.waitFor(() => expect(calls).toEqual(['reader acquire', 'reader release']));
  });

  test.each(['reader', 'writer'])(
    'reports that the %s has no connection, and releases none',
    async (pool) => {
      brokenPool = pool;
      const run = () =>
        pool === 'reader' ? names() : db.transaction().execute((transaction) => names(transaction));
      await expect(run()).rejects.toThrow('no connection');
      expect(calls.filter((call) => call.endsWith('release'))).toEqual([]);
      brokenPool = undefined;
      expect(await run()).toEqual([]);
    },
  );

  test('begins and ends with both pools', async () => {
    const dialect = oneWriter(
      noted('reader', sqliteDialect(':memory:', { durability: 'process' })),
      noted('writer', sqliteDialect(':memory:', { durability: 'process' })),
    );
    const other = dialect.createDriver();
    await other.init();
    await other.destroy();
    expect(calls).toEqual(['reader init', 'writer init', 'writer destroy', 'reader destroy']);
  });

  test('refuses a connection of another driver', async () => {
    const foreign: DatabaseConnection = {
      executeQuery: () => Promise.reject(new Error('not here')),
      streamQuery: () => {
        throw new Error('not here');
      },
    };
    await expect(driver.commitTransaction(foreign)).rejects.toThrow(
      'the connection is of another driver',
    );
  });
});
