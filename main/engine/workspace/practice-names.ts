import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '#shared/lib/random.ts';
import type { Vault } from '../keys/vault.ts';
import { hasPendingWork } from '../work/set-aside.ts';
import { practiceId } from './workspace-view.ts';

const prefix = `workspace/${practiceId}/`;

/**
 * The vault of a home. The homes of a user share one keychain, and each has a practice workspace of
 * the same id. Its keys therefore have a random name in the keychain, which is stored next to the
 * data that they open: two homes never replace or remove each other's keys.
 * @param dir the folder of the practice workspace
 */
export function withPracticeNames(vault: Vault, dir: string, random: Pick<Random, 'bytes'>): Vault {
  const file = join(dir, 'keychain-name');

  function stored(): string | null {
    if (existsSync(file)) return `workspace/${practiceId}-${readFileSync(file, 'utf8').trim()}/`;
    // The data were stored before the keys had a name of their own.
    return hasPendingWork(dir) ? prefix : null;
  }

  function drawn(): string {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const name = Buffer.from(random.bytes(8)).toString('hex');
    writeFileSync(file, `${name}\n`, { mode: 0o600, flush: true });
    return `workspace/${practiceId}-${name}/`;
  }
  /** The name of an entry in the keychain; null if the practice workspace has no keys yet. */
  function entryOf(name: string): string | null {
    if (!name.startsWith(prefix)) return name;
    const found = stored();
    return found === null ? null : `${found}${name.slice(prefix.length)}`;
  }

  return {
    kind: vault.kind,
    async get(name) {
      const entry = entryOf(name);
      return entry === null ? null : await vault.get(entry);
    },
    set: (name, secret) =>
      vault.set(entryOf(name) ?? `${drawn()}${name.slice(prefix.length)}`, secret),
    async delete(name) {
      const entry = entryOf(name);
      if (entry !== null) await vault.delete(entry);
    },
  };
}
