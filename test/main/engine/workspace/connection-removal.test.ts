import { existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { DeskSettings } from '#main/engine/home/settings.ts';
import type { Vault } from '#main/engine/keys/vault.ts';
import {
  assertConfirmed,
  beginRemoval,
  finishRemovals,
  pendingWorkError,
  pendingWorkOf,
} from '#main/engine/workspace/connection-removal.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { faultLog } from '../../../support/fault-log.ts';
import { workspaceRecord } from '../support/test-desk.ts';
import { openTestWork, testFolder, testKeychain } from '../support/test-engine.ts';

const keyHex = 'ab'.repeat(32);
let secrets: Map<string, string>;
let vault: Vault;
beforeEach(() => {
  secrets = new Map([['workspace/office/database-key', keyHex]]);
  vault = testKeychain(secrets);
});

describe('the pending work of a closed workspace', () => {
  const none = { entries: 0, drafts: 0, texts: 0, backups: 0 };
  const target = { caseId: 'a', externalKey: 'K' };

  /** A folder with two entries, one of them a report, with two drafts and a typed text. */
  function folderWithWork(): string {
    const dir = testFolder();
    const work = openTestWork({ dir, keyHex });
    work.outbox.enqueue(target, { kind: 'comment', text: 'x', seen: '' }, [{ kind: 'comment' }]);
    const { id: draftId } = work.drafts.create('a');
    const report = { kind: 'report' as const, draftId, comment: '' };
    const steps = [{ kind: 'draft' }, { kind: 'submit' }] as const;
    work.drafts.bindToQueue(draftId, work.outbox.enqueue(target, report, steps).id);
    for (const caseId of ['b', 'c']) work.drafts.create(caseId);
    work.edits.save(target, 'comment', 'typed', '');
    work.close();
    return dir;
  }

  it('is counted by its kinds, a submitted report as an entry alone', async () => {
    const dir = folderWithWork();
    expect(await pendingWorkOf(vault, 'office', dir)).toEqual({
      ...none,
      entries: 2,
      drafts: 2,
      texts: 1,
    });
    const damaged = folderWithWork();
    openTestWork({ dir: damaged, keyHex }).close();
    truncateSync(join(damaged, 'work.db'), 0);
    openTestWork({ dir: damaged, keyHex }).close();
    expect(await pendingWorkOf(vault, 'office', damaged)).toEqual({ ...none, backups: 1 });
  });

  it('is none without a store, and the keychain is not asked', async () => {
    const locked = { ...vault, get: () => Promise.reject(new DeskError('keychain_locked')) };
    expect(await pendingWorkOf(locked, 'office', testFolder())).toEqual(none);
  });

  it('is not known without its key, or if it cannot be read, and no key is made', async () => {
    const dir = folderWithWork();
    expect(await pendingWorkOf(vault, 'other', dir)).toBeNull();
    expect([...secrets.keys()]).toEqual(['workspace/office/database-key']);
    writeFileSync(join(dir, 'work.db'), Buffer.alloc(8192, 7));
    expect(await pendingWorkOf(vault, 'office', dir)).toBeNull();
  });

  it('must be what the user confirmed', () => {
    const work = { ...none, entries: 1 };
    expect(() => assertConfirmed(work, { ...work })).not.toThrow();
    expect(() => assertConfirmed(null, null)).not.toThrow();
    for (const [actual, confirmed] of [
      [work, none],
      [work, null],
      [null, none],
    ] as const)
      expect(() => assertConfirmed(actual, confirmed)).toThrow('connection_holds_work');
    expect(pendingWorkError(work).problem.params).toEqual(work);
    expect(pendingWorkError(null).problem.params).toEqual({});
  });
});

describe('a removal', () => {
  let home: string;
  const folders = () => readdirSync(join(home, 'workspaces')).toSorted();
  const folder = (name: string) => join(home, 'workspaces', name);
  const parts = (keychain: Vault) => ({
    options: { home, vault: keychain, clock: systemClock, random: systemRandom, log: faultLog },
    settings: new DeskSettings(home, {}),
  });
  beforeEach(() => {
    home = testFolder();
    for (const id of ['office', 'office-2', 'office-set-aside-1', 'office-2-set-aside-1'])
      mkdirSync(folder(id), { recursive: true });
    writeFileSync(join(folder('office'), 'work.db'), 'x');
    for (const key of ['private-key', 'dpop-key', 'database-key'])
      for (const id of ['office', 'office-2']) secrets.set(`workspace/${id}/${key}`, 'x');
    const settings = new DeskSettings(home, {});
    for (const id of ['office-2', 'office']) settings.remember(workspaceRecord({ id }));
  });

  it('takes the folder, what was set aside of it, its keys and its place, and nothing of another', async () => {
    beginRemoval(folder('office'));
    expect(folders()).toContain('office-removed');
    await finishRemovals(parts(vault));
    expect(folders()).toEqual(['office-2', 'office-2-set-aside-1']);
    expect([...secrets.keys()].every((name) => name.startsWith('workspace/office-2/'))).toBe(true);
    expect(secrets.size).toBe(3);
    const { workspaces, activeId } = new DeskSettings(home, {}).stored;
    expect([workspaces.map(({ id }) => id), activeId]).toEqual([['office-2'], null]);
  });

  it('of a connection without a folder goes the same way', async () => {
    beginRemoval(folder('office-3'));
    await finishRemovals(parts(vault));
    expect(folders()).not.toContain('office-3-removed');
  });

  it('is finished by a later start if the keychain fails', async () => {
    beginRemoval(folder('office'));
    const locked = { ...vault, delete: () => Promise.reject(new DeskError('keychain_locked')) };
    await expect(finishRemovals(parts(locked))).rejects.toThrow('keychain_locked');
    expect(existsSync(join(folder('office-removed'), 'work.db'))).toBe(true);
    expect(folders()).toContain('office-set-aside-1');
    await finishRemovals(parts(vault));
    expect(folders()).toEqual(['office-2', 'office-2-set-aside-1']);
  });
});
