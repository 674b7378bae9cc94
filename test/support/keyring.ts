import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endsWithTests } from './children.ts';

const run = promisify(execFile);
const password = 'practice';

/** This bus starts no service by itself, so that an ended keyring stays missing. */
const busConfig = (socket: string) => `<!DOCTYPE busconfig PUBLIC
  "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/** A separate D-Bus session with a real gnome-keyring, which the test locks, unlocks and ends. */
export interface Keyring {
  /** The environment in which a program finds this keyring and no other. */
  readonly env: Readonly<Record<string, string>>;
  lock(): Promise<void>;
  /** Unlocks the keyring with its password, in a new daemon that replaces the former one. */
  unlock(): Promise<void>;
  /** Stops the daemon from answering until `resume`, without ending it. */
  silence(): void;
  resume(): void;
  /** Ends the daemon. `unlock` starts another one with the same entries. */
  kill(): Promise<void>;
  end(): Promise<void>;
}

/** Starts the session and an unlocked, empty keyring. */
export async function startKeyring(): Promise<Keyring> {
  const dir = mkdtempSync(join(tmpdir(), 'keyring-'));
  const socket = join(dir, 'bus');
  writeFileSync(join(dir, 'bus.conf'), busConfig(socket));
  const env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}`, XDG_RUNTIME_DIR: dir };
  // No dialog can ask for a password, so a prompt is refused at once.
  const hidden = { ...process.env, ...env, DISPLAY: '', WAYLAND_DISPLAY: '', XDG_DATA_HOME: dir };
  const bus = start('dbus-daemon', [
    '--nofork',
    '--nopidfile',
    '--print-address',
    '--config-file',
    join(dir, 'bus.conf'),
  ]);
  let daemon: ChildProcess | null = null;
  // The bus listens once it has printed its address.
  await heard(bus, 'dbus-daemon');

  function start(program: string, args: readonly string[]): ChildProcess {
    return endsWithTests(spawn(program, args, { env: hidden, stdio: ['pipe', 'pipe', 'ignore'] }));
  }

  async function call(to: string, path: string, method: string, ...values: string[]) {
    const args = ['--session', '--print-reply', `--dest=${to}`, path, method, ...values];
    return (await run('dbus-send', args, { env: hidden })).stdout;
  }

  async function owner(): Promise<string> {
    const bus = 'org.freedesktop.DBus';
    const name = 'string:org.freedesktop.secrets';
    return call(bus, '/org/freedesktop/DBus', `${bus}.GetNameOwner`, name).catch(() => '');
  }

  async function unlock(): Promise<void> {
    const before = daemon;
    const ownerBefore = await owner();
    const gone =
      before && before.exitCode === null && before.signalCode === null && once(before, 'exit');
    daemon = start('gnome-keyring-daemon', [
      '--foreground',
      '--unlock',
      '--replace',
      '--components=secrets',
    ]);
    daemon.stdout?.resume();
    daemon.stdin?.end(password);
    if (gone) await gone;
    for (;;) {
      const now = await owner();
      if (now !== '' && now !== ownerBefore) return;
      if (daemon.exitCode !== null) throw new Error('gnome-keyring-daemon ended early');
    }
  }

  async function kill(): Promise<void> {
    if (daemon) await killed(daemon);
    daemon = null;
  }

  await unlock();
  return {
    env,
    unlock,
    kill,
    async lock() {
      const service = '/org/freedesktop/secrets';
      const login = `array:objpath:${service}/collection/login`;
      await call('org.freedesktop.secrets', service, 'org.freedesktop.Secret.Service.Lock', login);
    },
    silence: () => void daemon?.kill('SIGSTOP'),
    resume: () => void daemon?.kill('SIGCONT'),
    async end() {
      await kill();
      await killed(bus);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function heard(child: ChildProcess, name: string): Promise<void> {
  const failed = once(child, 'exit').then(() => {
    throw new Error(`${name} ended early`);
  });
  const missing = once(child, 'error').then(([error]) => {
    throw error as Error;
  });
  if (!child.stdout) throw new Error('the process has no pipes');
  await Promise.race([once(child.stdout, 'data'), failed, missing]);
  failed.catch(() => undefined);
  missing.catch(() => undefined);
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
