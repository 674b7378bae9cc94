import { Command } from 'commander';
import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import {
  address,
  addresses,
  database,
  notEmpty,
  parseCommand,
  url,
  wholeNumber,
  withOperating,
} from '#main/front/command-line.ts';
import { UsageError } from '#shared/lib/usage-error.ts';

/** The options of a command line, or what is said about it. */
function parse(command: Command, ...args: string[]) {
  const said: string[] = [];
  try {
    parseCommand(command, args, (text) => void said.push(text));
    return { options: command.opts<Record<string, unknown>>(), said };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { exitCode: error.exitCode, said };
  }
}

const operating = (...args: string[]) => parse(withOperating(new Command()), ...args);

describe('the options of every server', () => {
  test('have defaults', () => {
    expect(operating()).toEqual({ options: { drainSeconds: 0, logLevel: 'info' }, said: [] });
  });

  test.each([
    [['--status-port', '0'], { statusPort: 0 }],
    [['--status-port', '65535'], { statusPort: 65_535 }],
    [['--drain-seconds', '3'], { drainSeconds: 3 }],
    [['--log-level', 'error'], { logLevel: 'error' }],
    [['--log-level', 'warn'], { logLevel: 'warn' }],
    [['--log-file', 'a.log'], { logFile: 'a.log' }],
  ])('%j', (args, options) => {
    expect(operating(...args)).toMatchObject({ options });
  });

  test.each([
    [['--status-port', '65536'], 'It must be a whole number from 0 to 65535.'],
    [['--drain-seconds', '4'], 'It must be a whole number from 0 to 3.'],
    [['--drain-seconds', '-1'], 'It must be a whole number from 0 to 3.'],
    [['--log-level', 'debug'], 'Allowed choices are error, warn, info.'],
    [['--log-file', ' '], 'It must not be empty.'],
    [['--log-lvel', 'warn'], "error: unknown option '--log-lvel'"],
  ])('%j is wrong usage', (args, message) => {
    const { exitCode, said } = operating(...args);
    expect(exitCode).toBe(2);
    expect(said.join('')).toContain(message);
    expect(said.join('')).not.toContain('Did you mean');
  });

  test('are explained', () => {
    const { exitCode, said } = operating('--help');
    expect(exitCode).toBe(0);
    for (const name of ['--status-port', '--drain-seconds', '--log-level', '--log-file'])
      expect(said.join('').replaceAll(/\s+/g, ' ')).toContain(`Example: ${name}`);
  });
});

describe('a command line', () => {
  test('of a command within it ends and speaks as the outer one does', () => {
    const outer = () => {
      const command = new Command();
      command
        .command('inner')
        .option('--number <n>', '', wholeNumber(1))
        .action(() => undefined);
      return command;
    };
    expect(parse(outer(), 'inner', '--number', '2').said).toEqual([]);
    const wrong = parse(outer(), 'inner', '--number', '0');
    expect(wrong.exitCode).toBe(2);
    expect(wrong.said.join('')).toContain('whole number from 1');
    expect(parse(outer(), 'inner', '--help')).toMatchObject({ exitCode: 0 });
  });

  test('that fails within its action fails with its own error', () => {
    const command = new Command().action(() => {
      throw new RangeError('its own');
    });
    expect(() => parse(command)).toThrow(new RangeError('its own'));
  });

  test('with an address that may have a password does not repeat it', () => {
    const command = () =>
      new Command().option('--database <url>', '', address('--database <url>', database));
    const { exitCode, said } = parse(command(), '--database', 'mysql://user:hidden@host');
    expect(exitCode).toBe(2);
    expect(said).toEqual([
      "error: option '--database <url>' is invalid. It must be a postgres:// address.\n",
    ]);
    expect(parse(command(), '--database', 'postgres://host/a')).toMatchObject({
      options: { database: 'postgres://host/a' },
    });
  });

  test('with an address that fails without a reason says so much', () => {
    const command = new Command().option(
      '--a <url>',
      '',
      address('--a <url>', () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error
        throw 'hidden';
      }),
    );
    expect(parse(command, '--a', 'x').said).toEqual(["error: option '--a <url>' is invalid. \n"]);
  });
});

describe('a value', () => {
  test('that is a text is not empty', () => {
    expect(notEmpty(' a ')).toBe(' a ');
    for (const text of ['', ' ', '\t\n']) expect(() => notEmpty(text)).toThrow('must not be empty');
  });

  test('that is a whole number is within its range', () => {
    const parseNumber = wholeNumber(2, 30);
    expect(['2', '30', '007'].map(parseNumber)).toEqual([2, 30, 7]);
    for (const text of ['1', '31', '2.5', '1e1', ' 3', '3 ', '+3', '0x3', '', 'a3', '3a'])
      expect(() => parseNumber(text)).toThrow('It must be a whole number from 2 to 30.');
    expect(wholeNumber(0)(String(Number.MAX_SAFE_INTEGER))).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => wholeNumber(0)(`${Number.MAX_SAFE_INTEGER}0`)).toThrow('It must be');
  });

  test('that is an address is one of the web', () => {
    for (const text of ['http://a', 'https://a/b?c', 'HTTPS://A']) expect(url(text)).toBe(text);
    for (const text of ['', 'a', 'ftp://a', 'xhttp://a', 'httpsx://a', 'https://', 'mailto:a@b'])
      expect(() => url(text)).toThrow('It must be an http or https address.');
  });

  test('that is a database is one of PostgreSQL', () => {
    for (const text of ['postgres://a', 'postgresql:///b?host=c'])
      expect(database(text)).toBe(text);
    for (const text of ['', 'postgres:a', 'postgre://a', 'xpostgres://a', 'postgres://a:b:c'])
      expect(() => database(text)).toThrow(new TypeError('It must be a postgres:// address.'));
  });
});

describe('a proxy', () => {
  test.each(['10.0.0.5', '10.0.0.0/8', '1.2.3.4/32', '::1', 'fd00::/8', 'fd00::/128', 'fd00::/33'])(
    'is an address or a network: %s',
    (text) => {
      expect(addresses(text)).toEqual([text]);
      expect(addresses(text, ['::2'])).toEqual(['::2', text]);
      // The server takes it as well.
      expect(() => fastify({ trustProxy: [text] })).not.toThrow();
    },
  );

  test.each([
    '',
    '/',
    'proxy',
    '10.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/x',
    '10.0.0.0/8x',
    'fd00::/129',
    '/8',
    '10.0.0.0/0',
    '::/0',
    '10.0.0.0/8/9',
  ])('is not "%s"', (text) => {
    expect(() => addresses(text)).toThrow('It must be an address or a network, like 10.0.0.0/8.');
  });
});
