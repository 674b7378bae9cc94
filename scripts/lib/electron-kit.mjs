import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';

/** A kit that downloads its runtime first needs a minute and a half. */
const prepareWithinMs = 300_000;

/**
 * A copy of the built desk with the runtime of an Electron kit: a folder whose program `prepare` makes
 * the copy, and whose `run` runs a command in it, as an ordinary user with a display and a keychain.
 *
 * @param {string} kit
 * @param {string} root the checkout, built
 * @returns {{ folder: string, run: (name: string, args: readonly string[], env?: Record<string, string>) => Promise<number>, remove: () => void } | { missing: string }}
 */
export function prepareKit(kit, root) {
  const target = mkdtempSync(join(tmpdir(), 'electron-kit-'));
  const remove = () => rmSync(target, { recursive: true, force: true, maxRetries: 5 });
  // The ordinary user has to reach the copy.
  chmodSync(target, 0o755);
  const made = spawnSync(join(kit, 'prepare'), [root, target], {
    encoding: 'utf8',
    timeout: prepareWithinMs,
  });
  if (made.status !== 0) {
    remove();
    const reason = made.error?.message ?? made.stderr.trim().split('\n').at(-1);
    return { missing: `the runtime could not be prepared (${reason || 'no reason given'})` };
  }
  const folder = join(target, 'desk');
  const run = (name, args, env) =>
    runCommand(folder, join(kit, 'run'), [target, name, ...args], {
      // The cache of the checkout is not the ordinary user's.
      NODE_COMPILE_CACHE: join(folder, 'node_modules/.cache/compile'),
      ...env,
    });
  return { folder, run, remove };
}
