import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReadThread } from '#main/front/store/read-thread.ts';
import { temporaryFolder } from '../../../support/processes.ts';

/* The thread by itself, over a file that another connection writes. */

interface Tables {
  readonly sheep: { readonly name: string; readonly wool: Buffer | null };
}

let folder: ReturnType<typeof temporaryFolder>;
let db: Kysely<Tables>;
let writer: Sqlite.Database | undefined;
const file = () => join(folder.path, 'a.db');
beforeEach(() => {
  folder = temporaryFolder();
  db = openReadThread(file());
});
afterEach(async () => {
  await db.destroy();
  writer?.close();
  writer = undefined;
  folder.remove();
});
const create = () => {
  writer = new Sqlite(file());
  writer.pragma('journal_mode = WAL');
  writer.exec('create table sheep (name text, wool blob)');
  return writer.prepare('insert into sheep values (?, ?)');
};
const names = async () =>
  (await db.selectFrom('sheep').select('name').execute()).map(({ name }) => name);

test('reading thread: reads what was committed, with bytes as buffers', async () => {
  const insert = create();
  insert.run('Dolly', Buffer.from([0, 255, 7]));
  const rows = await db.selectFrom('sheep').selectAll().where('name', '=', 'Dolly').execute();
  expect(rows).toEqual([{ name: 'Dolly', wool: Buffer.from([0, 255, 7]) }]);
  expect(Buffer.isBuffer(rows[0]?.wool)).toBe(true);
  insert.run('Shaun', null);
  expect(await names()).toEqual(['Dolly', 'Shaun']);
});

test('reading thread: answers each query with its own rows', async () => {
  create();
  const answers = await Promise.all(
    [1, 2, 3].map(async (number) => {
      const { rows } = await sql`select ${number} as number`.execute(db);
      return rows;
    }),
  );
  expect(answers).toEqual([[{ number: 1 }], [{ number: 2 }], [{ number: 3 }]]);
});

test('reading thread: a query that fails says with what, not about whom', async () => {
  create();
  const failing = sql`select secret from sheep`.execute(db);
  await expect(failing).rejects.toMatchObject({
    name: 'SqliteError',
    code: 'SQLITE_ERROR',
    message: 'a query of the reading thread failed',
  });
  expect(await names()).toEqual([]);
});

test('reading thread: one that ends fails what waits, and another one begins', async () => {
  const ended = 'the reading thread ended';
  // The file does not exist yet.
  const waiting = [names(), names()];
  for (const each of waiting) await expect(each).rejects.toThrow(ended);
  create().run('Dolly', null);
  expect(await names()).toEqual(['Dolly']);
});

test('reading thread: that is closed fails what waits', async () => {
  create();
  await names();
  const waiting = names();
  const closing = db.destroy();
  await expect(waiting).rejects.toThrow('the reading thread ended');
  await closing;
});

test('reading thread: changes nothing', async () => {
  create();
  const only = 'the reading thread has no transactions and no streams';
  const change = () => Promise.resolve();
  await expect(db.transaction().execute(change)).rejects.toThrow(only);
  await expect(db.selectFrom('sheep').selectAll().stream().next()).rejects.toThrow(only);
  await expect(sql`delete from sheep`.execute(db)).rejects.toThrow('a query of the');
});

test('reading thread: one that was never asked is closed', async () => {
  await expect(db.destroy()).resolves.toBeUndefined();
});
