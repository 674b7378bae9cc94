/**
 * Every write on a full disk: each act is tried without any room, then with more and more pages,
 * until it succeeds. After each failure the disk gets room, and everything must be unchanged. Needs
 * a small tmpfs in `argv[2]` (disk-full.test.ts); prints its result as one JSON line.
 */
import assert from 'node:assert/strict';
import { ftruncateSync, openSync, readdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '#main/engine/engine.ts';
import { openPassphraseVault } from '#main/engine/keys/passphrase-vault.ts';
import type { Vault } from '#main/engine/keys/vault.ts';
import { openDatabaseKey } from '#main/engine/keys/workspace-keys.ts';
import { openDatabase } from '#main/engine/database/sqlite.ts';
import { openEngine } from '#main/engine/open-engine.ts';
import { toDeskError } from '#main/log/faults.ts';
import { systemClock, systemRandom } from '#main/shell/system.ts';
import { createDeskRunner, createMemoryVault } from '../../support/desk-in-process.ts';
import { isLong, smokeOrLong } from '../../support/long.ts';
import { faultLog } from '../../support/fault-log.ts';

const [, , path = '', credentialsFile = '', reportFile = '', openCaseIds = ''] = process.argv;
const [first = '', second = ''] = openCaseIds.split(',');
const maxBytes = 16 * 1024 * 1024;
const pageBytes = 4096;
const piece = Buffer.alloc(256 * 1024, 1);

/** A file of this test fills the disk, and is emptied again. Exact to the page on a tmpfs. */
const ballast = openSync(join(path, 'ballast'), 'a');
const freeNow = () => {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
};
const disk = {
  /** Leaves exactly this number of bytes free; a multiple of the page size. */
  leave(freeBytes: number): void {
    for (let left = freeNow() - freeBytes; left > 0; left = freeNow() - freeBytes) {
      writeSync(ballast, piece, 0, Math.min(left, piece.length));
    }
    if (freeNow() !== freeBytes) throw new Error('the disk could not be filled to the page');
  },
  makeRoom: () => ftruncateSync(ballast, 0),
  /** Files that a broken-off write left behind, anywhere on it. */
  leftOver: () =>
    readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tmp$|\.part$|writing-|unfinished/.test(name),
    ),
};

/**
 * Free space to try with: small steps near the point at which databases fail, then larger ones.
 * @param stride pages between the first steps, and how quickly they grow
 */
function* freeSteps(stride: number): Generator<number> {
  for (let pages = 0; pages * pageBytes <= maxBytes;) {
    yield pages * pageBytes;
    pages += Math.max(stride, Math.floor((pages * stride) / 3));
  }
}

const home = join(path, 'home');
const vault = createMemoryVault();
const env = { DESK_BACKUP_PASSPHRASE: 'correct horse' };
const unlimited = { capacity: 10_000, refillPerMinute: 600_000 };
const policy = { limits: { standard: unlimited, documents: unlimited } };
const silent = { error: () => undefined };

const open = (dir: string, keys: Vault): Promise<Engine> =>
  openEngine({
    home: dir,
    vault: keys,
    policy,
    clock: systemClock,
    random: systemRandom,
    log: faultLog,
  });

async function withEngine<Result>(task: (engine: Engine) => Promise<Result>) {
  const engine = await open(home, vault);
  try {
    return await task(engine);
  } finally {
    await engine.close();
  }
}

/** Everything that the user has done and can see. */
const look = () =>
  withEngine(async (engine) => ({
    queue: (await engine.queue.list({ limit: 5000 })).items.map(({ id, kind, act }) => ({
      id,
      kind,
      act,
    })),
    drafts: (await engine.reports.drafts()).items,
    language: await engine.desk.language(),
    workspaces: (await engine.desk.info()).workspaces,
    cases: (await engine.sync.status()).casesOnLaptop,
  }));

/** The code of the failure, or null if there was none. */
async function codeOf(task: () => Promise<unknown>): Promise<string | null> {
  try {
    await task();
    return null;
  } catch (error) {
    const { code } = toDeskError(error, 'test', silent).problem;
    if (code === 'internal') throw error;
    return code;
  }
}

/** A command that fails with 1 and a sentence throws its code; any other end is a mistake. */
async function desk(...args: string[]): Promise<void> {
  const run = await createDeskRunner(home, { vault, env })(...args);
  if (run.code === 0) return;
  const { code, message } = JSON.parse(run.line) as { code: string; message: string };
  assert.deepEqual([run.code, code], [1, 'disk_full'], run.line);
  assert.ok(run.stderr.startsWith(message) && message.startsWith('The disk is full.'), run.stderr);
  throw Object.assign(new Error(code), { code: 'ENOSPC' });
}

const failures: Record<string, number> = {};
const everyPage = smokeOrLong(6, 1);

