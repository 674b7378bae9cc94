import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Whether this system allows Chromium's sandbox. The sandbox needs user namespaces for all users,
 * or Chromium's helper with setuid root. Both are tried, because settings of the kernel are not
 * reliable.
 * @param executable Electron's
 */
export function allowsSandbox(executable = process.execPath): boolean {
  return process.platform !== 'linux' || hasNamespaces() || hasHelper(dirname(executable));
}

/**
 * The test is the same as in the AppImage's launcher (util-linux, in the base of every
 * distribution).
 */
function hasNamespaces(): boolean {
  return (
    spawnSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore' }).status === 0
  );
}

function hasHelper(runtimeDir: string): boolean {
  // An AppImage is mounted without setuid. Its runtime sets this variable.
  if (process.env['APPIMAGE']) return false;
  const helper = statSync(join(runtimeDir, 'chrome-sandbox'), { throwIfNoEntry: false });
  return helper?.uid === 0 && (helper.mode & 0o4111) === 0o4111;
}
