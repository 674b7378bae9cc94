import type { KeyObject } from 'node:crypto';
import type { Asked } from '#shared/desk/setup/diagnostics.ts';
import type { DeskErrorCode, DeskProblem } from '#shared/desk/contract/errors.ts';
import type { WorkspaceRecord } from '../home/settings.ts';
import { deleteWorkspaceKeys, openPrivateKey, storePrivateKey } from '../keys/workspace-keys.ts';
import type { CurrentWorkspaceParts } from './current-workspace.ts';

/**
 * The errors of a partner that was not reached. The entered values may be right, and are used once
 * the network is back.
 */
const unreached = new Set<DeskErrorCode>([
  'offline',
  'address_unknown',
  'connection_refused',
  'connection_lost',
  'timeout',
  'captive_portal',
  'proxy_sign_in',
  'rate_limited',
]);

export const isUnreached = ({ code }: DeskProblem): boolean => unreached.has(code);

/**
 * Stores a connection that the partner refused, for `doctor`. It cannot be used, and replaces the
 * one that failed before.
 */
export async function storeFailed(
  { options, settings }: CurrentWorkspaceParts,
  record: Omit<WorkspaceRecord, 'id' | 'kind'>,
  key: KeyObject,
  failure: { readonly problem: DeskProblem; readonly asked: Asked | null },
): Promise<void> {
  const { vault, clock, random } = options;
  const before = settings.stored.failedConnection;
  const id = before?.record.id ?? random.uuid();
  await storePrivateKey(vault, id, key);
  const at = new Date(clock.now()).toISOString();
  settings.setFailedConnection({ record: { ...record, id, kind: 'connection' }, at, ...failure });
}

/** Removes the failed connection and its key. */
export async function forgetFailed({ options, settings }: CurrentWorkspaceParts): Promise<void> {
  const failed = settings.stored.failedConnection;
  if (!failed) return;
  // While its key is there, it is named, so that the key can be removed later.
  await deleteWorkspaceKeys(options.vault, failed.record.id);
  settings.setFailedConnection(null);
}

/**
 * The failed connection with its key; null if there is none. @throws {DeskError}
 * keychain_entry_lost
 */
export async function openFailed({ options, settings }: CurrentWorkspaceParts) {
  const failed = settings.stored.failedConnection;
  if (!failed) return null;
  return { ...failed, privateKey: await openPrivateKey(options.vault, failed.record.id) };
}
export type FailedConnection = NonNullable<Awaited<ReturnType<typeof openFailed>>>;
