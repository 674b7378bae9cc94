import { createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { OrphanedWorkspace } from '#shared/desk/setup/workspace.ts';
import { logFault } from '#main/log/faults.ts';
import {
  practiceSessionId,
  workspaceRecordSchema,
  type WorkspaceRecord,
} from '../home/settings.ts';
import type { Vault } from '../keys/vault.ts';
import { openPrivateKey } from '../keys/workspace-keys.ts';
import { hasPendingWork } from '../work/set-aside.ts';
import { pendingWorkOf } from './connection-removal.ts';
import { type DeskParts, workspaceDir } from './current-workspace.ts';
import { readDescription } from './describe-workspace.ts';
import { practiceId } from './workspace-view.ts';

/** The folders with work that the settings do not know. Only folders are read. */
function orphanIds({ options, settings }: Pick<DeskParts, 'options' | 'settings'>): string[] {
  const known = new Set(settings.stored.workspaces.map(({ id }) => id));
  const dir = join(options.home, 'workspaces');
  const isId = (name: string) => workspaceRecordSchema.shape.id.safeParse(name).success;
  return readdirSync(dir).filter(
    (name) =>
      isId(name) &&
      !known.has(name) &&
      name !== practiceId &&
      name !== practiceSessionId &&
      // What is being removed, and what the user set aside, is decided.
      !/-removed$|-set-aside-/.test(name) &&
      statSync(join(dir, name), { throwIfNoEntry: false })?.isDirectory() === true &&
      hasPendingWork(join(dir, name)),
  );
}

/**
 * When a workspace was opened or closed last, in milliseconds since 1970: SQLite then adds or
 * removes its log in the folder. Reading its store does that too, so this is asked before.
 */
function usedAtMs(dir: string): number {
  return statSync(dir, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Makes settings that are missing, damaged or too old right again: from their earlier versions, and
 * from the workspaces that describe themselves. What stays unknown is noted. It never rejects for a
 * keychain or a disk that fails; the next start tries again.
 */
export async function healHome(parts: DeskParts): Promise<void> {
  const { options, settings, home } = parts;
  const failed = logFault('heal the settings', options.log);
  const found: { record: WorkspaceRecord; at: number }[] = [];
  for (const id of orphanIds(parts)) {
    const dir = workspaceDir(parts, id);
    const at = usedAtMs(dir);
    try {
      const description = await readDescription(options.vault, id, dir);
      if (!description) continue;
      const { createdAt: _, ...record } = description;
      found.push({ record, at });
    } catch (error) {
      failed(error);
    }
  }
  if (settings.fault !== null || found.length > 0) {
    const records = found.toSorted((a, b) => b.at - a.at).map(({ record }) => record);
    try {
      settings.heal(records, (id) => existsSync(workspaceDir(parts, id)));
      home.restored();
    } catch (error) {
      failed(error);
    }
  }
  await noteOrphans(parts);
}

/** Notes the workspaces that the settings do not know, with what they hold unsent. */
export async function noteOrphans(parts: DeskParts): Promise<void> {
  const { options, home } = parts;
  const orphans: OrphanedWorkspace[] = [];
  for (const id of orphanIds(parts)) {
    const dir = workspaceDir(parts, id);
    const usedAt = new Date(usedAtMs(dir)).toISOString();
    let held: OrphanedWorkspace['held'] = null;
    try {
      held = await pendingWorkOf(options.vault, id, dir);
    } catch (error) {
      // It stays named as one that cannot be read.
      logFault('read an orphaned workspace', options.log)(error);
    }
    orphans.push({ folder: dir, usedAt, held });
  }
  home.found(orphans);
}

/**
 * The orphaned workspace of this connection: the one that says so, or, from versions in which none
 * does, the one with the same key; null if there is none.
 */
export async function findOrphan(
  parts: DeskParts,
  { baseUrl, clientId }: Pick<WorkspaceRecord, 'baseUrl' | 'clientId'>,
  privateKey: KeyObject,
): Promise<string | null> {
  const { vault } = parts.options;
  for (const id of orphanIds(parts)) {
    const description = await readDescription(vault, id, workspaceDir(parts, id));
    if (description) {
      if (description.baseUrl === baseUrl && description.clientId === clientId) return id;
    } else if (await hasKey(vault, id, privateKey)) return id;
  }
  return null;
}

async function hasKey(vault: Vault, id: string, privateKey: KeyObject): Promise<boolean> {
  try {
    const stored = await openPrivateKey(vault, id);
    return createPublicKey(stored).equals(createPublicKey(privateKey));
  } catch (error) {
    if (error instanceof DeskError && error.code === 'keychain_entry_lost') return false;
    throw error;
  }
}
