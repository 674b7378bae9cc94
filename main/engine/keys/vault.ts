/**
 * A safe place for secrets. Implementations: `keychain-vault.ts` (the operating system's keychain),
 * `passphrase-vault.ts` (a file under a passphrase, scrypt), and the session vault below. One test
 * suite runs over all of them.
 */
export interface Vault {
  readonly kind: 'keychain' | 'passphrase' | 'session';
  /** The secret under this name, or null if none was ever stored. */
  get(name: string): Promise<string | null>;
  /** Replaces the whole secret. After it resolves, the secret survives a crash. */
  set(name: string, secret: string): Promise<void>;
  delete(name: string): Promise<void>;
}

/**
 * Secrets that end with the process, for a practice workspace without a keychain.
 * @param secrets existing secrets by name
 */
export function createSessionVault(secrets = new Map<string, string>()): Vault {
  return {
    kind: 'session',
    get: (name) => Promise.resolve(secrets.get(name) ?? null),
    set: (name, secret) => {
      secrets.set(name, secret);
      return Promise.resolve();
    },
    delete: (name) => {
      secrets.delete(name);
      return Promise.resolve();
    },
  };
}
