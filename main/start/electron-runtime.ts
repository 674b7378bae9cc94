import { spawnSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The parts of the system that decide whether the desktop shell can run here. */
export interface RuntimeSystem {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  /** The folder of the `electron` package; null if it is not installed. */
  readonly packageDir: string | null;
}

export type Runtime = { readonly path: string } | { readonly missing: string };

/**
 * Electron's executable, or the reason why no window can be opened here. The files of the package
 * are read, because loading the package would start a download.
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
/**
 * The timeout of the download. The runtime has about 120 MB; on a slower connection the wait would
 * be too long.
 */
const fetchWithinMs = 120_000;

/** The reason why no window can be opened here even with a runtime; null if there is none. */
function hindranceOf({ platform, env, isRoot }: RuntimeSystem): string | null {
  if (platform !== 'linux') return null;
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return 'there is no display';
  // Chromium's sandbox does not work for root, and the desk never runs without the sandbox.
  return isRoot ? 'it does not run as root' : null;
}

/**
 * Works like `findElectron`. If only the runtime is missing, it first tries to download it by the
 * package's own installation, which verifies the checksums.
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
    // The package is not installed in a production installation without the desktop shell.
  }
  return {
    platform: process.platform,
    env: process.env,
    isRoot: process.getuid?.() === 0,
    packageDir,
  };
}

/** Starts Electron in place of this program, and exits with its exit code. */
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
