import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { homeProblem, DeskError } from '#shared/desk/contract/errors.ts';
import { hasConnection, practiceSessionId } from '#main/engine/home/settings.ts';
import { openKeychainVault } from '#main/engine/keys/keychain-vault.ts';
import { openPassphraseVault } from '#main/engine/keys/passphrase-vault.ts';
import { createSessionVault, type Vault } from '#main/engine/keys/vault.ts';

/** The parts of the system that determine where a program stores its data. */
export interface HomeSystem {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
}

/**
 * The folder of the desk's data if no option names one, by the convention of the operating system
 * (XDG Base Directory on Linux, Application Support on macOS, the local profile on Windows, because
 * a roaming one would copy databases).
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
  // The XDG specification requires that relative paths are ignored.
  const data = xdg?.startsWith('/') ? xdg : posix.join(userHome, '.local', 'share');
  return posix.join(data, 'appraiser-desk');
}

/**
 * Creates a folder for its owner only, if it does not exist.
 * @throws {DeskError} home_unwritable, disk_full
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw homeProblem(error);
  }
}

/** The name of the desk's entries in the operating system's keychain. */
const keychainService = 'Appraiser Desk';

/**
 * Removes the passphrase from the environment, because every program that the desk starts inherits
 * it.
 */
export function takePassphrase(env: NodeJS.ProcessEnv): string | undefined {
  const { DESK_VAULT_PASSPHRASE: passphrase } = env;
  delete env['DESK_VAULT_PASSPHRASE'];
  return passphrase;
}

export interface VaultWish {
  readonly home: string;
  /** Whether `--vault passphrase` was given. */
  readonly passphraseVault: boolean;
  /** The value of DESK_VAULT_PASSPHRASE. */
  readonly passphrase: string | undefined;
  /**
   * The behaviour if the system has no keychain: a window uses secrets that end with the process,
   * and a command refuses to run. Secrets are never stored in plain form, and a home whose data are
   * under a keychain has no alternative to it.
   */
  readonly withoutKeychain: 'session' | 'refuse';
}

/**
 * Chooses where this home stores its secrets: the passphrase vault if it is requested or already
 * exists, else the operating system's keychain.
 * @throws {DeskError} keychain_unavailable, keychain_locked, keychain_unreachable,
 *   vault_passphrase_wrong, vault_passphrase_missing, home_unwritable, disk_full
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
    // In any other place the keys of the home would seem to be lost.
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

/** Whether a home has data but no passphrase vault, so that its keys are in a keychain. */
function holdsKeychainData(home: string): boolean {
  const dir = join(home, 'workspaces');
  const names = existsSync(dir) ? readdirSync(dir) : [];
  return names.some((name) => name !== practiceSessionId) || hasConnection(home);
}
