import { Command as Commander, CommanderError, InvalidArgumentError, Option } from 'commander';
import { startTexts } from '#shared/i18n/catalogue.ts';
import { type Language, languages } from '#shared/i18n/language.ts';

/** The options of `npm start -- ...`. */
export interface StartOptions {
  readonly shell: 'electron' | 'browser' | undefined;
  readonly home: string | undefined;
  /** The port; 0 means any free one. */
  readonly port: number;
  readonly open: boolean;
  readonly lang: Language | undefined;
  readonly vault: 'keychain' | 'passphrase' | undefined;
}

/**
 * The switch of Chromium that the AppImage's launcher adds if the system allows no user namespaces
 * (decision 22).
 */
const noSandbox = '--no-sandbox';

/** The arguments that a system or an installer adds and that the desk ignores (decision 22). */
const addedByOthers: readonly RegExp[] = [
  // The NSIS installer adds it when it starts the desk after an update.
  /^--updated$/,
  // Windows adds it if the user clicks a notification of a desk that has ended, by its COM server
  // or by its shortcut.
  /^-Embedding$/i,
  /^type=(?:click|action|reply)(?:&\w+=\w*)*$/,
  // The Finder adds it.
  /^-psn_\d+_\d+$/,
];

/** The reason why a start with these arguments only shows a message. */
export type StartRefusal =
  /** The help was requested and written. */
  | { readonly because: 'help' }
  | { readonly because: 'argument'; readonly argument: string }
  | { readonly because: 'sandbox-is-allowed' };

/** The parsed arguments. */
export interface StartArguments {
  readonly options: StartOptions;
  /** The launcher of an AppImage found that this system allows no sandbox. */
  readonly isWithoutSandbox: boolean;
}

/**
 * Parses the arguments of the start. Arguments that a system adds are ignored.
 * @param writeHelp receives the help, if it was requested
 * @param allowsSandbox whether this system allows Chromium's sandbox
 */
export function parseStartOptions(
  args: readonly string[],
  writeHelp: (text: string) => void,
  allowsSandbox: () => boolean,
): StartArguments | StartRefusal {
  const program = new Commander('npm start --')
    .description('Appraiser Desk')
    .addOption(new Option('--shell <shell>').choices(['electron', 'browser']))
    .option('--home <dir>', 'where the desk keeps its data')
    .option('--port <number>', 'of the browser shell', portNumber, 0)
    .option('--no-open', 'do not open the browser')
    .addOption(new Option('--lang <language>').choices(languages))
    .addOption(new Option('--vault <kind>').choices(['keychain', 'passphrase']))
    // The refusal is shown in the user's language, but the parser has only English messages.
    .configureOutput({ writeOut: writeHelp, writeErr: () => undefined })
    .allowExcessArguments(false)
    .exitOverride();
  try {
    program.parse(
      args.filter((arg) => arg !== noSandbox && !addedByOthers.some((form) => form.test(arg))),
      { from: 'user' },
    );
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { because: 'help' };
    return { because: 'argument', argument: refusedArgument(error, program.args) };
  }
  const isWithoutSandbox = args.includes(noSandbox);
  if (isWithoutSandbox && allowsSandbox()) return { because: 'sandbox-is-allowed' };
  return { options: program.opts<StartOptions>(), isWithoutSandbox };
}

/**
 * The refused argument: `--colour` of an unknown option, `--port 70000` of a wrong value, else the
 * first operand.
 */
function refusedArgument({ message, code }: CommanderError, operands: readonly string[]): string {
  if (code === 'commander.excessArguments') return operands[0] ?? '';
  const [option = '', value] = [...message.matchAll(/'([^']*)'/g)].map(([, quoted]) => quoted);
  const [name = ''] = option.split(' ');
  return value === undefined ? name : `${name} ${value}`;
}

/** The refusal as a sentence of the user's language. */
export function sayRefusal(
  refusal: Exclude<StartRefusal, { because: 'help' }>,
  language: Language,
): string {
  const texts = startTexts[language];
  return refusal.because === 'argument'
    ? texts.wrongUsage(refusal.argument)
    : texts.sandboxIsAllowed;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}