/** Tries until it gets through; `before` is what must be unchanged after each failure. */
async function tryAll(
  name: string,
  task: () => Promise<unknown>,
  before: () => Promise<unknown> = look,
  stride = everyPage,
): Promise<void> {
  const was = await before();
  failures[name] = 0;
  for (const free of freeSteps(stride)) {
    disk.leave(free);
    const code = await codeOf(task);
    disk.makeRoom();
    assert.deepEqual(disk.leftOver(), [], `${name} left files at ${free}`);
    if (code === null) return;
    assert.equal(code, 'disk_full', `${name} at ${free}`);
    assert.deepEqual(await before(), was, `${name} at ${free} bytes free`);
    failures[name] += 1;
  }
  throw new Error(`${name} never got through`);
}

/**
 * Runs an act that writes as another one does. The long tests try it on a full disk as well, and `npm
 * test` only runs it.
 */
const tryInLong = isLong
  ? tryAll
  : async (_name: string, task: () => Promise<unknown>): Promise<void> => void (await task());

/** Deriving a key from a passphrase takes most of a second. */
const passphraseStride = 6;
const acts = async () => (await look()).queue;

await tryAll(
  'connect',
  () => desk('connect', '--credentials', credentialsFile),
  async () =>
    // A failed one leaves a folder at most, and no connection.
    withEngine(async (engine) => (await engine.desk.info()).workspaces).catch(() => 'none'),
);
await tryAll('first sync', () => desk('sync'), acts);
await tryAll('language', () => withEngine((engine) => engine.desk.setLanguage({ language: 'it' })));
await tryAll('amounts', () => desk('amounts', first, '--estimate', '1200', '--approved', '900'));
await tryInLong('comment', () => desk('comment', first, 'Seen at the garage.'));
await tryInLong('edit', () => desk('queue', 'edit', '1', '--estimate', '1300'));
// Waiting work and the partner's answers are readable without a free byte.
disk.leave(0);
for (const command of ['queue', 'cases']) await desk(command);
disk.makeRoom();
await tryAll('report', () =>
  desk('report', first, '--file', reportFile, '--comment', 'One', '--submit'),
);
await tryInLong('draft', () => desk('report', second, '--file', reportFile, '--comment', 'Two'));
await tryInLong('discard', () =>
  withEngine(async (engine) => {
    const [draft] = (await engine.reports.drafts()).items.filter(
      ({ comment }) => comment === 'Two',
    );
    await engine.reports.discardDraft({ draftId: draft?.id ?? '' });
  }),
);
await tryInLong('export csv', () => desk('export', '--format', 'csv', '--to', join(path, 'a.csv')));
await tryAll('export xlsx', () => desk('export', '--format', 'xlsx', '--to', join(path, 'a.xlsx')));
await tryInLong('diagnostics', () => desk('diagnostics', '--to', join(path, 'd.zip')));
const packed = join(path, 'work.desk');
await tryAll('backup', () => desk('backup', '--to', packed), look, passphraseStride);

const passphraseVault = await openPassphraseVault(join(path, 'vault.json'), 'a passphrase');
await passphraseVault.set('a', 'first');
await tryInLong(
  'passphrase vault',
  () => passphraseVault.set('a', 'x'.repeat(9000)),
  async () => (await openPassphraseVault(join(path, 'vault.json'), 'a passphrase')).get('a'),
  // It writes three pages.
  2,
);

// The work of this desk, taken over by a new one on the same disk.
const otherHome = join(path, 'other');
const other = createDeskRunner(otherHome, { vault: createMemoryVault(), env });
await other('connect', '--credentials', credentialsFile);
await other('sync');
await tryInLong(
  'restore',
  async () => {
    const run = await other('restore', packed);
    const { code } = JSON.parse(run.line) as { code?: string };
    if (run.code !== 0) throw Object.assign(new Error(code), { code: 'ENOSPC' });
  },
  async () => (await other('queue')).line,
  passphraseStride,
);
rmSync(otherHome, { recursive: true });

await tryAll('delivery', () => desk('sync'), acts);
const delivered = await withEngine(async (engine) => {
  // Work that the full disk stopped continues when there is room.
  for (let round = 0; round < 20 && (await engine.sync.status()).waiting > 0; round += 1) {
    await engine.sync.run({ documents: 'none' });
  }
  return (await engine.queue.list({ limit: 5000 })).items;
});

await tryAll('download', () => desk('download', first, '--to', join(path, 'out')), acts);

// What the help advises on a full disk needs no room itself.
const freeable = async () => (await withEngine((engine) => engine.storage.get())).freeable.count;
await desk('storage', '--keep', 'none');
assert.notEqual(await freeable(), 0);
disk.leave(0);
await desk('storage', '--free');
disk.makeRoom();
assert.equal(await freeable(), 0);

const workspaces = readdirSync(join(home, 'workspaces'));
const checks = [];
for (const id of workspaces) {
  const keyHex = await openDatabaseKey(vault, id, true);
  for (const name of ['work.db', 'cache.db']) {
    const file = join(home, 'workspaces', id, name);
    const db = openDatabase({ file, keyHex, durability: 'full', readonly: true });
    checks.push(db.pragma('integrity_check', { simple: true }));
    db.close();
  }
}
const cases = (await look()).cases;
process.stdout.write(`${JSON.stringify({ failures, delivered, checks, workspaces, cases })}\n`);
