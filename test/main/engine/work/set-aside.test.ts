import type * as NodeFs from 'node:fs';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Work } from '#main/engine/work/open-work.ts';
import { hasPendingWork } from '#main/engine/work/set-aside.ts';
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
