import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';
import { packagedCommand } from '#shared/desk/setup/command-name.ts';

/**
 * The arguments of the command line, if this is a start by `appraiser-desk-cli` (the launcher of
 * each package) or of an AppImage with `--cli`; null for a start of the window. Electron cannot be
 * started as plain Node, because that fuse is off.
 */
export function commandLineOf(argv: readonly string[]): readonly string[] | null {
  const at = argv.indexOf('--cli');
  const before = argv.slice(1, at);
  return at < 0 || before.some((arg) => !launcherSwitches.includes(arg))
    ? null
    : argv.slice(at + 1);
}

/** The only Chromium switches with which a package is started, by build/cli/linux and by AppRun. */
const launcherSwitches: readonly string[] = [
  '--ozone-platform=headless',
  '--disable-gpu',
  '--no-sandbox',
];
/**
 * These switches are refused: Chromium reads the whole command line, so they could be hidden in a
 * command's values.
 */
export const debuggingSwitches = ['remote-debugging-port', 'remote-debugging-pipe'];

/**
 * Runs the command line in this process without a window, and exits with its code.
 * @param entry the built command line, which is another shell and so not imported here
 */
export async function runCommandLine(args: readonly string[], entry: string): Promise<void> {
  if (debuggingSwitches.some((name) => app.commandLine.hasSwitch(name))) {
    process.stderr.write('The command line cannot be debugged over a port.\n');
    app.exit(2);
    return;
  }
  // The launcher of an AppImage does not set these switches. Chromium searches a display after this
  // script.
  if (process.platform === 'linux') {
    app.commandLine.appendSwitch('ozone-platform', 'headless');
    app.commandLine.appendSwitch('disable-gpu');
  }
  // The folder for Chromium's files is separate, because a desk with a window may be open at the
  // same time.
  const profile = mkdtempSync(join(tmpdir(), `${packagedCommand}-`));
  app.setPath('userData', profile);
  app.dock?.hide();
  // Electron handles the signals itself; the command line ends when it is interrupted.
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
