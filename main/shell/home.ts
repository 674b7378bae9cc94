import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { homeProblem, DeskError } from '#shared/desk/errors.ts';
import { hasConnection, practiceSessionId } from '#main/engine/home/settings.ts';
import { openKeychainVault } from '#main/engine/keys/keychain-vault.ts';
import { openPassphraseVault } from '#main/engine/keys/passphrase-vault.ts';
import { createSessionVault, type Vault } from '#main/engine/keys/vault.ts';

/** The parts of the system that say where a program keeps its data. */
export interface HomeSystem {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
}

/**
 * Where the desk keeps its data when no option names a folder: the convention of the operating system (XDG Base
 * Directory on Linux, Application Support on macOS, the local profile on Windows, because a
 * roaming one would copy databases).
 */
export function defaultHome(
  system: HomeSystem = { platform: process.platform, env: process.env, userHome: homedir() },
): string {
  const { platform, env, userHome } = system;
  if (platform === 'win32')
    return win32.join(
      env['LOCALAPPDATA'] ?? win32.join(userHome, 'AppData', 'Local'),
      'AppraiserDesk',
    );
  if (platform === 'darwin')
    return join(userHome, 'Library', 'Application Support', 'AppraiserDesk');
  const xdg = env['XDG_DATA_HOME'];
  // The XDG specification has relative paths ignored.
  const data = xdg?.startsWith('/') ? xdg : posix.join(userHome, '.local', 'share');
  return posix.join(data, 'appraiser-desk');
}

/**
 * Makes a folder for the desk's owner alone; it may exist.
 * @throws {DeskError} home_unwritable, disk_full
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw homeProblem(error);
  }
}

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
   * What to do if the system has no keychain: a window falls back to secrets that end with the
   * process, a command refuses. Nothing ever falls back to plain storage, and a home with data
   * under a keychain falls back to nothing.
   */
  readonly withoutKeychain: 'session' | 'refuse';
}

/**
 * Where this home keeps its secrets: the passphrase vault if it was asked for or is already
 * there, else the operating system's keychain.
 *
 * @throws {DeskError} keychain_unavailable, keychain_locked, keychain_unreachable,
 * vault_passphrase_wrong, vault_passphrase_missing, home_unwritable, disk_full
 */
export async function chooseVault(wish: VaultWish): Promise<Vault> {
  const { home, passphrase } = wish;
  const file = join(home, 'vault.json');
  if (wish.passphraseVault || existsSync(file)) {
    if (!passphrase) throw new DeskError('vault_passphrase_missing');
    return openPassphraseVaultIn(home, file, passphrase);
  }
  try {
    return await openKeychainVault(keychainService);
  } catch (error) {
    if (!(error instanceof DeskError) || error.code !== 'keychain_unavailable') throw error;
    // Its keys would seem to be lost in any other place.
    if (holdsKeychainData(home)) {
      const reason = 'not-installed';
      throw new DeskError('keychain_unreachable', { reason }, { cause: error });
    }
    if (wish.withoutKeychain === 'refuse') throw error;
    if (passphrase) return openPassphraseVaultIn(home, file, passphrase);
    return createSessionVault();
  }
}

function openPassphraseVaultIn(home: string, file: string, passphrase: string): Promise<Vault> {
  makeFolder(home);
  return openPassphraseVault(file, passphrase);
}

/** Whether a home without a passphrase vault has data, whose keys are then in a keychain. */
function holdsKeychainData(home: string): boolean {
  const dir = join(home, 'workspaces');
  const names = existsSync(dir) ? readdirSync(dir) : [];
  return names.some((name) => name !== practiceSessionId) || hasConnection(home);
}
