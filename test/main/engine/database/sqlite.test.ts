import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '#main/engine/database/sqlite.ts';
import { temporaryFolder } from '../../../support/processes.ts';

let folder: ReturnType<typeof temporaryFolder>;
let db: Database;
beforeEach(() => {
  folder = temporaryFolder();
  db = openDatabase({
    file: `${folder.path}/a.db`,
    keyHex: 'a1'.repeat(32),
    durability: 'normal',
  });
  db.exec(
    "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT); INSERT INTO words VALUES (1, 'a')",
  );
});
afterEach(() => {
  db.close();
  folder.remove();
});

const text = 'SELECT * FROM words WHERE id = ?';

it('compiles a text once, and once more for its first column alone', () => {
  expect(db.prepare(text)).toBe(db.prepare(text));
  expect(db.prepare(text).pluck()).toBe(db.prepare(text).pluck());
  expect(db.prepare(text)).not.toBe(db.prepare('SELECT word FROM words WHERE id = ?'));
});

it('gives whole rows, and first columns, to who asks for them, in any order', () => {
  const [rows, ids] = [db.prepare(text), db.prepare(text).pluck()];
  expect([rows.get(1), ids.get(1), db.prepare(text).get(1)]).toEqual([
    { id: 1, word: 'a' },
    1,
    { id: 1, word: 'a' },
  ]);
});

it('compiles anew what was compiled before a change of the schema', () => {
  expect(db.prepare(text).get(1)).toEqual({ id: 1, word: 'a' });
  db.exec('ALTER TABLE words ADD COLUMN length INTEGER');
  expect(db.prepare(text).get(1)).toEqual({ id: 1, word: 'a', length: null });
});

it('still answers after more texts than it keeps', () => {
  const held = db.prepare(text);
  for (let at = 0; at < 400; at += 1)
    expect(db.prepare(`SELECT ${at} AS at`).get()).toEqual({ at });
  expect(held.get(1)).toEqual(db.prepare(text).get(1));
});

it('leaves a list of parameters, errors and writes as they are', () => {
  const insert = db.prepare('INSERT INTO words VALUES (@id, @word)');
  expect(insert.run({ id: 2, word: 'b' })).toMatchObject({ changes: 1, lastInsertRowid: 2 });
  expect(() => insert.run({ id: 2, word: 'b' })).toThrow('UNIQUE');
  expect(insert.run({ id: 3, word: 'c' }).changes).toBe(1);
  expect(() => db.prepare('SELECT absent FROM words')).toThrow('no such column');
});
