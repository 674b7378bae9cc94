import type { Vault } from './vault.ts';

/**
 * Secrets that end with the process: for a practice workspace where there is no keychain.
 * @param secrets by name, what is there already
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
