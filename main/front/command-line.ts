import { isIP } from 'node:net';
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '#shared/lib/usage-error.ts';

// They are here and not beside the log, so that a help text does not load the log's library.
export const logLevels = ['error', 'warn', 'info'] as const;

export interface LogOptions {
  readonly logLevel: (typeof logLevels)[number];
  /** The file that replaces stderr. */
  readonly logFile: string | undefined;
}

/**
 * Parses a command line.
 * @param print writes help and error messages for the user.
 * @throws {UsageError} exit code 2 for a wrong option, 0 after --help.
 */
export function parseCommand(
  command: Command,
  args: readonly string[],
  print: (text: string) => void,
): void {
  for (const each of [command, ...command.commands]) {
    each
      .showSuggestionAfterError(false)
      .exitOverride()
      .configureOutput({ writeOut: print, writeErr: print });
  }
  try {
    command.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === refusedAddress) print(`${error.message}\n`);
    throw new UsageError(error.message, error.exitCode === 0 ? 0 : 2);
  }
}

/**
 * Requires a text, because an empty path would mean the current folder, and an empty address every
 * address.
 */
export function notEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** Parses a whole number within a range. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** Parses an http or https address. */
export function url(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new InvalidArgumentError('It must be an http or https address.');
  }
  return text;
}

/** Collects the addresses or networks of an option that may be given several times. */
export function addresses(text: string, before: readonly string[] = []): readonly string[] {
  const [, ip = '', prefix = '1'] = /^([^/]*)(?:\/(\d+))?$/.exec(text) ?? [];
  const bits = Number(prefix);
  // A network of all addresses is none: everybody would be a proxy.
  const isNetwork = bits >= 1 && bits <= (isIP(ip) === 4 ? 32 : 128);
  if (isIP(ip) !== 0 && isNetwork) return [...before, text];
  throw new InvalidArgumentError('It must be an address or a network, like 10.0.0.0/8.');
}

/** The options of every server for those who run it. */
export interface OperatingOptions extends LogOptions {
  /** The port for /health and /metrics. */
  readonly statusPort: number | undefined;
  /** The time from SIGTERM in which the server still takes requests. */
  readonly drainSeconds: number;
}

/** Adds the options of `OperatingOptions`. */
export function withOperating(command: Command): Command {
  return command
    .option(
      '--status-port <n>',
      'Port for /health, /ready, /live and /metrics; without it /metrics answers this machine alone. Example: --status-port 9464',
      wholeNumber(0, 65_535),
    )
    .option(
      '--drain-seconds <n>',
      'After SIGTERM, how long requests are still taken while /ready answers 503, for a proxy that has to notice; 0 to 3. Example: --drain-seconds 1',
      wholeNumber(0, 3),
      0,
    )
    .addOption(
      new Option(
        '--log-level <level>',
        'What is logged: info has a line for each answer. Example: --log-level warn',
      )
        .choices(logLevels)
        .default('info'),
    )
    .option(
      '--log-file <file>',
      'Log into this file instead of stderr; SIGHUP opens it again after it was rotated. Example: --log-file /var/log/appraiser/service.log',
      notEmpty,
    );
}

const refusedAddress = 'desk.refusedAddress';

/**
 * Parses an address that may contain a password. The command line parser would repeat the value in
 * its error message; this function does not.
 */
export function address<T>(option: string, parse: (text: string) => T) {
  return (text: string): T => {
    try {
      return parse(text);
    } catch (error) {
      const why = error instanceof Error ? error.message : '';
      throw new CommanderError(2, refusedAddress, `error: option '${option}' is invalid. ${why}`);
    }
  };
}

export function database(text: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text)) {
    throw new TypeError('It must be a postgres:// address.');
  }
  return text;
}
