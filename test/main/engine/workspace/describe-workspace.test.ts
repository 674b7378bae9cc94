import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '#main/engine/database/sqlite.ts';
import { jsonValue, StoredValues } from '#main/engine/database/stored-values.ts';
import type { WorkspaceRecord } from '#main/engine/home/settings.ts';
import {
  describeClosed,
  describeWorkspace,
  readDescription,
} from '#main/engine/workspace/describe-workspace.ts';
import { practiceRecord, workspaceView } from '#main/engine/workspace/workspace-view.ts';
import { z } from 'zod';
import { systemClock } from '#main/shell/system.ts';
import { workspaceRecord } from '../support/test-desk.ts';
import { openTestWork, testFolder, testKeychain } from '../support/test-engine.ts';
import { addClosedWorkspace } from '../support/test-parts.ts';

const keyHex = 'ab'.repeat(32);
const record = workspaceRecord({ id: 'office' });
const createdAt = '1970-01-01T00:00:00.000Z';
const anyValue = jsonValue('workspace', z.unknown());
let home: string;
let dir: string;
let secrets: Map<string, string>;
beforeEach(() => {
  home = testFolder();
  dir = join(home, 'workspaces', 'office');
  secrets = new Map();
});
const add = (part?: Partial<WorkspaceRecord> | null) =>
  addClosedWorkspace(home, secrets, 'office', part);
const read = () => readDescription(testKeychain(secrets), 'office', dir);
const file = () => join(dir, 'work.db');
function damage(): void {
  writeFileSync(file(), Buffer.alloc(8192, 7));
  for (const suffix of ['-wal', '-shm']) rmSync(`${file()}${suffix}`, { force: true });
}

describe('an open workspace', () => {
  it('says whose it is and since when, once', () => {
    const { values } = openTestWork({ keyHex });
    const set = vi.spyOn(values, 'set');
    describeWorkspace(values, record, 0);
    expect(values.get(anyValue)).toEqual({ ...record, createdAt });
    describeWorkspace(values, record, 5000);
    expect(set).toHaveBeenCalledTimes(1);
    describeWorkspace(values, { ...record, name: 'Alpina' }, 5000);
    expect(values.get(anyValue)).toEqual({ ...record, name: 'Alpina', createdAt });
  });

  it('of practice says nothing', () => {
    const { values } = openTestWork({ keyHex });
    describeWorkspace(values, practiceRecord, 0);
    expect(values.get(anyValue)).toBeNull();
  });

  it('replaces what a later version wrote and this one cannot read', () => {
    const { values } = openTestWork({ keyHex });
    values.set(anyValue, { of: 'a later version' });
    describeWorkspace(values, record, 0);
    expect(values.get(anyValue)).toEqual({ ...record, createdAt });
  });

  it('opens although the disk is full, and not after another fault', () => {
    const { values } = openTestWork({ keyHex });
    const set = vi.spyOn(values, 'set');
    const fail = (error: Error) =>
      set.mockImplementation(() => {
        throw error;
      });
    fail(Object.assign(new Error('full'), { code: 'SQLITE_FULL' }));
    expect(() => describeWorkspace(values, record, 0)).not.toThrow();
    fail(new Error('a fault'));
    expect(() => describeWorkspace(values, record, 0)).toThrow('a fault');
  });
});

describe('a closed workspace', () => {
  it('says whose it is, under the name of its folder', async () => {
    add({ clientId: 'laptop-1' });
    const { values, close } = opened();
    values.set(anyValue, { ...record, clientId: 'laptop-1', id: 'copied', createdAt });
    close();
    expect(await read()).toEqual({ ...record, clientId: 'laptop-1', createdAt });
  });

  it('says nothing without its key, or without having said so, and no key is made', async () => {
    add(null);
    expect(await read()).toBeNull();
    secrets.clear();
    expect(await read()).toBeNull();
    expect(secrets.size).toBe(0);
  });

  it('says nothing and stays empty without a store', async () => {
    mkdirSync(dir, { recursive: true });
    secrets.set('workspace/office/database-key', keyHex);
    expect(await read()).toBeNull();
    expect(existsSync(file())).toBe(false);
  });

  it('says by its newest sound backup whose it is if its store is damaged', async () => {
    add({ name: 'first' });
    // Each opening makes a backup of what the store said before.
    for (const name of ['second', 'third']) {
      const work = openTestWork({ dir, keyHex, now: () => (name === 'second' ? 1000 : 2000) });
      describeWorkspace(work.values, { ...record, name }, 0);
      work.backUpIfChanged();
      work.close();
    }
    damage();
    expect(await read()).toMatchObject({ id: 'office', name: 'third' });
  });

  const describeIt = (part: Partial<WorkspaceRecord> = {}, at = home) =>
    describeClosed(
      { vault: testKeychain(secrets), clock: systemClock },
      { ...record, ...part },
      join(at, 'workspaces', 'office'),
    );

  it('says what was changed', async () => {
    add({ name: 'first' });
    await describeIt({ name: 'second' });
    expect(await read()).toEqual({ ...record, name: 'second', createdAt });
  });

  it('is not made, and gets no key, if it is none', async () => {
    secrets.set('workspace/office/database-key', keyHex);
    mkdirSync(dir, { recursive: true });
    await describeIt();
    expect(existsSync(file())).toBe(false);
    writeFileSync(file(), '');
    secrets.clear();
    await describeIt();
    expect(secrets.size).toBe(0);
  });

  it('is left as it is if its store is damaged, and another fault is said', async () => {
    add();
    damage();
    await describeIt({ name: 'second' });
    rmSync(file());
    mkdirSync(file());
    await expect(describeIt()).rejects.toThrow('EISDIR');
  });

  function opened() {
    const db = openDatabase({ file: file(), keyHex, durability: 'full' });
    onTestFinished(() => void db.close());
    return { values: new StoredValues(db, 'local_values'), close: () => void db.close() };
  }
});

it('a workspace is shown without its secrets, and whether it stays', () => {
  const { id, name, baseUrl, clientId } = record;
  expect(workspaceView(record)).toEqual({
    id,
    kind: 'connection',
    name,
    baseUrl,
    clientId,
    kept: true,
  });
  expect(workspaceView(practiceRecord)).toEqual({
    id: 'practice',
    kind: 'practice',
    name: 'Practice',
    baseUrl: '',
    clientId: '',
    kept: true,
  });
  expect(workspaceView({ ...record, id: 'practice-session' }).kept).toBe(false);
});
