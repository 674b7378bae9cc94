import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { AutomaticBackups } from '#main/engine/backup/automatic-backups.ts';
import type { Practice } from '#main/engine/engine.ts';
import { practiceSessionId, type WorkspaceRecord } from '#main/engine/home/settings.ts';
import { Schedule } from '#main/engine/sync/schedule.ts';
import { workspaceDir } from '#main/engine/workspace/current-workspace.ts';
import { readDescription } from '#main/engine/workspace/describe-workspace.ts';
import { rsaKeys } from '../support/test-client.ts';
import { workspaceRecord } from '../support/test-desk.ts';
import { sampleCase, testFolder } from '../support/test-engine.ts';
import { testParts, type TestParts } from '../support/test-parts.ts';

const { privateKey } = rsaKeys;
const record = (id: string, part: Partial<WorkspaceRecord> = {}) =>
  workspaceRecord({ id, ...part });
const damage = () => new SQLite.SqliteError('a damaged page', 'SQLITE_CORRUPT');
let home: string;
let secrets: Map<string, string>;
let desk: TestParts;
beforeEach(() => {
  home = testFolder();
  secrets = new Map();
  desk = testParts(home, secrets);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await desk.current.close();
});
const open = (id: string, part?: Partial<WorkspaceRecord>) =>
  desk.current.openRecord(record(id, part), privateKey, null);
const folder = (id: string) => workspaceDir(desk, id);
const { id: caseId } = sampleCase(1);

describe('the open workspace', () => {
  it('is none at first, and then says which key is lost, until one is open', async () => {
    expect(desk.current.open).toBeNull();
    expect(() => desk.current.workspace).toThrow('no_connection');
    const error = new DeskError('keychain_entry_lost');
    desk.current.lose({ record: record('a'), error });
    expect(() => desk.current.opened).toThrow(error);
    expect(desk.current.lost).toEqual({ record: record('a'), error });
    await open('b');
    expect(desk.current.lost).toBeNull();
    expect(['a', 'b'].map((id) => desk.current.isOpen(id))).toEqual([false, true]);
  });

  it('is stored as the last one, says whose it is, and is announced', async () => {
    await open('a', { name: 'Alpina' });
    expect(desk.settings.stored).toMatchObject({
      activeId: 'a',
      workspaces: [record('a', { name: 'Alpina' })],
    });
    expect(desk.events.at(-1)).toEqual({ type: 'workspace.changed' });
    expect(desk.current.opened).toMatchObject({ keys: { privateKey }, practice: null });
    await desk.current.close();
    expect(await readDescription(desk.options.vault, 'a', folder('a'))).toMatchObject({
      name: 'Alpina',
    });
  });

  it('gives way to another one, which is open before it is closed', async () => {
    await open('a');
    const { workspace } = desk.current;
    await open('b');
    expect(desk.current.workspace.record).toEqual(record('b'));
    expect(() => workspace.cache.cases.find(caseId)).toThrow('not open');
  });

  it('stays open if another one cannot be opened', async () => {
    await open('a');
    const { open: before } = desk.current;
    await expect(open('b', { baseUrl: 'nowhere' })).rejects.toThrow('base_url_invalid');
    expect(desk.current.open).toBe(before);
    expect(before?.workspace.cache.cases.find(caseId)).toBeNull();
    expect(desk.settings.stored.workspaces.map(({ id }) => id)).toEqual(['a']);
  });

  it('stays open if another one cannot be stored, which is closed again', async () => {
    await open('a');
    const { open: before } = desk.current;
    rmSync(join(home, 'settings.json'));
    mkdirSync(join(home, 'settings.json'));
    const close = vi.spyOn(Schedule.prototype, 'close');
    await expect(open('b')).rejects.toThrow('EISDIR');
    expect(close).toHaveBeenCalledTimes(1);
    expect(desk.current.open).toBe(before);
    rmSync(join(home, 'settings.json'), { recursive: true });
    await open('b');
    expect(desk.current.isOpen('b')).toBe(true);
  });

  it('is opened anew if it is opened again', async () => {
    await open('a');
    const { workspace } = desk.current;
    await open('a', { name: 'Alpina' });
    expect(desk.current.workspace).not.toBe(workspace);
    expect(desk.current.workspace.record.name).toBe('Alpina');
    expect(() => workspace.cache.cases.find(caseId)).toThrow('not open');
    // Its stores are open once only, so it is closed before.
    await expect(open('a', { baseUrl: 'nowhere' })).rejects.toThrow('base_url_invalid');
    expect(desk.current.open).toBeNull();
  });

  it('has another name at once', async () => {
    desk.current.relabel(record('a', { name: 'Alpina' }));
    expect(desk.current.open).toBeNull();
    await open('a');
    const { sync } = desk.current.workspace;
    desk.current.relabel(record('a', { name: 'Alpina' }));
    expect(desk.current.workspace.record.name).toBe('Alpina');
    expect(desk.current.workspace.sync).toBe(sync);
    await desk.current.close();
    expect(await readDescription(desk.options.vault, 'a', folder('a'))).toMatchObject({
      name: 'Alpina',
    });
  });

  it('has no key but its own: a lost one is not made again over its work', async () => {
    await open('a');
    await desk.current.close();
    secrets.delete('workspace/a/database-key');
    await expect(open('a')).rejects.toThrow('keychain_entry_lost');
    expect(secrets.has('workspace/a/database-key')).toBe(false);
  });

  it('is open once the tasks before it have ended, also if one failed', async () => {
    const order: string[] = [];
    const { current } = desk;
    const first = current.inTurn(async () => {
      await open('a');
      order.push('first');
      throw new Error('it failed');
    });
    const second = current.inTurn(() => Promise.resolve(order.push('second')));
    await expect(first).rejects.toThrow('it failed');
    expect(await second).toBe(2);
    expect(order).toEqual(['first', 'second']);
  });
});

