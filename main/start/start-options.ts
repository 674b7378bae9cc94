import { Command as Commander, CommanderError, InvalidArgumentError, Option } from 'commander';
import { startTexts } from '#shared/i18n/catalogue.ts';
import { type Language, languages } from '#shared/i18n/language.ts';

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

/** Why a start with these arguments does nothing but say so. */
export type StartRefusal =
  /** Help was asked for and written. */
  | { readonly because: 'help' }
  | { readonly because: 'argument'; readonly argument: string }
  | { readonly because: 'sandbox-is-allowed' };

/** What was read of the arguments. */
export interface StartArguments {
  readonly options: StartOptions;
  /** The launcher of an AppImage found that this system allows no sandbox. */
  readonly isWithoutSandbox: boolean;
}

/**
 * Reads the arguments of the start. Those that come from nobody are passed over.
 *
 * @param writeHelp takes the help, if that is what was asked for
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
    // The refusal is in the user's language; the parser speaks English only.
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

/** `--colour` of an unknown option, `--port 70000` of a wrong value, else the first operand. */
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
