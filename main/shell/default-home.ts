import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { homeProblem } from '#shared/desk/errors.ts';

/** The parts of the system that say where a program keeps its data. */
export interface HomeSystem {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
}

/**
 * Where the desk keeps its data when nobody says: the convention of the operating system (XDG Base
 * Directory on Linux, Application Support on macOS, the local profile on Windows, because a
 * roaming one would copy databases).
 */
export function defaultHome(
  system: HomeSystem = { platform: process.platform, env: process.env, userHome: homedir() },
): string {
  const { platform, env, userHome } = system;
  if (platform === 'win32')
    return win32.join(
      env['LOCALAPPDATA'] ?? win32.join(userHome, 'AppData', 'Local'),
      'AppraiserDesk',
    );
  if (platform === 'darwin')
    return join(userHome, 'Library', 'Application Support', 'AppraiserDesk');
  const xdg = env['XDG_DATA_HOME'];
  // The XDG specification has relative paths ignored.
  const data = xdg?.startsWith('/') ? xdg : posix.join(userHome, '.local', 'share');
  return posix.join(data, 'appraiser-desk');
}

/**
 * Makes a folder for the desk's owner alone; it may exist.
 * @throws {DeskError} home_unwritable, disk_full
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw homeProblem(error);
  }
}
