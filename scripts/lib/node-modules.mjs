import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, say } from './say.mjs';

/**
 * Returns one digest of everything that an installation depends on: the lock file, the dependencies
 * of package.json, and the kind of machine. A copied folder has the binaries of another machine.
 *
 * @param {string} packageJson text of package.json
 * @param {string} lock text of package-lock.json
 * @param {string} machine for example `linux-x64`
 * @returns {string} hex
 */
export function installationDigest(packageJson, lock, machine) {
  const { dependencies, devDependencies, overrides, allowScripts } = JSON.parse(packageJson);
  return createHash('sha256')
    .update(JSON.stringify([dependencies, devDependencies, overrides, allowScripts, machine]))
    .update(lock)
    .digest('hex');
}

/**
 * Whether npm's own record of node_modules names every package of the lock file in the same
 * version. Optional packages (other systems' binaries) may be absent.
 *
 * @param {string} lock text of package-lock.json
 * @param {string | null} record text of node_modules/.package-lock.json
 * @returns {boolean}
 */
export function matchesLock(lock, record) {
  if (record === null) return false;
  const wanted = JSON.parse(lock).packages ?? {};
  const present = JSON.parse(record).packages ?? {};
  return (
    Object.entries(wanted).every(
      ([path, entry]) =>
        path === '' || entry.optional || entry.link || present[path]?.version === entry.version,
    ) && Object.entries(present).every(([path, entry]) => wanted[path]?.version === entry.version)
  );
}

/**
 * Returns the sentence for a failed `npm ci`.
 *
 * @param {string} output the output of npm
 * @param {number | null} code its exit code
 * @returns {string}
 */
export function explainNpmFailure(output, code) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET/.test(output))
    return 'The packages cannot be fetched because the npm registry cannot be reached; connect to the network and run the command again.';
  if (/ENOSPC/.test(output))
    return 'The packages cannot be installed because the disk is full; make room and run the command again.';
  if (/EACCES|EPERM/.test(output))
    return 'The packages cannot be installed because the folder cannot be written; check its owner and run the command again.';
  return `The packages cannot be installed: npm ci ended with code ${code ?? 'none'}; its messages are above.`;
}

function readOrNull(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** Returns the path of the Node 24 that the `node` package puts into node_modules. */
export function ownNode(root) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(root, 'node_modules', 'node', 'bin', name);
}

/**
 * Installs node_modules if it does not match the lock file.
 *
 * @param {string} root
 * @throws {Refusal} with one sentence if the installation fails
 */
export async function ensureNodeModules(root) {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const packageJson = readFileSync(join(root, 'package.json'), 'utf8');
  const stampPath = join(root, 'node_modules', '.installed');
  const digest = installationDigest(packageJson, lock, `${process.platform}-${process.arch}`);
  const complete = existsSync(ownNode(root));
  if (complete && readOrNull(stampPath) === digest) return;
  const record = join(root, 'node_modules', '.package-lock.json');
  // A folder without a stamp was installed by hand. npm's record shows whether it matches.
  const byHand = complete && !existsSync(stampPath) && matchesLock(lock, readOrNull(record));
  if (!byHand) await npmCi(root);
  writeFileSync(stampPath, digest);
}

async function npmCi(root) {
  say('Installing the packages that the lock file names; this takes a minute the first time.');
  const args = ['ci', '--no-audit', '--no-fund'];
  const npmScript = process.env.npm_execpath;
  // If npm started this script, the same npm is used. Windows runs npm.cmd only through a shell.
  const child = npmScript?.endsWith('.js')
    ? spawn(process.execPath, [npmScript, ...args], npmOptions(root))
    : spawn('npm', args, { ...npmOptions(root), shell: process.platform === 'win32' });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000);
      process.stderr.write(chunk);
    });
  const code = await new Promise((resolve, reject) => {
    child.on('error', () =>
      reject(new Refusal('npm cannot be started; install Node 20 or newer.')),
    );
    child.on('close', resolve);
  });
  if (code !== 0) throw new Refusal(explainNpmFailure(output, code));
  if (!existsSync(ownNode(root)))
    throw new Refusal(
      'The packages are installed but Node 24 is not among them; allow install scripts (npm config set ignore-scripts false) and run the command again.',
    );
}

function npmOptions(root) {
  return { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] };
}
