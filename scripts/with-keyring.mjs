/**
 * Runs a command with a keychain and a separate temporary folder. The folder is in memory if that
 * is possible and TMPDIR names no other place:
 *
 *     node scripts/with-keyring.mjs COMMAND [ARGUMENT...]
 *
 * On Linux the script starts a private D-Bus session with a real gnome-keyring, unlocked and empty.
 * The user's keyring is not touched. On macOS and Windows the system's keychain is always
 * available. The temporary folder is removed at the end. Signals are passed to the command, and its
 * exit code is returned.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { memoryFolder } from './lib/memory-folder.mjs';

const [command, ...args] = process.argv.slice(2);
if (!command) fail('usage: node scripts/with-keyring.mjs COMMAND [ARGUMENT...]', 2);

const daemons = [];
let isEnding = false;
const parent = (process.env.TMPDIR === undefined ? memoryFolder() : null) ?? tmpdir();
const home = process.platform === 'linux' ? mkdtempSync(join(parent, 'keyring-')) : null;
const temporary = mkdtempSync(join(parent, 'tests-'));
// PostgreSQL does not run as root, and must reach its folder within the temporary one.
chmodSync(temporary, 0o711);
process.on('exit', () => {
  for (const daemon of daemons) daemon.kill('SIGKILL');
  if (home) rmSync(home, { recursive: true, force: true });
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
});

const env = {
  ...(home ? await startKeyring(home) : process.env),
  TMPDIR: temporary,
  TEMP: temporary,
  TMP: temporary,
};
const child = spawn(command, args, {
  env,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => fail(`${command} could not be started: ${error.message}`, 127));
child.on('exit', (code, signal) => {
  // A shell reports this exit code: 128 plus the number of the signal.
  void end(code ?? 128 + (constants.signals[signal] ?? 0));
});

/** Waits until the daemons have ended, so that none is left for the next run. */
async function end(code) {
  isEnding = true;
  for (const daemon of daemons.reverse()) {
    const gone = once(daemon, 'exit');
    if (daemon.exitCode === null && daemon.signalCode === null) {
      daemon.kill('SIGTERM');
      await Promise.race([gone, delay(2_000)]);
    }
  }
  process.exit(code);
}

/** @returns the environment with the keyring's address */
async function startKeyring(dir) {
  const address = `unix:path=${join(dir, 'bus')}`;
  const inside = {
    ...process.env,
    DBUS_SESSION_BUS_ADDRESS: address,
    XDG_DATA_HOME: dir,
    XDG_RUNTIME_DIR: dir,
    // Without a display no dialog can ask for a password and wait without limit.
    DISPLAY: '',
    WAYLAND_DISPLAY: '',
  };
  start('dbus-daemon', ['--session', '--nofork', '--nopidfile', `--address=${address}`], inside);
  await until('the D-Bus session', () => call(inside, 'ListNames').status === 0);
  const keyring = start(
    'gnome-keyring-daemon',
    ['--foreground', '--unlock', '--components=secrets'],
    inside,
  );
  keyring.stdin.end('practice');
  await until('the keyring', () => {
    const answer = call(inside, 'NameHasOwner', 'string:org.freedesktop.secrets');
    return answer.stdout?.includes('boolean true') ?? false;
  });
  return { ...process.env, DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: dir };
}

function start(program, programArgs, environment) {
  const daemon = spawn(program, programArgs, {
    env: environment,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  daemon.on('error', () =>
    fail(`${program} is missing; on Debian: apt-get install dbus gnome-keyring libsecret-1-0`, 127),
  );
  daemon.on('exit', (code) => {
    if (!isEnding) fail(`${program} ended early (${code})`, 1);
  });
  daemons.push(daemon);
  return daemon;
}

function call(environment, method, ...values) {
  const bus = ['--dest=org.freedesktop.DBus', '/org/freedesktop/DBus'];
  return spawnSync(
    'dbus-send',
    ['--session', '--print-reply', ...bus, `org.freedesktop.DBus.${method}`, ...values],
    { env: environment, encoding: 'utf8' },
  );
}

async function until(what, isThere) {
  for (let tries = 0; tries < 100; tries++) {
    if (isThere()) return;
    await delay(50);
  }
  fail(`${what} did not start within 5 seconds`, 1);
}

function fail(sentence, code) {
  process.stderr.write(`with-keyring: ${sentence}\n`);
  process.exit(code);
}
