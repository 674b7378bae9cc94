import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './run-command.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The user without any rights that every Linux has. */
const userName = 'nobody';

/**
 * @typedef {{ uid: number, gid: number }} User
 * @typedef {object} UserSystem what decides whether such a user can open the window
 * @property {(program: string) => boolean} has whether a program is installed
 * @property {() => User | null} find
 * @property {(user: User, paths: readonly string[]) => boolean} canRead
 * @property {(user: User, executable: string) => boolean} hasSandbox
 */

/**
 * Returns the user who runs the tests of the window instead of root. Chromium's sandbox does not
 * work for root, and the desk never runs without it.
 *
 * @param {string} executable the executable of Electron
 * @param {UserSystem} [system]
 * @returns {User | { missing: string }}
 */
export function ordinaryUser(executable, system = thisSystem) {
  for (const program of ['setpriv', 'xvfb-run'])
    if (!system.has(program)) return { missing: `root needs ${program} for the tests` };
  const user = system.find();
  if (user === null) return { missing: `there is no user ${userName} to run the tests for root` };
  const paths = [join(root, 'package.json'), executable];
  if (!system.canRead(user, paths))
    return { missing: `the user ${userName} cannot read ${paths.join(' and ')}` };
  return system.hasSandbox(user, executable) ? user : { missing: 'this system allows no sandbox' };
}

/** @type {UserSystem} */
const thisSystem = {
  has: (program) => spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined,
  find() {
    const [uid, gid] = ['-u', '-g'].map((kind) => {
      const { status, stdout } = spawnSync('id', [kind, userName], { encoding: 'utf8' });
      return status === 0 ? Number(stdout) : 0;
    });
    return uid > 0 && gid > 0 ? { uid, gid } : null;
  },
  canRead: (user, paths) =>
    succeeds(user, 'for (const path of args) fs.accessSync(path, fs.constants.R_OK)', ...paths),
  hasSandbox: (user, executable) =>
    succeeds(
      user,
      'import(args[0]).then(({ allowsSandbox }) => process.exit(allowsSandbox(args[1]) ? 0 : 1))',
      join(root, 'main/start/sandbox.ts'),
      executable,
    ),
};

function succeeds(user, code, ...args) {
  const script = `const args = process.argv.slice(1); ${code}`;
  const [program, ...rest] = [...asUser(user), process.execPath, '-e', script, ...args];
  return spawnSync(program, rest, { cwd: '/', stdio: 'ignore' }).status === 0;
}

const asUser = ({ uid, gid }) => ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];

/**
 * Makes a folder that belongs to this user, and returns how a command runs in it with a separate
 * display.
 *
 * @param {User} user
 */
export function homeOf(user) {
  const folder = mkdtempSync(join(tmpdir(), 'desk-user-'));
  const parts = { HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp') };
  for (const path of Object.values(parts)) mkdirSync(path);
  for (const path of [folder, ...Object.values(parts)]) chownSync(path, user.uid, user.gid);
  return {
    folder,
    /**
     * @param {readonly string[]} command
     * @param {Record<string, string>} [env]
     */
    run(command, env) {
      const args = [...asUser(user), 'xvfb-run', '--auto-servernum', ...command];
      // The cache of the checkout does not belong to this user.
      const cache = { NODE_COMPILE_CACHE: join(folder, 'compile') };
      return runCommand(root, '/usr/bin/env', args, { ...parts, ...cache, ...env });
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
