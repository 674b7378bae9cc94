import { createPrivateKey, type KeyObject } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { logFault } from '#main/log/faults.ts';
import type { PracticeStarter } from '../engine.ts';
import { practiceSessionId, type WorkspaceRecord } from '../home/settings.ts';
import {
  deriveKey,
  forgetDpopKey,
  openDatabaseKey,
  openPrivateKey,
  storePrivateKey,
} from '../keys/workspace-keys.ts';
import { hasPendingWork } from '../work/set-aside.ts';
import { finishRemovals } from './connection-removal.ts';
import { workspaceDir, type DeskParts } from './current-workspace.ts';
import { practiceId, practiceRecord } from './workspace-view.ts';

/**
 * Opens the workspace that was used last, or practice. If its key is lost, the desk still opens.
 */
export async function openLast(parts: DeskParts): Promise<void> {
  rmSync(workspaceDir(parts, practiceSessionId), { recursive: true, force: true });
  // If the keychain fails now, the desk still opens, and the next start continues.
  await finishRemovals(parts).catch(logFault('finish a removal', parts.options.log));
  await openOne(parts);
}

/**
 * Opens the connection that was used last; without one any other; without any the practice
 * workspace.
 */
export async function openOne(parts: DeskParts): Promise<void> {
  const { workspaces, activeId } = parts.settings.stored;
  const { practice } = parts.options;
  const connections = workspaces.filter(({ kind }) => kind === 'connection');
  const usable = practice ? workspaces : connections;
  const last = usable.find(({ id }) => id === activeId) ?? connections[0];
  if (last?.kind === 'connection') {
    await openOrLose(parts, last, () => openConnection(parts, last));
  } else if (practice) await openOrLose(parts, null, () => openPractice(parts, practice));
}

/**
 * If the key is lost, the desk opens without a workspace, because the window and the command that
 * restore the key need the desk.
 * @param record null for the practice workspace
 */
async function openOrLose(
  { current }: DeskParts,
  record: WorkspaceRecord | null,
  open: () => Promise<void>,
): Promise<void> {
  try {
    await open();
  } catch (error) {
    if (!(error instanceof DeskError) || error.code !== 'keychain_entry_lost') throw error;
    current.lose({ record, error });
  }
}

/**
 * Opens another workspace. If it is already open, nothing happens.
 * @throws {DeskError} invalid_input
 */
export async function useWorkspace(parts: DeskParts, id: string): Promise<void> {
  if (parts.current.isOpen(id)) return;
  const { practice } = parts.options;
  const record = parts.settings.stored.workspaces.find((candidate) => candidate.id === id);
  if (record?.kind === 'connection') await openConnection(parts, record);
  else if (id === practiceId && practice) await openPractice(parts, practice);
  else throw new DeskError('invalid_input', { field: 'id', rule: 'unknown' });
}

/** @throws {DeskError} keychain_entry_lost, and the errors of opening */
export async function openConnection(
  { options, current }: DeskParts,
  record: WorkspaceRecord,
): Promise<void> {
  await current.openRecord(record, await openPrivateKey(options.vault, record.id), null);
}

/** Replaces the key of a connection, and opens the connection with the new one. */
export async function openWithKey(
  { options: { vault }, current }: DeskParts,
  record: WorkspaceRecord,
  privateKey: KeyObject,
): Promise<void> {
  await storePrivateKey(vault, record.id, privateKey);
  await forgetDpopKey(vault, record.id);
  await current.openRecord(record, privateKey, null);
}

export async function openPractice(parts: DeskParts, start: PracticeStarter): Promise<void> {
  const { vault } = parts.options;
  const id = vault.kind === 'session' ? practiceSessionId : practiceId;
  const dir = workspaceDir(parts, id);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const databaseKey = await openDatabaseKey(vault, id, hasPendingWork(dir));
  const practice = await start({
    dataDir: join(dir, 'service'),
    storeKey: deriveKey(databaseKey, 'practice service').toString('hex'),
    language: parts.settings.language,
  });
  try {
    const { baseUrl, audience, expert } = practice;
    const record = { ...practiceRecord, id, baseUrl, audience, clientId: expert.clientId };
    await parts.current.openRecord(record, createPrivateKey(expert.privateKeyPem), practice);
  } catch (error) {
    await practice.stop();
    throw error;
  }
}
