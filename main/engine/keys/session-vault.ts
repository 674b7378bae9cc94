import type { Vault } from './vault.ts';

/** Secrets that end with the process: for a practice workspace where there is no keychain. */
export function createSessionVault(): Vault {
  const secrets = new Map<string, string>();
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
