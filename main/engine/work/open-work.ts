import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { backUp } from '../database/backup.ts';
import { migrate } from '../database/migrate.ts';
import { isCorruption, openDatabase, type Database } from '../database/sqlite.ts';
import { Drafts } from './drafts.ts';
import { draftsAndOutbox } from './migrations/0001-drafts-and-outbox.ts';
import { Outbox } from './outbox.ts';
import { Overlays } from './overlay.ts';
import { Transfer } from './transfer.ts';

export const workMigrations = [draftsAndOutbox];

const quarantinePrefix = 'quarantine-';

export interface WorkOptions {
  /** Folder of `work.db` and `backups/`. */
  readonly dir: string;
  readonly keyHex: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
}

/** What the person did and the server has not confirmed. Never deleted by the program. */
export interface Work {
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly overlays: Overlays;
  readonly transfer: Transfer;
  /** The file could not be read and was put aside, with its backups, in a folder of its own. */
  readonly wasQuarantined: boolean;
  /** Some file was ever put aside here: attachments without a row may belong to it. */
  readonly hasQuarantine: boolean;
  /** Runs `task` in one transaction. */
  together<Result>(task: () => Result): Result;
  /** Makes a verified backup, unless nothing changed since the last one. */
  backUpIfChanged(): void;
  close(): void;
}

/**
 * Opens the work store; at once every request of which nobody knows the outcome is marked so, and
 * a verified backup is made.
 * @throws {DeskError} home_newer
 */
export function openWork(options: WorkOptions): Work {
  const { dir, keyHex, now, newId } = options;
  const file = join(dir, 'work.db');
  let wasQuarantined = false;
  let db: Database;
  try {
    db = openChecked(file, keyHex);
  } catch (error) {
    if (!isCorruption(error)) throw error;
    quarantine(dir, now());
    wasQuarantined = true;
    db = openChecked(file, keyHex);
  }
  const iso = () => new Date(now()).toISOString();
  const outbox = new Outbox({ db, now: iso, newKey: newId });
  outbox.doubtAllSending();

  const changes = db.prepare<[], { changes: number }>('SELECT total_changes() AS changes');
  let backedUpChanges = -1;
  const backUpIfChanged = () => {
    const found = changes.get()?.changes ?? 0;
    if (found === backedUpChanges) return;
    backUp(db, { dir: join(dir, 'backups'), keyHex, nowMs: now() });
    backedUpChanges = found;
  };
  backUpIfChanged();

  return {
    outbox,
    drafts: new Drafts({ db, now: iso, newId }),
    overlays: new Overlays(db),
    transfer: new Transfer(db),
    wasQuarantined,
    hasQuarantine: readdirSync(dir).some((name) => name.startsWith(quarantinePrefix)),
    together: (task) => db.transaction(task)(),
    backUpIfChanged,
    close: () => db.close(),
  };
}

function openChecked(file: string, keyHex: string): Database {
  const db = openDatabase({ file, keyHex, durability: 'full' });
  try {
    migrate(db, workMigrations);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Puts the database and its backups aside, where no rotation of backups reaches them. */
function quarantine(dir: string, nowMs: number): void {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');
  let aside = join(dir, `${quarantinePrefix}${stamp}`);
  while (existsSync(aside)) aside += '-again';
  mkdirSync(aside, { mode: 0o700 });
  const file = join(dir, 'work.db');
  for (const path of [file, `${file}-wal`, `${file}-shm`, join(dir, 'backups')]) {
    if (existsSync(path)) renameSync(path, join(aside, basename(path)));
  }
}
