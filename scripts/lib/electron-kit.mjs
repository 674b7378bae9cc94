import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runCommand } from './run-command.mjs';

/**
 * The timeout for the preparation. A kit that first downloads its runtime needs a minute and a
 * half.
 */
const prepareWithinMs = 300_000;

/**
 * Makes a copy of the built desk with the runtime of an Electron kit. A kit is a folder with two
 * programs: `prepare` makes the copy, and `run` runs a command in it as an ordinary user with a
 * display and a keychain.
 *
 * @param {string} kit the folder of the kit
 * @param {string} root the checkout, which must be built
 * @param {(line: string) => void} [write] receives the lines of the commands' output. Without it
 *   they go to the terminal.
 * @returns {Promise<{ folder: string, run: (name: string, args: readonly string[], env?: Record<string, string>) => Promise<number>, remove: () => void } | { missing: string }>}
 */
export async function prepareKit(kit, root, write) {
  const target = mkdtempSync(join(tmpdir(), 'electron-kit-'));
  const remove = () => rmSync(target, { recursive: true, force: true, maxRetries: 5 });
  // The ordinary user must be able to reach the copy.
  chmodSync(target, 0o755);
  try {
    await promisify(execFile)(join(kit, 'prepare'), [root, target], { timeout: prepareWithinMs });
  } catch (error) {
    remove();
    // A program that ran has a number as its code, one that could not be started a name.
    const { code, message, stderr = '' } = Object(error);
    const unsaid = typeof code === 'string' ? message : 'no reason given';
    const reason = stderr.trim().split('\n').at(-1) || unsaid;
    return { missing: `the runtime could not be prepared (${reason})` };
  }
  const folder = join(target, 'desk');
  const run = (name, args, env) =>
    runCommand(
      folder,
      join(kit, 'run'),
      [target, name, ...args],
      {
        // The cache of the checkout does not belong to the ordinary user.
        NODE_COMPILE_CACHE: join(folder, 'node_modules/.cache/compile'),
        ...env,
      },
      write,
    );
  return { folder, run, remove };
}
