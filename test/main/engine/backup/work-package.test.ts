import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backUpWork } from '#main/engine/backup/work-package.ts';
import { openDatabase } from '#main/engine/database/sqlite.ts';
import { TestDesk } from '../support/test-desk.ts';

const passphrase = 'correct horse';
let desk: TestDesk;
let draftId: string;
beforeEach(async () => {
  desk = await TestDesk.open();
  draftId = desk.work.drafts.create('c').id;
  await desk.attach(draftId, 'a.txt', 'a');
});
afterEach(() => desk.remove());

const workspace = () => ({
  record: {
    id: 'w',
    kind: 'connection' as const,
    name: 'Office',
    baseUrl: 'http://127.0.0.1',
    audience: 'a',
    clientId: 'c',
    scope: null,
    htuWithoutQuery: false,
  },
  work: desk.work,
  workFiles: desk.files,
  client: desk.partner.createClient(),
});
const sharedSinceMs = () => desk.work.drafts.get(draftId).sharedSinceMs;

test('a package is there only once its reports are marked as shared', async () => {
  const file = join(desk.dir, 'work.desk');
  const store = { file: join(desk.dir, 'work.db'), keyHex: 'ab'.repeat(32) };
  const db = openDatabase({ ...store, durability: 'full' });
  db.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON drafts BEGIN SELECT RAISE(ABORT, 'no'); END`);
  await expect(backUpWork(workspace(), { file, passphrase })).rejects.toThrow('no');
  expect(readdirSync(desk.dir).filter((name) => name.includes('work.desk'))).toEqual([]);
  db.exec('DROP TRIGGER refuse');
  db.close();
  await backUpWork(workspace(), { file, passphrase });
  expect(existsSync(file)).toBe(true);
  expect(sharedSinceMs()).toBe(desk.clock.now());
});

test('a package that could not be written marks nothing', async () => {
  const file = join(desk.dir, 'taken.desk');
  writeFileSync(file, 'mine');
  await expect(backUpWork(workspace(), { file, passphrase })).rejects.toThrow('file_exists');
  expect(sharedSinceMs()).toBeNull();
});