describe('the practice of a desk without a keychain', () => {
  const stop = vi.fn(() => Promise.resolve());
  const limits = { standard: { capacity: 7, refillPerMinute: 7 }, documents: undefined };
  // The cast restates what a workspace reads of the practice.
  const practice = { limits, stop } as unknown as Practice;
  beforeEach(() => void stop.mockClear());

  it('is not stored, and goes with its service', async () => {
    const { current } = desk;
    const session = record(practiceSessionId, { kind: 'practice' });
    await current.openRecord(session, privateKey, practice);
    expect(current.workspace.limits).toBe(limits);
    expect(desk.settings.stored.workspaces).toEqual([]);
    expect(existsSync(folder(practiceSessionId))).toBe(true);
    await open('a');
    expect(stop).toHaveBeenCalledTimes(1);
    expect(readdirSync(join(home, 'workspaces'))).toEqual(['a']);
    mkdirSync(folder(practiceSessionId));
    await current.close();
    expect(readdirSync(join(home, 'workspaces')).toSorted()).toEqual(['a', practiceSessionId]);
  });
});

describe('the automatic rounds', () => {
  it('are started with the desk, in every workspace that is opened then', async () => {
    const start = vi.spyOn(Schedule.prototype, 'start').mockReturnValue();
    const backUp = vi.spyOn(AutomaticBackups.prototype, 'start').mockReturnValue();
    await open('a');
    expect([start, backUp].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    desk.current.startSchedule();
    expect([start, backUp].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    await open('b');
    expect([start, backUp].map(({ mock }) => mock.calls.length)).toEqual([2, 2]);
    await desk.current.close();
    desk.current.startSchedule();
    expect(start).toHaveBeenCalledTimes(2);
  });
});

describe('a damaged cache', () => {
  /** Resolves when the workspaces have been opened and closed as far as it was asked. */
  const settled = () => desk.current.inTurn(() => Promise.resolve());
  const addCase = () => desk.current.workspace.cache.cases.upsert([sampleCase(1)]);
  const hasCase = () => desk.current.workspace.cache.cases.find(caseId) !== null;

  it('is made anew once, with the work as it is', async () => {
    await open('a');
    addCase();
    desk.current.workspace.work.local.setNote(caseId, 'ring twice');
    const { workspace, keys } = desk.current.opened;
    desk.current.noticeDamage(damage());
    desk.current.noticeDamage(damage());
    await settled();
    expect(desk.current.workspace).not.toBe(workspace);
    expect(desk.current.opened.keys).toBe(keys);
    expect(hasCase()).toBe(false);
    expect(desk.current.workspace.work.local.note(caseId)).toBe('ring twice');
    addCase();
    desk.current.noticeDamage(damage());
    await settled();
    expect(hasCase()).toBe(true);
    expect(desk.logged).toEqual([]);
  });

  it('is no other failure, and none without a workspace', async () => {
    desk.current.noticeDamage(damage());
    await open('a');
    addCase();
    desk.current.noticeDamage(new Error('a fault'));
    await settled();
    expect(hasCase()).toBe(true);
  });

  it('of a workspace that is not open any more is left', async () => {
    await open('b');
    addCase();
    await open('a');
    addCase();
    const switched = desk.current.inTurn(() => open('b'));
    desk.current.noticeDamage(damage());
    await switched;
    const { workspace } = desk.current;
    await settled();
    expect(desk.current.workspace).toBe(workspace);
    expect(workspace.record.id).toBe('b');
    await open('a');
    expect(hasCase()).toBe(true);
  });

  it('is made anew while the keychain is locked', async () => {
    await open('a');
    const { workspace } = desk.current;
    vi.spyOn(desk.options.vault, 'get').mockRejectedValue(new DeskError('keychain_locked'));
    desk.current.noticeDamage(damage());
    await settled();
    expect(desk.current.workspace).not.toBe(workspace);
  });

  it('that cannot be made anew leaves no workspace open, and every call says that', async () => {
    await open('a');
    vi.spyOn(desk.settings, 'remember').mockImplementation(() => {
      throw new Error('a fault');
    });
    const { workspace } = desk.current;
    const close = vi.spyOn(workspace, 'close');
    close.mockRejectedValueOnce(new Error('a damaged page'));
    desk.current.noticeDamage(damage());
    await settled();
    await settled();
    expect(desk.current.open).toBeNull();
    expect(desk.logged).toEqual([
      { where: 'close a damaged cache' },
      { where: 'open a workspace again' },
    ]);
    expect(() => desk.current.opened).toThrow('internal');
    vi.restoreAllMocks();
    await open('a');
    expect(desk.current.isOpen('a')).toBe(true);
    await workspace.close();
  });
});
