import type { KeyObject } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { PendingWork } from '#shared/desk/setup/workspace.ts';
import { logFault } from '#main/log/faults.ts';
import type { WorkspaceRecord } from '../home/settings.ts';
import {
  deleteWorkspaceKeys,
  forgetDpopKey,
  openPrivateKey,
  storePrivateKey,
} from '../keys/workspace-keys.ts';
import { openConnection, openOne, openWithKey } from './choose-workspace.ts';
import {
  assertConfirmed,
  beginRemoval,
  finishRemovals,
  pendingWorkOf,
} from './connection-removal.ts';
import { describeClosed } from './describe-workspace.ts';
import { workspaceDir, type DeskParts } from './current-workspace.ts';
import { setAsideIfLost } from './lost-key.ts';

/** A connection of this desk. @throws {DeskError} invalid_input if the id is unknown */
export function findConnection({ settings }: DeskParts, id: string): WorkspaceRecord {
  const found = settings.stored.workspaces.find((record) => record.id === id);
  if (found?.kind === 'connection') return found;
  throw new DeskError('invalid_input', { field: 'id', rule: 'unknown' });
}

/** The unsent work of a connection, open or closed; null if it cannot be read. */
export function pendingWork(parts: DeskParts, id: string): Promise<PendingWork | null> {
  return pendingWorkOf(parts.options.vault, id, workspaceDir(parts, id));
}

/**
 * Stores the key of a new or known connection, and opens the connection.
 * @param setAside whether to set existing work aside and start without data if no key opens it
 */
export async function connectWithKey(
  parts: DeskParts,
  record: WorkspaceRecord,
  privateKey: KeyObject,
  setAside: boolean,
): Promise<void> {
  const { options, settings } = parts;
  const isNew = !existsSync(workspaceDir(parts, record.id));
  if (setAside) await setAsideIfLost(parts, record.id);
  try {
    await openWithKey(parts, record, privateKey);
  } catch (error) {
    if (isNew && !settings.stored.workspaces.some(({ id }) => id === record.id)) {
      await forgetNew(parts, record.id).catch(logFault('forget a connection', options.log));
    }
    throw error;
  }
}

/** Removes the folder and the key of a connection that was never opened. */
async function forgetNew(parts: DeskParts, id: string): Promise<void> {
  rmSync(workspaceDir(parts, id), { recursive: true, force: true });
  await deleteWorkspaceKeys(parts.options.vault, id);
}

/** Gives a connection another name. Running work continues. */
export function renameConnection(parts: DeskParts, id: string, name: string): WorkspaceRecord {
  const { settings, current, emit } = parts;
  const record = { ...findConnection(parts, id), name };
  settings.change(record);
  if (current.isOpen(id)) current.relabel(record);
  emit({ type: 'desk.changed' });
  return record;
}

/** Changes how a connection reaches the partner. The data stay. */
export async function changeConnection(
  parts: DeskParts,
  record: WorkspaceRecord,
  privateKey: KeyObject | null,
): Promise<void> {
  const { options, settings, current, emit } = parts;
  if (privateKey) await storePrivateKey(options.vault, record.id, privateKey);
  // A token for the earlier address or key is not used again.
  await forgetDpopKey(options.vault, record.id);
  settings.change(record);
  if (current.isOpen(record.id)) {
    await openConnection(parts, record);
    return;
  }
  await describeClosed(options, record, workspaceDir(parts, record.id));
  emit({ type: 'desk.changed' });
}

/**
 * Replaces a connection by that of another organization. The data of the first are removed.
 * @throws {DeskError} connection_holds_work
 */
export async function replaceConnection(
  parts: DeskParts,
  before: WorkspaceRecord,
  record: WorkspaceRecord,
  privateKey: KeyObject | null,
  confirmed: PendingWork | null,
): Promise<void> {
  assertConfirmed(await pendingWork(parts, before.id), confirmed);
  const key = privateKey ?? (await openPrivateKey(parts.options.vault, before.id));
  await connectWithKey(parts, record, key, false);
  await removeConnection(parts, before.id, confirmed);
}

/**
 * Removes a connection with its key and its data. If it was open, another workspace is opened.
 * @throws {DeskError} connection_holds_work; work that was added until the closing counts
 */
export async function removeConnection(
  parts: DeskParts,
  id: string,
  confirmed: PendingWork | null,
): Promise<void> {
  const { current, emit } = parts;
  findConnection(parts, id);
  // The keychain may be locked, so it is read before anything is closed.
  assertConfirmed(await pendingWork(parts, id), confirmed);
  if (current.isOpen(id)) await current.close();
  try {
    assertConfirmed(await pendingWork(parts, id), confirmed);
    beginRemoval(workspaceDir(parts, id));
    if (current.lost?.record?.id === id) current.lose(null);
    await finishRemovals(parts);
  } finally {
    if (!current.open) await openOne(parts);
    emit({ type: 'workspace.changed' });
  }
}
