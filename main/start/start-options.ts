import { Command as Commander, CommanderError, InvalidArgumentError, Option } from 'commander';
import { type Language, languages } from '#shared/desk/workspace.ts';

/** What `npm start -- ...` can be told. */
export interface StartOptions {
  readonly shell: 'electron' | 'browser' | undefined;
  readonly home: string | undefined;
  /** 0 takes any free port. */
  readonly port: number;
  readonly open: boolean;
  readonly lang: Language | undefined;
  readonly vault: 'keychain' | 'passphrase' | undefined;
}

/**
 * Chromium's own, which the AppImage's launcher adds if the system lets nobody have user
 * namespaces of their own (decision 22).
 */
const noSandbox = '--no-sandbox';

/** What a system or an installer adds by itself, and what means nothing to the desk (decision 22). */
const addedByOthers: readonly RegExp[] = [
  // The NSIS installer, when it starts the desk after an update.
  /^--updated$/,
  // Windows, when somebody clicks a notification of a desk that has ended: by its COM server, or by
  // its shortcut with what Electron keeps in the notification.
  /^-Embedding$/i,
  /^type=(?:click|action|reply)(?:&\w+=\w*)*$/,
  // The Finder.
  /^-psn_\d+_\d+$/,
];

/**
 * Reads the arguments of the start. Those that come from nobody are passed over; if one makes
 * the desk less safe, that is said.
 *
 * @returns the options, or the exit code after help (0) or wrong usage (2) was said
 */
export function parseStartOptions(
  args: readonly string[],
  say: (text: string) => void,
): StartOptions | number {
  const program = new Commander('npm start --')
    .description('Appraiser Desk')
    .addOption(new Option('--shell <shell>').choices(['electron', 'browser']))
    .option('--home <dir>', 'where the desk keeps its data')
    .option('--port <number>', 'of the browser shell', portNumber, 0)
    .option('--no-open', 'do not open the browser')
    .addOption(new Option('--lang <language>').choices(languages))
    .addOption(new Option('--vault <kind>').choices(['keychain', 'passphrase']))
    .configureOutput({ writeOut: say, writeErr: say })
    .allowExcessArguments(false)
    .exitOverride();
  try {
    program.parse(
      args.filter((arg) => arg !== noSandbox && !addedByOthers.some((form) => form.test(arg))),
      { from: 'user' },
    );
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  if (args.includes(noSandbox))
    say(`${noSandbox}: this system allows no sandbox; a hostile document has one barrier less.`);
  return program.opts<StartOptions>();
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}
