import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Refusal, say } from './say.mjs';

/** Whether one of these programs is on the path. */
export const onPath = (...names) =>
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
 * The check for the presence of each Debian package. It looks for what a package contains and not
 * for its name, so that another vendor's browser or keychain is also accepted.
 */
const probes = {
  'libsecret-1-0': () => libraryFolders().some((f) => existsSync(join(f, 'libsecret-1.so.0'))),
  dbus: () => onPath('dbus-run-session', 'dbus-daemon', 'dbus-broker'),
  'gnome-keyring': () => onPath('gnome-keyring-daemon', 'kwalletd6', 'kwalletd5', 'keepassxc'),
  'chromium-headless-shell': () =>
    onPath('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'),
  xvfb: () => onPath('Xvfb'),
  // Debian installs it outside of the path, in a folder for each version. Other systems have it on
  // the path.
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

/** The packages with which the tests of the desktop shell check or use a part of the system. */
const desktopProbes = {
  libnotify4: () => libraryFolders().some((f) => existsSync(join(f, 'libnotify.so.4'))),
  'libnss3-tools': () => onPath('certutil'),
};

/**
 * The readers with which the long tests compare ours, and the programs that make files for them.
 */
const readerProbes = {
  'poppler-utils': () => onPath('pdftoppm'),
  unzip: () => onPath('unzip'),
  'libtiff-tools': () => onPath('tiffcp'),
  'libheif-examples': () => onPath('heif-enc'),
  'libjpeg-turbo-progs': () => onPath('djpeg'),
  pngcheck: () => onPath('pngcheck'),
  webp: () => onPath('dwebp'),
  'createrepo-c': () => onPath('createrepo_c'),
  rpm: () => onPath('rpmbuild'),
  dnf: () => onPath('dnf'),
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
    return Object.keys({
      ...probes,
      ...(hasKit ? desktopProbes : {}),
      ...(args[0] === '--long' ? readerProbes : {}),
    });
  if (target !== 'main/start.ts' && target !== 'main/cli/desk.ts') return [];
  const vault = args.indexOf('--vault');
  const withoutKeychain = args.includes('--vault=passphrase') || args[vault + 1] === 'passphrase';
  return withoutKeychain || args.includes('--help') ? [] : keychain;
}

/**
 * Returns the command that installs missing packages.
 *
 * @param {{ missing: readonly string[], apt: boolean, root: boolean, sudo: boolean }} seen
 * @returns {string[]} the command's prefix
 * @throws {Refusal} with a sentence about what to do instead
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
 * Installs the Debian packages that are missing for a target. It does nothing on other systems.
 *
 * @param {string} target
 * @param {readonly string[]} args
 * @throws {Refusal} with one sentence if they cannot be installed
 */
export async function ensureSystemPackages(target, args) {
  if (process.platform !== 'linux') return;
  const all = { ...probes, ...desktopProbes, ...readerProbes };
  const hasKit = process.env.ELECTRON_KIT !== undefined;
  const missing = neededPackages(target, args, hasKit).filter((name) => !all[name]());
  if (missing.length === 0) return;
  const root = process.getuid?.() === 0;
  const sudo =
    !root && onPath('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  const prefix = installPrefix({ missing, apt: onPath('apt-get'), root, sudo });
  say(`Installing the system packages ${missing.join(' ')}.`);
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing];
  if (await apt(prefix, install)) return;
  // A fresh machine has no package lists, and an old machine has outdated ones.
  await apt(prefix, ['apt-get', 'update']);
  if (await apt(prefix, install)) return;
  throw new Refusal(
    `The system packages ${missing.join(' ')} cannot be installed; connect to the network, or type: sudo apt-get install -y ${missing.join(' ')}`,
  );
}

/** @returns {Promise<boolean>} whether the command succeeded */
function apt(prefix, command) {
  const [program, ...args] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', ...command];
  const child = spawn(program, args, { stdio: ['ignore', 2, 2] });
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
}
