// Functions that scripts/package.mjs and scripts/try-package.mjs share around electron-builder.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the folder of the runtime that is packaged, if ELECTRON_OVERRIDE_DIST_PATH names one, and
 * the version of this runtime. Without this, the builder would take the version from the `electron`
 * package.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {{ electronDist?: string, electronVersion?: string }} settings of electron-builder
 */
export function runtimeInFolder({ ELECTRON_OVERRIDE_DIST_PATH: electronDist }) {
  if (!electronDist) return {};
  const electronVersion = readFileSync(join(electronDist, 'version'), 'utf8').trim();
  return { electronDist, electronVersion: electronVersion.replace(/^v/, '') };
}

/**
 * Returns the settings of electron-builder that the system decides. deb and rpm take the name of
 * their folder in /opt from `productName`. Chromium starts the SUID helper of its sandbox, which it
 * needs where a user may make no namespaces, by a command line that it splits at blanks, so the
 * desk would not start from a folder with one.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {NodeJS.Platform} platform
 * @param {readonly string[]} asked arguments of the user, which may name another system
 * @returns {{ electronDist?: string, electronVersion?: string, productName?: string }}
 */
export function settingsOf(env, platform, asked = []) {
  const isForOthers = asked.some((arg) => /^(?:-[mw]|--(?:mac|macos|win|windows))$/.test(arg));
  const isForLinux = platform === 'linux' && !isForOthers;
  return { ...runtimeInFolder(env), ...(isForLinux && { productName: 'AppraiserDesk' }) };
}

/**
 * Returns the arguments that deb and rpm need in addition to other packages: DESK_HOMEPAGE (an
 * address) and DESK_MAINTAINER (`Name <address>`). The project has neither of them and invents
 * none.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {NodeJS.Platform} platform
 * @param {readonly string[]} asked arguments of the user
 * @returns {{ args: string[], notice: string }} arguments of electron-builder, and what to print
 */
export function makerArguments(env, platform, asked) {
  const { DESK_HOMEPAGE: homepage = '', DESK_MAINTAINER: maintainer = '' } = env;
  if (homepage !== '' && maintainer !== '') {
    const args = [`-c.extraMetadata.homepage=${homepage}`, `-c.linux.maintainer=${maintainer}`];
    return { args, notice: '' };
  }
  if (platform !== 'linux' || asked.length > 0) return { args: [], notice: '' };
  return {
    args: ['--linux', 'AppImage', 'tar.gz'],
    notice:
      'No deb and no rpm is made: DESK_HOMEPAGE and DESK_MAINTAINER do not name who makes them; see docs/release.md.\n',
  };
}

/**
 * Removes empty variables from the environment. A workflow passes a missing secret as '', which on
 * macOS would be the path of a certificate. WIN_CSC_LINK stays, because electron-builder accepts ''
 * for it. Without WIN_CSC_LINK the builder would sign for Windows with CSC_LINK.
 *
 * @param {Record<string, string | undefined>} env
 */
export function dropEmptySecrets(env) {
  for (const name of Object.keys(env))
    if (/^(?:CSC|APPLE)_/.test(name) && env[name]?.trim() === '') Reflect.deleteProperty(env, name);
}

const network =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|EPROTO|[A-Z_]*CERT[A-Z_]*|Response code \d{3}|HTTPError|RequestError)\b[^\n]{0,120}/;

/**
 * Returns the advice to the user if a download of electron-builder failed.
 *
 * @param {string} trace the output of electron-builder from its first error on
 * @param {string} version the version of Electron
 * @returns {string | null} a sentence; null if something else went wrong
 */
export function fetchFailure(trace, version) {
  const reason = network.exec(trace)?.[0].replace(/\s*failedTask=.*/, '');
  if (reason === undefined) return null;
  return `Electron ${version} or a tool of the builder could not be fetched (${reason}). Nothing was packaged. Without a way to github.com set ELECTRON_MIRROR to an address of your own, or lay the runtime into a folder and add -c.electronDist=FOLDER; see docs/release.md.\n`;
}
