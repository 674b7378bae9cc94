import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { openDatabase, type Database } from './sqlite.ts';

const retainedBackups = 3;
/** `00000042-20261121T055102000Z.db` */
const backupName = /^(\d{8,})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.db$/;

/**
 * The names of the backups in a folder, oldest first; empty if there is no folder. Their numbers
 * decide, because a clock that was once ahead must not make an old backup the newest.
 */
export function listBackups(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => backupName.test(name))
    .sort((a, b) => numberOf(a) - numberOf(b));
}

/** When a backup was made, in milliseconds since 1970, by the laptop's clock at that time. */
export function timeOfBackup(name: string): number {
  return Date.parse(name.replace(backupName, '$2-$3-$4T$5:$6:$7.$8Z'));
}

function numberOf(name: string): number {
  return Number(backupName.exec(name)?.[1]);
}

/**
 * Copies a database (encrypted under the same key) and checks the whole copy before it counts as a
 * backup. The newest three are retained.
 * @throws if there is no room for the copy or the copy is damaged; then nothing of it stays, and
 *   the older backups are unchanged
 */
export function backUp(
  db: Database,
  options: { dir: string; keyHex: string; nowMs: number },
): void {
  const { dir, keyHex, nowMs } = options;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const unfinished = join(dir, 'unfinished.db');
  const number = Math.max(0, ...listBackups(dir).map(numberOf)) + 1;
  const time = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');
  const name = `${String(number).padStart(8, '0')}-${time}.db`;
  rmSync(unfinished, { force: true });
  try {
    db.prepare('VACUUM INTO ?').run(unfinished);
    assertSound(unfinished, keyHex);
    renameSync(unfinished, join(dir, name));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  for (const old of listBackups(dir).slice(0, -retainedBackups))
    rmSync(join(dir, old), { force: true });
}

function assertSound(file: string, keyHex: string): void {
  const copy = openDatabase({ file, keyHex, durability: 'full', readonly: true });
  try {
    const found = copy.pragma('integrity_check', { simple: true });
    if (found !== 'ok') throw new DeskError('work_corrupt');
  } finally {
    copy.close();
  }
}
