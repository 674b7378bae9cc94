import {
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { DeskError } from '#shared/desk/contract/errors.ts';
import type { Vault } from './vault.ts';

const entryName = (workspaceId: string, entry: 'database-key' | 'private-key' | 'dpop-key') =>
  `workspace/${workspaceId}/${entry}`;

const lost = (entry: string, cause?: unknown) =>
  new DeskError('keychain_entry_lost', { entry }, { cause });

/**
 * The key of a workspace's databases: 32 random bytes as 64 hex digits, created at first use.
 * @param databaseExists whether a database under this key is on the disk. A new key would make it
 *   permanently unreadable, so a missing entry is then an error.
 * @throws {DeskError} keychain_entry_lost
 */
export async function openDatabaseKey(
  vault: Vault,
  workspaceId: string,
  databaseExists: boolean,
): Promise<string> {
  const name = entryName(workspaceId, 'database-key');
  const found = await vault.get(name);
  if (found !== null) {
    if (!/^[0-9a-f]{64}$/.test(found)) throw lost(name);
    return found;
  }
  if (databaseExists) throw lost(name);
  const key = randomBytes(32).toString('hex');
  await vault.set(name, key);
  // Nothing may be encrypted with a key that the vault does not return.
  if ((await vault.get(name)) !== key) throw lost(name);
  return key;
}

/** Whether the vault still has a key for the workspace's databases. */
export async function hasDatabaseKey(vault: Vault, workspaceId: string): Promise<boolean> {
  try {
    await openDatabaseKey(vault, workspaceId, true);
    return true;
  } catch (error) {
    if (error instanceof DeskError && error.code === 'keychain_entry_lost') return false;
    throw error;
  }
}

/**
 * Removes the key for proofs. The next opening creates a new one, and tokens that are bound to the
 * old one are not used again.
 */
export async function forgetDpopKey(vault: Vault, workspaceId: string): Promise<void> {
  await vault.delete(entryName(workspaceId, 'dpop-key'));
}

/**
 * The ES256 key that signs every DPoP proof of a workspace (RFC 9449), created at first use. A lost
 * key is replaced by a new one, because the next token is bound to it.
 */
export async function openDpopKey(vault: Vault, workspaceId: string): Promise<KeyObject> {
  const name = entryName(workspaceId, 'dpop-key');
  const found = await vault.get(name);
  if (found !== null) {
    try {
      const key = createPrivateKey(found);
      if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
    } catch {
      // The key is damaged and is replaced below, like a lost one.
    }
  }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await vault.set(name, pemOf(privateKey));
  return privateKey;
}

/** Stores the organization's RSA key of a connection. It replaces an earlier one. */
export async function storePrivateKey(
  vault: Vault,
  workspaceId: string,
  key: KeyObject,
): Promise<void> {
  await vault.set(entryName(workspaceId, 'private-key'), pemOf(key));
}

/**
 * The organization's RSA key of a connection.
 * @throws {DeskError} keychain_entry_lost
 */
export async function openPrivateKey(vault: Vault, workspaceId: string): Promise<KeyObject> {
  const name = entryName(workspaceId, 'private-key');
  const found = await vault.get(name);
  if (found === null) throw lost(name);
  try {
    return createPrivateKey(found);
  } catch (error) {
    throw lost(name, error);
  }
}

/** Removes every key of a workspace. Data that were encrypted with them are then unreadable. */
export async function deleteWorkspaceKeys(vault: Vault, workspaceId: string): Promise<void> {
  for (const entry of ['private-key', 'dpop-key', 'database-key'] as const) {
    await vault.delete(entryName(workspaceId, entry));
  }
}

/**
 * A 32-byte key for one purpose, derived from a workspace's database key (HKDF, RFC 5869), so that
 * one secret in the keychain serves all of its files.
 */
export function deriveKey(databaseKey: string, purpose: string): Buffer {
  const secret = Buffer.from(databaseKey, 'hex');
  return Buffer.from(hkdfSync('sha256', secret, '', `appraiser-desk ${purpose}`, 32));
}

const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
