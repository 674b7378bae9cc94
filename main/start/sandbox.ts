import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Whether this system allows Chromium's sandbox: it needs user namespaces for everyone, or Chromium's
 * helper, which is root's and setuid. Both are tried, not concluded from settings of the kernel.
 *
 * @param executable Electron's
 */
export function allowsSandbox(executable = process.execPath): boolean {
  return process.platform !== 'linux' || hasNamespaces() || hasHelper(dirname(executable));
}

/** As the AppImage's launcher tries it (util-linux, in every distribution's base). */
function hasNamespaces(): boolean {
  return (
    spawnSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore' }).status === 0
  );
}

function hasHelper(runtimeDir: string): boolean {
  // An AppImage is mounted without setuid; its runtime sets this variable.
  if (process.env['APPIMAGE']) return false;
  const helper = statSync(join(runtimeDir, 'chrome-sandbox'), { throwIfNoEntry: false });
  return helper?.uid === 0 && (helper.mode & 0o4111) === 0o4111;
}
