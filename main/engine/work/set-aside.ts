import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listBackups, timeOfBackup } from '../database/backup.ts';
import { openDatabase } from '../database/sqlite.ts';
import { readStoredViews, type StoredView } from './saved-views.ts';
import { Transfer, type OpenWork } from './transfer.ts';

const prefix = 'quarantine-';
/**
 * The name under which backups stay after the user has decided about them. They are not offered
 * again.
 */
const decidedName = 'backups-decided';

/** The work of a store that was set aside, from its newest sound backup. */
export interface SetAsideWork {
  /** The name of its folder. */
  readonly id: string;
  /** The time in milliseconds since 1970, by the laptop's clock at that time. */
  readonly backedUpAtMs: number;
  readonly work: OpenWork;
  readonly views: readonly StoredView[];
}

/** Folders of stores that were set aside, oldest first. */
export function listSetAside(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => name.startsWith(prefix))
    .sort();
}

/**
 * Whether a folder contains work or once did. If the file is missing, its backups or its log still
 * exist.
 */
export function hasPendingWork(dir: string): boolean {
  return (
    existsSync(join(dir, 'work.db')) ||
    hasBackups(dir) ||
    hasLog(dir) ||
    listSetAside(dir).length > 0
  );
}

/** Whether backups exist. The first start of a store makes a backup, unless the disk is full. */
export function hasBackups(dir: string): boolean {
  return listBackups(join(dir, 'backups')).length > 0;
}

/** Whether the database's file is empty or missing although a store existed. */
export function isLost(dir: string): boolean {
  return sizeOf(join(dir, 'work.db')) === 0 && (hasBackups(dir) || hasLog(dir));
}

/** SQLite's log contains the last writes. It is created after the database. */
function hasLog(dir: string): boolean {
  return sizeOf(join(dir, 'work.db-wal')) > 0;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Sets the database and its backups aside, so that the rotation of backups does not remove them.
 * The backups are moved first: after a crash at any moment the next start offers them.
 * @returns the name of their folder
 */
export function setAside(dir: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');
  let aside = join(dir, `${prefix}${stamp}`);
  while (existsSync(aside)) aside += '-again';
  mkdirSync(aside, { mode: 0o700 });
  const file = join(dir, 'work.db');
  // The log is moved before its database, because SQLite removes a log next to an empty file.
  for (const path of [join(dir, 'backups'), `${file}-wal`, `${file}-shm`, file]) {
    if (existsSync(path)) renameSync(path, join(aside, basename(path)));
  }
  return basename(aside);
}

/** The work that waits for a decision, newest first. Nothing is changed. */
export function offeredWork(dir: string, keyHex: string): SetAsideWork[] {
  return listSetAside(dir)
    .reverse()
    .flatMap((id) => {
      const backups = join(dir, id, 'backups');
      for (const name of listBackups(backups).reverse()) {
        const work = readBackup(join(backups, name), keyHex);
        if (work) return [{ id, backedUpAtMs: timeOfBackup(name), ...work }];
      }
      return [];
    });
}

/** Stops offering the work; the files stay. */
export function decideOn(dir: string, id: string): void {
  renameSync(join(dir, id, 'backups'), join(dir, id, decidedName));
}

/** Reads a backup; null if it is damaged as well. */
function readBackup(file: string, keyHex: string): Pick<SetAsideWork, 'work' | 'views'> | null {
  try {
    const db = openDatabase({ file, keyHex, durability: 'full', readonly: true });
    try {
      if (db.pragma('integrity_check', { simple: true }) !== 'ok') return null;
      return { work: new Transfer(db).pack(), views: readStoredViews(db) };
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}
