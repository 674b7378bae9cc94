/**
 * Runs a program of the project on a machine with only Node 20: installs what is missing, then
 * starts the program on Node 24. `node scripts/run.mjs TARGET args...`
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { heapFlags } from './lib/heap-flags.mjs';
import { ensureNodeModules, ownNode } from './lib/node-modules.mjs';
import { Refusal, say } from './lib/say.mjs';
import { ensureSystemPackages } from './lib/system-packages.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [target, ...args] = process.argv.slice(2);

const major = () => Number(process.versions.node.split('.')[0]);

/**
 * Ends a program together with the npm that started it. npm dies of SIGTERM without passing it on,
 * and the program would lock its home or data folder permanently. The system notifies a process only
 * of the death of its children, so the parent is checked twice a second.
 */
function endWithNpm(end) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, 500);
  timer.unref();
}

/** Ends with the child's exit code, and passes signals on to it. */
function runOnOwnNode(script) {
  const compileCache = new URL('./lib/compile-cache.mjs', import.meta.url).href;
  const flags = ['--import', compileCache, ...heapFlags(target)];
  const child = spawn(ownNode(root), [...flags, script, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.on(signal, () => {
      // Ctrl+C in a terminal reaches the child without this.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  endWithNpm(() => child.kill('SIGTERM'));
  child.on('error', (error) => {
    say(`Node 24 of this project cannot be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
  });
}

try {
  if (major() < 20) throw new Refusal('Appraiser Desk needs Node 20 or newer.');
  if (target === undefined) throw new Refusal('Usage: node scripts/run.mjs TARGET [arguments]');
  // Both run at the same time, because they wait for the network most of the time.
  const installed = await Promise.allSettled([
    ensureNodeModules(root),
    ensureSystemPackages(target, args),
  ]);
  for (const each of installed) if (each.status === 'rejected') throw each.reason;
  const script = join(root, target);
  if (major() >= 24) {
    process.argv = [process.execPath, script, ...args];
    await import('./lib/compile-cache.mjs');
    endWithNpm(() => process.kill(process.pid, 'SIGTERM'));
    await import(pathToFileURL(script).href);
  } else {
    runOnOwnNode(script);
  }
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  say(error.message);
  process.exitCode = 1;
}
