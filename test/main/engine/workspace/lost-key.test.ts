import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { PracticeStarter } from '#main/engine/engine.ts';
import { HomeNotices } from '#main/engine/home/home-notices.ts';
import { DeskSettings, type WorkspaceRecord } from '#main/engine/home/settings.ts';
import { CurrentWorkspace, type DeskParts } from '#main/engine/workspace/current-workspace.ts';
import { lostKey, recoverKey, setAsideIfLost } from '#main/engine/workspace/lost-key.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { faultLog } from '../../../support/fault-log.ts';
import { workspaceRecord } from '../support/test-desk.ts';
import { testFolder, testKeychain } from '../support/test-engine.ts';

const record = workspaceRecord({ id: 'office', name: 'Office' });
let home: string;
let secrets: Map<string, string>;
let parts: DeskParts;
function partsWith(practice?: PracticeStarter): DeskParts {
  const clock = { ...systemClock, now: () => Date.parse('2026-03-02T08:00:00.123Z') };
  const vault = testKeychain(secrets);
  const random = systemRandom;
  const options = { home, vault, clock, random, log: faultLog, ...(practice && { practice }) };
  const settings = new DeskSettings(home, {});
  const desk = { options, settings, emit: () => undefined, home: new HomeNotices() };
  return { ...desk, current: new CurrentWorkspace(desk) };
}
beforeEach(() => {
  home = testFolder();
  mkdirSync(join(home, 'workspaces'));
  secrets = new Map();
  parts = partsWith();
});

const folder = (name = 'office') => join(home, 'workspaces', name);
const folders = () => readdirSync(join(home, 'workspaces'));
function addWork(id = 'office'): void {
  mkdirSync(folder(id));
  writeFileSync(join(folder(id), 'work.db'), 'precious');
}
const addKeys = (...kinds: string[]) => {
  for (const kind of kinds) secrets.set(`workspace/office/${kind}`, 'ab'.repeat(32));
};
const lose = (lost: WorkspaceRecord | null) =>
  parts.current.lose({ record: lost, error: new DeskError('keychain_entry_lost', { entry: 'e' }) });

describe('data that no key can open', () => {
  it('are put aside whole, and what is left of their keys goes', async () => {
    addWork();
    addKeys('private-key', 'dpop-key');
    await setAsideIfLost(parts, 'office');
    expect(folders()).toEqual(['office-set-aside-20260302T080000123Z']);
    const aside = folder('office-set-aside-20260302T080000123Z');
    expect(readFileSync(join(aside, 'work.db'), 'utf8')).toBe('precious');
    expect(secrets.size).toBe(0);
  });

  it('are left where they are if their key is there', async () => {
    addWork();
    addKeys('database-key', 'private-key');
    await setAsideIfLost(parts, 'office');
    expect(folders()).toEqual(['office']);
    expect(secrets.size).toBe(2);
  });

  it('are none without a store, and the keys stay', async () => {
    mkdirSync(folder());
    addKeys('private-key');
    await setAsideIfLost(parts, 'office');
    expect(folders()).toEqual(['office']);
    expect(secrets.size).toBe(1);
  });
});

describe('a workspace that lost its key', () => {
  it('is none while none did', async () => {
    expect(await lostKey(parts)).toBeNull();
    await recoverKey(parts, { setAside: true });
    expect(folders()).toEqual([]);
  });

  it('says whether its work is lost as well', async () => {
    lose(record);
    expect(await lostKey(parts)).toMatchObject({ workspace: { id: 'office', name: 'Office' } });
    const isLost = async () => (await lostKey(parts))?.dataIsLost;
    expect(await isLost()).toBe(false);
    addWork();
    expect(await isLost()).toBe(true);
    addKeys('database-key');
    expect(await isLost()).toBe(false);
  });

  it('is practice without a record', async () => {
    lose(null);
    addWork('practice');
    expect(await lostKey(parts)).toMatchObject({
      workspace: { id: 'practice', kind: 'practice' },
      dataIsLost: true,
    });
  });

  it('is opened with the new key, without its lost data if the user wants it so', async () => {
    onTestFinished(() => parts.current.close());
    lose(record);
    addWork();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await expect(recoverKey(parts, { privateKey: pem, setAside: false })).rejects.toThrow(
      'keychain_entry_lost',
    );
    expect(folders()).toEqual(['office']);
    expect(readFileSync(join(folder(), 'work.db'), 'utf8')).toBe('precious');
    await recoverKey(parts, { privateKey: pem, setAside: true });
    expect(folders()).toEqual(['office', 'office-set-aside-20260302T080000123Z']);
    expect(parts.current.isOpen('office')).toBe(true);
    expect(secrets.get('workspace/office/private-key')).toBe(pem);
    expect(await lostKey(parts)).toBeNull();
  });

  it('is practice again, without its lost data if the user wants it so', async () => {
    const starting = () => Promise.reject(new Error('it starts'));
    parts = partsWith(starting);
    addWork('practice');
    await recoverKey(parts, { setAside: true });
    lose(null);
    await expect(recoverKey(parts, { setAside: false })).rejects.toThrow('keychain_entry_lost');
    expect(folders()).toEqual(['practice']);
    await expect(recoverKey(parts, { setAside: true })).rejects.toThrow('it starts');
    expect(folders()).toEqual(['practice', 'practice-set-aside-20260302T080000123Z']);
    parts = partsWith();
    lose(null);
    await recoverKey(parts, { setAside: true });
  });

  it('puts nothing aside for a key that is none, or unasked', async () => {
    lose(record);
    addWork();
    const wrong = { privateKey: 'x', setAside: true };
    await expect(recoverKey(parts, wrong)).rejects.toThrow('key_unreadable');
    await expect(recoverKey(parts, { setAside: true })).rejects.toThrow('key_unreadable');
    expect(existsSync(folder())).toBe(true);
  });
});
