import type * as NodeFs from 'node:fs';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Work } from '#main/engine/work/open-work.ts';
import {
  hasPendingWork,
  listSetAside,
  offeredWork,
  setAside,
} from '#main/engine/work/set-aside.ts';
import { openTestWork, testFolder } from '../support/test-engine.ts';

/** Renames that are still done; the process "dies" at the next one. A kill cannot be aimed so well. */
const { life } = vi.hoisted(() => ({ life: { renamesLeft: Infinity } }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof NodeFs>();
  const renameSync: typeof fs.renameSync = (from, to) => {
    if (life.renamesLeft === 0) throw new Error('killed');
    life.renamesLeft -= 1;
    fs.renameSync(from, to);
  };
  return { ...fs, renameSync };
});

const keyHex = 'cd'.repeat(32);
let dir: string;
let nowMs: number;
beforeEach(() => {
  dir = testFolder();
  nowMs = Date.parse('2026-03-02T08:00:00Z');
});
afterEach(() => {
  life.renamesLeft = Infinity;
});

const open = (): Work => openTestWork({ dir, keyHex, now: () => (nowMs += 1000) });
const target = { caseId: 'case-1', externalKey: 'K-1' };

it('a folder has pending work if a key still opens any of it', () => {
  expect(hasPendingWork(join(dir, 'none'))).toBe(false);
  expect(hasPendingWork(dir)).toBe(false);
  open().close();
  expect(hasPendingWork(dir)).toBe(true);
  rmSync(join(dir, 'work.db'));
  expect(hasPendingWork(dir)).toBe(true);
  open().close();
  rmSync(join(dir, 'work.db'));
  rmSync(join(dir, 'backups'), { recursive: true });
  expect(hasPendingWork(dir)).toBe(true);
});

describe('a work store whose putting aside is broken off', () => {
  it.each([0, 1, 2])('after %i renames still offers its backups', (renames) => {
    const work = open();
    work.outbox.enqueue(target, { kind: 'comment', text: 'precious', seen: '' }, [
      { kind: 'comment' },
    ]);
    work.close();
    open().close();
    writeFileSync(join(dir, 'work.db'), Buffer.alloc(8192, 7));
    for (const log of ['work.db-wal', 'work.db-shm']) writeFileSync(join(dir, log), 'its log');
    life.renamesLeft = renames;
    expect(open).toThrow('killed');
    life.renamesLeft = Infinity;
    const after = open();
    expect(after.hasSetAside).toBe(true);
    expect(after.damage?.code).toBe('work_corrupt');
    expect(after.offered()).toMatchObject([{ work: { rows: [{}] } }]);
    after.close();
    const aside = readdirSync(dir).filter((name) => name.startsWith('quarantine-'));
    const files = aside.flatMap((name) => readdirSync(join(dir, name)));
    expect(files).toContain('work.db');
  });
});

/** Writes the files of a store with this content. */
function writeStore(content: string): void {
  mkdirSync(join(dir, 'backups'));
  for (const name of ['backups/one.db', 'work.db-wal', 'work.db-shm', 'work.db'])
    writeFileSync(join(dir, name), content);
}

it('a store that is set aside leaves nothing behind, and only its owner may read it', () => {
  writeStore('precious');
  const aside = setAside(dir, nowMs);
  expect(aside).toBe('quarantine-20260302T080000000Z');
  expect(readdirSync(dir)).toEqual([aside]);
  const moved = ['backups', 'work.db', 'work.db-shm', 'work.db-wal'];
  expect(readdirSync(join(dir, aside)).sort()).toEqual(moved);
  expect(statSync(join(dir, aside)).mode & 0o777).toBe(0o700);
});

it('stores that are set aside at one moment have a folder each, in the order of their time', () => {
  const stores = [3, 1, 4, 1, 5, 2].map((second, index) => {
    writeStore(String(index));
    return { second, index, aside: setAside(dir, nowMs + second * 1000) };
  });
  const contents = stores.map(({ aside }) => readFileSync(join(dir, aside, 'work.db'), 'utf8'));
  expect(contents).toEqual(stores.map(({ index }) => String(index)));
  const byTime = stores.toSorted((a, b) => a.second - b.second);
  expect(listSetAside(dir)).toEqual(byTime.map(({ aside }) => aside));
});

describe('the backups of stores that were set aside', () => {
  /** Makes a store with a backup for each of these comments, and sets it aside. */
  function asideWith(...texts: string[]): string {
    const work = open();
    for (const text of texts) {
      work.outbox.enqueue(target, { kind: 'comment', text, seen: '' }, [{ kind: 'comment' }]);
      work.backUpIfChanged();
    }
    work.close();
    return join(dir, setAside(dir, (nowMs += 1000)), 'backups');
  }
  const commentSchema = z.object({ text: z.string() });
  /** The comments that wait, of each store that is offered. */
  const offered = () =>
    offeredWork(dir, keyHex).map(({ work }) =>
      work.rows.map(({ row }) => commentSchema.parse(JSON.parse(row.act)).text),
    );

  it('are offered newest first, and are not changed by that', () => {
    const folders = [asideWith('older'), asideWith('newer')];
    const filesOf = (folder: string) =>
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'hex')]);
    const before = folders.map(filesOf);
    expect(offered()).toEqual([['newer'], ['older']]);
    expect(folders.map(filesOf)).toEqual(before);
  });

  it('are not offered if one page of them is damaged, and the one before is', () => {
    const folder = asideWith('before', 'last');
    const newest = join(folder, readdirSync(folder).sort().at(-1) ?? '');
    const sound = readFileSync(newest);
    expect(offered()).toEqual([['last']]);
    const pageBytes = 4096;
    const found = new Set<string>();
    for (let at = 0; at < sound.length; at += pageBytes) {
      const damaged = Buffer.from(sound);
      damaged.fill(7, at + 200, at + 300);
      writeFileSync(newest, damaged);
      found.add(JSON.stringify(offered()));
    }
    expect([...found]).toEqual([JSON.stringify([['before']])]);
  });
});
