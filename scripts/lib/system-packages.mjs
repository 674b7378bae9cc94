import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Refusal, say } from './say.mjs';

const onPath = (...names) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => names.some((name) => existsSync(join(folder, name))));

const libraryFolders = () =>
  ['/usr/lib', '/usr/lib64', '/lib', '/usr/local/lib'].flatMap((folder) =>
    existsSync(folder)
      ? [
          folder,
          ...readdirSync(folder).flatMap((n) => (/-linux-/.test(n) ? [join(folder, n)] : [])),
        ]
      : [],
  );

/**
 * How the presence of each Debian package is seen. By what it brings and not by its name, so that
 * another vendor's browser or keychain does as well.
 */
const probes = {
  'libsecret-1-0': () => libraryFolders().some((f) => existsSync(join(f, 'libsecret-1.so.0'))),
  dbus: () => onPath('dbus-run-session', 'dbus-daemon', 'dbus-broker'),
  'gnome-keyring': () => onPath('gnome-keyring-daemon', 'kwalletd6', 'kwalletd5', 'keepassxc'),
  'chromium-headless-shell': () =>
    onPath('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'),
  xvfb: () => onPath('Xvfb'),
  // Outside the path, in a folder for each version; only elsewhere than in Debian on the path.
  postgresql: () =>
    onPath('initdb') ||
    (existsSync('/usr/lib/postgresql') &&
      readdirSync('/usr/lib/postgresql').some((version) =>
        existsSync(join('/usr/lib/postgresql', version, 'bin/initdb')),
      )),
  'fonts-liberation': () =>
    ['liberation', 'liberation2', 'liberation-fonts'].some((name) =>
      ['/usr/share/fonts/truetype', '/usr/share/fonts'].some((f) => existsSync(join(f, name))),
    ),
};

/** What the tests of the desktop shell look at a part of the system with, or over. */
const desktopProbes = {
  libnotify4: () => libraryFolders().some((f) => existsSync(join(f, 'libnotify.so.4'))),
  'libnss3-tools': () => onPath('certutil'),
};

const keychain = ['libsecret-1-0', 'dbus', 'gnome-keyring'];

/**
 * The Debian packages that a target needs.
 *
 * @param {string} target the script that will run
 * @param {readonly string[]} args its arguments
 * @param {boolean} hasKit whether an Electron kit runs the tests of the desktop shell
 * @returns {string[]}
 */
export function neededPackages(target, args, hasKit) {
  if (target === 'scripts/test.mjs')
    return Object.keys(hasKit ? { ...probes, ...desktopProbes } : probes);
  if (target !== 'main/start.ts' && target !== 'main/cli/desk.ts') return [];
  const vault = args.indexOf('--vault');
  const withoutKeychain = args.includes('--vault=passphrase') || args[vault + 1] === 'passphrase';
  return withoutKeychain || args.includes('--help') ? [] : keychain;
}

/**
 * How missing packages are installed.
 *
 * @param {{ missing: readonly string[], apt: boolean, root: boolean, sudo: boolean }} seen
 * @returns {string[]} the command's prefix
 * @throws {Refusal} with what to do instead
 */
export function installPrefix({ missing, apt, root, sudo }) {
  const names = missing.join(' ');
  if (!apt)
    throw new Refusal(
      `This system lacks ${names} (Debian's names); install them with its package manager and run the command again.`,
    );
  if (root) return [];
  if (sudo) return ['sudo', '-n'];
  throw new Refusal(`This system lacks ${names}; type: sudo apt-get install -y ${names}`);
}

/**
 * Installs the Debian packages that are missing for a target. Nothing happens on other systems.
 *
 * @param {string} target
 * @param {readonly string[]} args
 * @throws {Refusal} with one sentence when they cannot be had
 */
export function ensureSystemPackages(target, args) {
  if (process.platform !== 'linux') return;
  const all = { ...probes, ...desktopProbes };
  const hasKit = process.env.ELECTRON_KIT !== undefined;
  const missing = neededPackages(target, args, hasKit).filter((name) => !all[name]());
  if (missing.length === 0) return;
  const root = process.getuid?.() === 0;
  const sudo =
    !root && onPath('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  const prefix = installPrefix({ missing, apt: onPath('apt-get'), root, sudo });
  say(`Installing the system packages ${missing.join(' ')}.`);
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing];
  if (apt(prefix, install)) return;
  // A fresh machine has no package lists, an old one has stale ones.
  apt(prefix, ['apt-get', 'update']);
  if (apt(prefix, install)) return;
  throw new Refusal(
    `The system packages ${missing.join(' ')} cannot be installed; connect to the network, or type: sudo apt-get install -y ${missing.join(' ')}`,
  );
}

function apt(prefix, command) {
  const [program, ...args] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', ...command];
  return spawnSync(program, args, { stdio: ['ignore', 2, 2] }).status === 0;
}
