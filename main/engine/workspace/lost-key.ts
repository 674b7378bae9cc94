import { renameSync } from 'node:fs';
import type { LostKey, RecoverKey } from '#shared/desk/setup/workspace.ts';
import { parsePrivateKey } from '../keys/private-key.ts';
import { deleteWorkspaceKeys, hasDatabaseKey } from '../keys/workspace-keys.ts';
import { hasPendingWork } from '../work/set-aside.ts';
import { openPractice, openWithKey } from './choose-workspace.ts';
import { workspaceDir, type DeskParts } from './current-workspace.ts';
import { practiceId, practiceRecord, workspaceView } from './workspace-view.ts';

/**
 * The workspace that has lost its key, and whether its work is lost as well; null if there is none.
 */
export async function lostKey(parts: DeskParts): Promise<LostKey | null> {
  const { lost } = parts.current;
  if (!lost) return null;
  const record = lost.record ?? practiceRecord;
  const hasKey = await hasDatabaseKey(parts.options.vault, record.id);
  const dataIsLost = hasPendingWork(workspaceDir(parts, record.id)) && !hasKey;
  return { workspace: workspaceView(record), dataIsLost };
}

/** Restores a lost key. The practice workspace gets a new one. */
export async function recoverKey(
  parts: DeskParts,
  { privateKey = '', keyPassphrase, setAside }: RecoverKey,
): Promise<void> {
  const { practice } = parts.options;
  const { lost } = parts.current;
  if (lost?.record) {
    const key = parsePrivateKey(privateKey, keyPassphrase);
    if (setAside) await setAsideIfLost(parts, lost.record.id);
    await openWithKey(parts, lost.record, key);
  } else if (lost && practice) {
    if (setAside) await setAsideIfLost(parts, practiceId);
    await openPractice(parts, practice);
  }
}

/** Renames data that no key can open. The workspace then starts without data. */
export async function setAsideIfLost(parts: DeskParts, id: string): Promise<void> {
  const { vault, clock } = parts.options;
  const dir = workspaceDir(parts, id);
  if (!hasPendingWork(dir) || (await hasDatabaseKey(vault, id))) return;
  await deleteWorkspaceKeys(vault, id);
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[-:.]/g, '');
  renameSync(dir, `${dir}-set-aside-${stamp}`);
}
