import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';
import { packagedCommand } from '#shared/desk/command-name.ts';

/**
 * What `appraiser-desk-cli`, the launcher of each package, hands over, or an AppImage that is started
 * with `--cli`; null for a start of the window. Electron cannot be started as plain Node, because
 * that fuse is off.
 */
export function commandLineOf(argv: readonly string[]): readonly string[] | null {
  const at = argv.indexOf('--cli');
  const before = argv.slice(1, at);
  return at < 0 || before.some((arg) => !launcherSwitches.includes(arg))
    ? null
    : argv.slice(at + 1);
}

/** The only switches of Chromium's that a package is started with: by build/cli/linux, and by AppRun. */
const launcherSwitches: readonly string[] = [
  '--ozone-platform=headless',
  '--disable-gpu',
  '--no-sandbox',
];
/** Chromium reads the whole command line, so these could hide among the command's values. */
export const debuggingSwitches = ['remote-debugging-port', 'remote-debugging-pipe'];

/**
 * Runs the command line in this process, without a window, and ends with its exit code.
 * @param entry the built command line: another shell, so no part of this one
 */
export async function runCommandLine(args: readonly string[], entry: string): Promise<void> {
  if (debuggingSwitches.some((name) => app.commandLine.hasSwitch(name))) {
    process.stderr.write('The command line cannot be debugged over a port.\n');
    app.exit(2);
    return;
  }
  // An AppImage's launcher gives none of these. Chromium looks for a display after this script.
  if (process.platform === 'linux') {
    app.commandLine.appendSwitch('ozone-platform', 'headless');
    app.commandLine.appendSwitch('disable-gpu');
  }
  // Chromium's own files; a desk with a window may be open next to this one.
  const profile = mkdtempSync(join(tmpdir(), `${packagedCommand}-`));
  app.setPath('userData', profile);
  app.dock?.hide();
  // Electron takes the signals for itself; the command line ends at the interruption.
  app.on('before-quit', (event) => {
    event.preventDefault();
    process.emit('SIGINT');
  });
  process.argv = [process.execPath, packagedCommand, ...args];
  try {
    await import(pathToFileURL(entry).href);
  } catch {
    process.stderr.write('The command line could not be run. Install the desk again.\n');
    process.exitCode = 1;
  }
  await Promise.all([process.stdout, process.stderr].map(flushed));
  rmSync(profile, { recursive: true, force: true });
  app.exit(Number(process.exitCode ?? 0));
}

const flushed = (stream: NodeJS.WriteStream) =>
  new Promise<void>((resolve) => {
    stream.write('', () => resolve());
  });
