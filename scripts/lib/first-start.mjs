import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Refusal } from './say.mjs';

/** @param {string} home the home whose decrypted copies must be removed */
const copies = (home) => join(home, 'opened');

/**
 * Starts a packaged desk in a separate home, waits for its window, and ends it as the system does at
 * a sign-out.
 *
 * @param {string} executable
 * @param {{ readyWithinMs: number, endWithinMs: number }} timeouts
 * @returns {Promise<string>} a sentence about the window
 * @throws {Refusal} the failure that a user would see
 */
export async function firstStart(executable, { readyWithinMs, endWithinMs }) {
  const home = mkdtempSync(join(tmpdir(), 'first-start-'));
  const leaveCopy = (name) => {
    const path = join(copies(home), name, 'report.pdf');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '%PDF-');
  };
  leaveCopy('of-a-crash');
  const args = ['--home', home, '--vault', 'passphrase', '--lang', 'en'];
  const env = { ...process.env, DESK_VAULT_PASSPHRASE: 'for a first start' };
  const child = spawn(executable, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const ended = once(child, 'close').catch((error) => [error.message]);
  try {
    if (!(await within(readyWithinMs, Promise.race([readyLine(child), ended.then(() => false)]))))
      throw new Refusal(`The packaged desk did not become ready. Its stderr: ${stderr.trim()}`);
    if (existsSync(copies(home))) throw new Refusal('A decrypted copy outlived the start.');
    const seen = windowOnScreen();
    leaveCopy('of-this-run');
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(child.pid)]);
    else child.kill('SIGTERM');
    const [code] = (await within(endWithinMs, ended)) || ['none, it had to be killed'];
    if (code !== 0) throw new Refusal(`The packaged desk ended with ${code}: ${stderr.trim()}`);
    if (existsSync(copies(home))) throw new Refusal('A decrypted copy outlived the end.');
    return seen;
  } finally {
    child.kill('SIGKILL');
    await ended;
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Resolves with true at the ready line, which the desk prints when its window is shown. It resolves
 * with false if the output ends before.
 */
async function readyLine(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{"event":"ready"')) continue;
    child.stdout.resume();
    return true;
  }
  return false;
}

/** Resolves as the promise does, or with false if the time is over first. */
async function within(ms, promise) {
  let timer;
  const over = new Promise((resolve) => (timer = setTimeout(resolve, ms, false)));
  return await Promise.race([promise, over]).finally(() => clearTimeout(timer));
}

/**
 * Looks for the window on the screen. Only X11 lets another program ask for it. On other systems
 * the main job's test asks Electron itself.
 */
function windowOnScreen() {
  const { env, platform } = process;
  if (platform !== 'linux' || env['WAYLAND_DISPLAY'] || !env['DISPLAY'])
    return 'its ready line came';
  const ask = (...args) => spawnSync('xwininfo', args, { encoding: 'utf8' });
  const { error, stdout } = ask('-root', '-tree');
  if (error) return 'its ready line came; xwininfo is not here';
  const ids = [...stdout.matchAll(/^ *(0x[0-9a-f]+) .*appraiser.desk/gim)].map(([, id]) => id);
  if (!ids.some((id) => ask('-id', id).stdout.includes('IsViewable')))
    throw new Refusal('X11 shows no window of the desk.');
  return 'X11 shows its window';
}
