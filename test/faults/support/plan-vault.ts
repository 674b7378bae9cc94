import type { Vault } from '#main/engine/keys/vault.ts';

/**
 * Secrets as a plan hands them on from desk to desk. A passphrase instead would be half a second of
 * the processor at each of their starts, and is no part of what is shown.
 */
export function createPlanVault(secrets: Map<string, string>): Vault {
  return {
    kind: 'passphrase',
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
