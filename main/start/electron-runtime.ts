import { spawnSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What decides whether the desktop shell can run here. */
export interface RuntimeSystem {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  /** Folder of the `electron` package, null if it is not installed. */
  readonly packageDir: string | null;
}

export type Runtime = { readonly path: string } | { readonly missing: string };

/**
 * Electron's executable, or why there is none that could open a window here. The package is asked
 * by its files, because loading it would start a download.
 */
export function findElectron(system: RuntimeSystem = thisSystem()): Runtime {
  const installed = installedElectron(system);
  const hindrance = hindranceOf(system);
  return 'missing' in installed || hindrance === null ? installed : { missing: hindrance };
}

/** Electron's executable, even if this user cannot open a window with it. */
export function installedElectron({ platform, env, packageDir } = thisSystem()): Runtime {
  const path = executable(env['ELECTRON_OVERRIDE_DIST_PATH'], packageDir, platform);
  return path === null ? { missing: notInstalled } : { path };
}

const notInstalled = 'its runtime is not installed';
/** The runtime has some 120 MB; a line that cannot bring them in this time is not worth the wait. */
const fetchWithinMs = 120_000;

/** What keeps a window from opening here even with a runtime. */
function hindranceOf({ platform, env, isRoot }: RuntimeSystem): string | null {
  if (platform !== 'linux') return null;
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return 'there is no display';
  // Chromium's sandbox does not work for root, and the desk never runs without it.
  return isRoot ? 'it does not run as root' : null;
}

/**
 * As `findElectron`, after an attempt to fetch the runtime if only that is missing: the package's
 * own installation, which checks what it brings against its checksums.
 */
export function fetchElectron(system: RuntimeSystem = thisSystem()): Runtime {
  const found = findElectron(system);
  const { env, packageDir } = system;
  const isFetchable =
    'missing' in found && packageDir !== null && !env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (!isFetchable || hindranceOf(system) !== null) return found;
  const { status } = spawnSync(process.execPath, [join(packageDir, 'install.js')], {
    stdio: 'ignore',
    timeout: fetchWithinMs,
  });
  return status === 0 ? findElectron(system) : { missing: 'its runtime could not be fetched' };
}

function executable(
  override: string | undefined,
  packageDir: string | null,
  platform: NodeJS.Platform,
): string | null {
  const name =
    platform === 'win32'
      ? 'electron.exe'
      : platform === 'darwin'
        ? 'Electron.app/Contents/MacOS/Electron'
        : 'electron';
  if (override) {
    const path = join(override, name);
    return existsSync(path) ? path : null;
  }
  if (packageDir === null) return null;
  const pathFile = join(packageDir, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const path = join(packageDir, 'dist', readFileSync(pathFile, 'utf8').trim());
  return existsSync(path) ? path : null;
}

function thisSystem(): RuntimeSystem {
  let packageDir: string | null = null;
  try {
    packageDir = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    // Not installed: a production installation without the desktop shell.
  }
  return {
    platform: process.platform,
    env: process.env,
    isRoot: process.getuid?.() === 0,
    packageDir,
  };
}

/** Hands over to Electron and ends as it ends. */
export function runElectron(
  executable: string,
  root: string,
  args: readonly string[],
  passphrase: string | undefined,
): void {
  const env = { ...process.env, ...(passphrase && { DESK_VAULT_PASSPHRASE: passphrase }) };
  const child = spawn(executable, [root, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', () => (process.exitCode = 1));
  child.on('exit', (code) => (process.exitCode = code ?? 1));
}
