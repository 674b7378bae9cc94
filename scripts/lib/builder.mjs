// What scripts/package.mjs and scripts/try-package.mjs do around electron-builder.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The runtime that is packaged if ELECTRON_OVERRIDE_DIST_PATH names the folder of one, with its version,
 * which the builder would take from the `electron` package.
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
 * Removes empty variables from the environment. A workflow passes a missing secret as '', which on
 * macOS would be the path of a certificate. WIN_CSC_LINK stays, because electron-builder accepts ''
 * there, and without it would sign for Windows with CSC_LINK.
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
 * The advice to the user if a download of electron-builder failed.
 *
 * @param {string} trace what it printed from its first error on
 * @param {string} version of Electron
 * @returns {string | null} a sentence; null if something else went wrong
 */
export function fetchFailure(trace, version) {
  const reason = network.exec(trace)?.[0].replace(/\s*failedTask=.*/, '');
  if (reason === undefined) return null;
  return `Electron ${version} or a tool of the builder could not be fetched (${reason}). Nothing was packaged. Without a way to github.com set ELECTRON_MIRROR to an address of your own, or lay the runtime into a folder and add -c.electronDist=FOLDER; see docs/release.md.\n`;
}
