import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '#shared/desk/errors.ts';
import { openKeychainVault } from '#main/engine/keys/keychain-vault.ts';
import { openPassphraseVault } from '#main/engine/keys/passphrase-vault.ts';
import { createSessionVault, type Vault } from '#main/engine/keys/vault.ts';
import { makeFolder } from './default-home.ts';

/** The name under which the operating system's keychain lists the desk's entries. */
const keychainService = 'Appraiser Desk';

/** Takes the passphrase out of the environment, which every program that the desk starts is given. */
export function takePassphrase(env: NodeJS.ProcessEnv): string | undefined {
  const { DESK_VAULT_PASSPHRASE: passphrase } = env;
  delete env['DESK_VAULT_PASSPHRASE'];
  return passphrase;
}

export interface VaultWish {
  readonly home: string;
  /** `--vault passphrase` was given. */
  readonly passphraseVault: boolean;
  /** DESK_VAULT_PASSPHRASE. */
  readonly passphrase: string | undefined;
  /**
   * What to do if there is no keychain: a window falls back to secrets that end with the
   * process, a command refuses. Nothing ever falls back to plain storage.
   */
  readonly withoutKeychain: 'session' | 'refuse';
}

/**
 * Where this home keeps its secrets: the passphrase vault if it was asked for or is already
 * there, else the operating system's keychain.
 *
 * @throws {DeskError} keychain_unavailable, vault_passphrase_wrong, home_unwritable, disk_full
 */
export async function chooseVault(wish: VaultWish): Promise<Vault> {
  const { home, passphrase } = wish;
  const file = join(home, 'vault.json');
  if (wish.passphraseVault || existsSync(file)) {
    if (!passphrase)
      throw new DeskError(existsSync(file) ? 'vault_passphrase_wrong' : 'keychain_unavailable');
    return openPassphraseVaultIn(home, file, passphrase);
  }
  try {
    return await openKeychainVault(keychainService);
  } catch (error) {
    if (!(error instanceof DeskError) || error.code !== 'keychain_unavailable') throw error;
    if (wish.withoutKeychain === 'refuse') throw error;
    if (passphrase) return openPassphraseVaultIn(home, file, passphrase);
    return createSessionVault();
  }
}

function openPassphraseVaultIn(home: string, file: string, passphrase: string): Promise<Vault> {
  makeFolder(home);
  return openPassphraseVault(file, passphrase);
}
