import { isIP } from 'node:net';
import { type Command, CommanderError, InvalidArgumentError } from 'commander';
import { UsageError } from '#shared/lib/usage-error.ts';

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

/** Text; an empty path would be the current folder, and an empty address every one. */
export function notEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** A whole number of a range. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** An http or https address. */
export function url(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new InvalidArgumentError('It must be an http or https address.');
  }
  return text;
}

/** Collects the addresses or networks of an option that may be given several times. */
export function addresses(text: string, before: readonly string[] = []): readonly string[] {
  const [ip = '', prefix] = text.split('/', 2);
  const bits = isIP(ip) === 4 ? 32 : 128;
  const isNetwork = prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= bits);
  if (isIP(ip) !== 0 && isNetwork) return [...before, text];
  throw new InvalidArgumentError('It must be an address or a network, like 10.0.0.0/8.');
}

const refusedAddress = 'desk.refusedAddress';

/**
 * Reads an address that may contain a password. The command line parser repeats a value in its
 * error message; this one does not.
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
