import { createReadStream, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AutomaticBackups } from '#main/engine/backup/automatic-backups.ts';
import { openPackage } from '#main/engine/backup/sealed-package.ts';
import { DeskSettings } from '#main/engine/home/settings.ts';
import { createSessionVault, type Vault } from '#main/engine/keys/vault.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { DeskEvent } from '#shared/desk/contract/events.ts';
import { createSteppedClock, type SteppedClock } from '../support/stepped-clock.ts';
import { TestDesk, workspaceRecord } from '../support/test-desk.ts';
import { faultLog } from '../../../support/fault-log.ts';

// The cheapest cost that a package may have: these tests make a dozen.
vi.mock('#main/engine/keys/passphrase-vault.ts', async (original) => ({
  ...(await original<object>()),
  scryptCost: { N: 2 ** 14, r: 1, p: 1 },
}));

const passphrase = 'correct horse';
const hourMs = 60 * 60_000;
let desk: TestDesk;
let clock: SteppedClock;
let folder: string;
let vault: Vault;
let settings: DeskSettings;
let backups: AutomaticBackups;
let events: DeskEvent[];
let kind: 'connection' | 'practice';

const open = (policy = {}) => {
  settings = new DeskSettings(desk.dir, policy);
  backups = new AutomaticBackups({
    workspace: {
      record: workspaceRecord({ kind }),
      work: desk.work,
      workFiles: desk.files,
      client: desk.partner.createClient(),
      clock,
      log: faultLog,
    },
    settings,
    vault,
    emit: (event) => events.push(event),
  });
};
beforeEach(async () => {
  desk = await TestDesk.open();
  clock = createSteppedClock(Date.parse('2026-03-02T06:00:00Z'));
  folder = join(desk.dir, 'share');
  mkdirSync(folder);
  vault = { ...createSessionVault(), kind: 'keychain' };
  events = [];
  kind = 'connection';
  open();
});
afterEach(async () => {
  await backups.close();
  await desk.remove();
});
const made = () => readdirSync(folder).sort();
const type = (text: string) => desk.work.drafts.create(text);
/** Time passes; what falls due runs to its end. */
async function pass(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    await clock.advance(hourMs);
    await backups.running;
  }
}

test('work that waits is written once a day, readable under the passphrase, and marked', async () => {
  const { id } = type('a');
  await backups.set({ folder, passphrase });
  backups.start();
  await pass(23);
  expect(made()).toEqual(['appraiser-desk-auto-12345678-20260302T060000Z.desk']);
  expect(desk.work.drafts.get(id).sharedSinceMs).not.toBeNull();
  await pass(1);
  expect(made()).toHaveLength(2);
  expect(await backups.status()).toMatchObject({
    lastAt: '2026-03-03T06:00:00.000Z',
    problem: null,
  });
  expect(events).toContainEqual({ type: 'desk.changed' });
  const file = createReadStream(join(folder, made()[0] ?? ''));
  const opened = openPackage(file, passphrase);
  expect((await opened.next()).done).toBe(false);
  await opened.return();
});

test('nothing is written while nothing waits, nor of the practice workspace', async () => {
  await backups.set({ folder, passphrase });
  backups.start();
  await pass(25);
  expect(made()).toEqual([]);
  await backups.close();
  kind = 'practice';
  open();
  type('a');
  await backups.run();
  expect(made()).toEqual([]);
});

test('it is turned off and moved while the keychain is locked, and goes on when it is open', async () => {
  type('a');
  await backups.set({ folder, passphrase });
  const keychain = vi.spyOn(vault, 'get').mockRejectedValue(new DeskError('keychain_locked'));
  const off = { folder: null, hasPassphrase: true, problem: null };
  expect(await backups.set({ folder: null })).toMatchObject(off);
  const other = join(desk.dir, 'other');
  mkdirSync(other);
  const locked = { folder: other, lastAt: null, problem: { code: 'keychain_locked' } };
  expect(await backups.set({ folder: other })).toMatchObject(locked);
  keychain.mockRestore();
  backups.start();
  await backups.running;
  expect(await backups.status()).toMatchObject({ folder: other, problem: null });
  expect(readdirSync(other)).toHaveLength(1);
});

test('three files stay, and the files of others are not touched', async () => {
  for (const other of ['appraiser-desk-auto-87654321-2.desk', 'letter.desk'])
    writeFileSync(join(folder, other), '');
  writeFileSync(join(folder, '.appraiser-desk-auto-12345678-1.desk.aa.part'), 'half');
  type('a');
  await backups.set({ folder, passphrase });
  backups.start();
  await pass(24 * 4);
  const own = made().filter((name) => name.includes('12345678'));
  expect(own.map((name) => name.slice(29, 37))).toEqual(['20260304', '20260305', '20260306']);
  expect(made()).toHaveLength(5);
});

test('a folder that is away is named, tried again within the hour, and reported as good after', async () => {
  type('a');
  await backups.set({ folder, passphrase });
  backups.start();
  rmSync(folder, { recursive: true });
  await pass(24);
  const failed = await backups.status();
  expect(failed.problem).toEqual({
    code: 'file_unwritable',
    params: { fileName: 'share', reason: 'ENOENT' },
  });
  expect(failed).toMatchObject({
    lastAt: '2026-03-02T06:00:00.000Z',
    problemAt: '2026-03-03T06:00:00.000Z',
  });
  mkdirSync(folder);
  await pass(1);
  expect(await backups.status()).toMatchObject({
    lastAt: '2026-03-03T07:00:00.000Z',
    problem: null,
  });
  // What went wrong, and when it last went well, is known after a start too.
  await backups.close();
  open();
  expect((await backups.status()).lastAt).toBe('2026-03-03T07:00:00.000Z');
});

test('a folder of the organization without a passphrase is reported at once', async () => {
  await backups.close();
  open({ backupFolder: folder });
  type('a');
  expect(await backups.status()).toMatchObject({
    folder,
    problem: { code: 'backup_passphrase_missing' },
  });
  expect(await backups.set({ folder: null, passphrase })).toMatchObject({ folder, problem: null });
  expect(made()).toHaveLength(1);
});

test('a folder that cannot be written is refused, and what was set before stays', async () => {
  await expect(backups.set({ folder: join(folder, 'none'), passphrase })).rejects.toMatchObject({
    code: 'file_unwritable',
  });
  await expect(backups.set({ folder: 'share', passphrase })).rejects.toMatchObject({
    params: { field: 'folder', rule: 'absolute' },
  });
  expect(await backups.status()).toMatchObject({ folder: null, hasPassphrase: false });
});

test('a new passphrase takes effect at once, and a desk that ends leaves no half file', async () => {
  const { id } = type('a');
  await desk.attach(id, 'a.txt', 'a');
  await backups.set({ folder, passphrase });
  await clock.advance(1000);
  await backups.set({ folder, passphrase: 'another horse' });
  expect(made()).toHaveLength(2);
  await clock.advance(24 * hourMs);
  const running = backups.run();
  await backups.close();
  await running;
  expect(made()).toHaveLength(2);
});
