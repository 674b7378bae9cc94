import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { PendingWork } from '#shared/desk/setup/workspace.ts';
import { openDatabase } from '../database/sqlite.ts';
import type { EngineOptions } from '../engine.ts';
import type { DeskSettings } from '../home/settings.ts';
import type { Vault } from '../keys/vault.ts';
import { deleteWorkspaceKeys, hasDatabaseKey, openDatabaseKey } from '../keys/workspace-keys.ts';
import { hasPendingWork, offeredWork } from '../work/set-aside.ts';
import { Transfer } from '../work/transfer.ts';

/** The end of the name of a folder whose connection is being removed. */
const removedSuffix = '-removed';

/** The pending work of a workspace, open or not; null if it cannot be read. */
export async function pendingWorkOf(
  vault: Vault,
  id: string,
  dir: string,
): Promise<PendingWork | null> {
  if (!hasPendingWork(dir)) return { entries: 0, drafts: 0, texts: 0, backups: 0 };
  if (!(await hasDatabaseKey(vault, id))) return null;
  return readPendingWork(dir, await openDatabaseKey(vault, id, true));
}

function readPendingWork(dir: string, keyHex: string): PendingWork | null {
  try {
    const file = join(dir, 'work.db');
    const db = openDatabase({ file, keyHex, durability: 'full', readonly: true });
    try {
      const { rows, drafts, edits } = new Transfer(db).pack();
      return {
        entries: rows.length,
        // A submitted report counts as an entry.
        drafts: drafts.filter(({ draft }) => draft.queue_id === null).length,
        texts: edits.length,
        backups: offeredWork(dir, keyHex).length,
      };
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

/** @throws {DeskError} connection_holds_work if the user confirmed other work */
export function assertConfirmed(actual: PendingWork | null, confirmed: PendingWork | null): void {
  if (!isDeepStrictEqual(actual, confirmed)) throw pendingWorkError(actual);
}

/** The error for pending work. It has no counts if the work cannot be read. */
export function pendingWorkError(work: PendingWork | null): DeskError {
  return new DeskError('connection_holds_work', work ?? {});
}

/** Begins the removal of a closed workspace. Every start continues it. */
export function beginRemoval(dir: string): void {
  mkdirSync(dir, { recursive: true });
  renameSync(dir, `${dir}${removedSuffix}`);
}

/**
 * Finishes removals. The folder is removed last, so that a crash at any moment leaves nothing
 * permanently.
 */
export async function finishRemovals({
  options: { home, vault },
  settings,
}: {
  readonly options: EngineOptions;
  readonly settings: DeskSettings;
}): Promise<void> {
  const dir = join(home, 'workspaces');
  const names = readdirSync(dir);
  for (const name of names) {
    if (!name.endsWith(removedSuffix)) continue;
    const id = name.slice(0, -removedSuffix.length);
    settings.forget(id);
    await deleteWorkspaceKeys(vault, id);
    // Data that were set aside when a key was lost are removed as well.
    const aside = names.filter((one) => one.startsWith(`${id}-set-aside-`));
    for (const folder of [...aside, name]) {
      rmSync(join(dir, folder), { recursive: true, force: true });
    }
  }
}
