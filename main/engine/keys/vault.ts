/**
 * A safe place for secrets that outlives the process. Implementations: `keychain-vault.ts` (the
 * operating system's keychain), `passphrase-vault.ts` (a file under a passphrase, scrypt),
 * `session-vault.ts` (memory only, for a practice workspace where there is no keychain).
 * One test suite runs over all of them.
 */
export interface Vault {
  readonly kind: 'keychain' | 'passphrase' | 'session';
  /** The secret under this name, or null where none was ever stored. */
  get(name: string): Promise<string | null>;
  /** Replaces the secret as a whole; once resolved it survives a crash. */
  set(name: string, secret: string): Promise<void>;
  delete(name: string): Promise<void>;
}
