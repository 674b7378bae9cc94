import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { createPrivately } from '../database/sqlite.ts';

/**
 * Ensures that only one desk at a time works in a home. The operating system owns the lock (through
 * SQLite), so it ends with the process. The pid file next to it serves only the message.
 * @returns the function that releases the lock
 * @throws {DeskError} home_in_use `{ pid }`
 */
export function lockHome(dir: string): () => void {
  const pidFile = join(dir, 'lock.pid');
  const lockFile = join(dir, 'lock');
  createPrivately(lockFile);
  const lock = new SQLite(lockFile, { timeout: 0 });
  try {
    // The journal is in memory: nothing is ever written, and a full disk would have no room for a
    // journal file.
    lock.pragma('journal_mode=MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof SQLite.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new DeskError('home_in_use', { pid: readPid(pidFile) });
    }
    throw error;
  }
  try {
    writeFileSync(pidFile, String(process.pid), { mode: 0o600 });
  } catch {
    // The lock works without the pid file; the disk is full.
  }
  return () => {
    rmSync(pidFile, { force: true });
    lock.close();
  };
}

/** The process that has a home open; null if no process has, or if its pid is unknown. */
export function holderOf(dir: string): number | null {
  if (!existsSync(join(dir, 'lock'))) return null;
  try {
    lockHome(dir)();
    return null;
  } catch (error) {
    const isInUse = error instanceof DeskError && error.code === 'home_in_use';
    return isInUse ? readPid(join(dir, 'lock.pid')) : null;
  }
}

function readPid(file: string): number | null {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || null;
  } catch {
    return null;
  }
}
