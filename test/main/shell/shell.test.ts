import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { deskErrorCodes } from '#shared/desk/contract/errors.ts';
import { DeskSettings } from '#main/engine/home/settings.ts';
import type { DeskPolicy } from '#main/engine/policy-schema.ts';
import { languageAtStart } from '#main/shell/language.ts';
import { decideLanguage, languagesOfEnvironment } from '#shared/i18n/language.ts';
import { defaultHome } from '#main/shell/home.ts';
import { exitCodeOf } from '#main/shell/exit-codes.ts';
import { policyOptions } from '#main/shell/policy.ts';
import { createLog, createLogFile, logFileMaxBytes } from '#main/shell/log.ts';
import { root, temporaryFolder } from '../../support/processes.ts';

describe('defaultHome', () => {
  const linux = { platform: 'linux', env: {}, userHome: '/home/a' } as const;

  it('follows each system’s convention', () => {
    expect(defaultHome(linux)).toBe('/home/a/.local/share/appraiser-desk');
    expect(defaultHome({ ...linux, env: { XDG_DATA_HOME: '/data' } })).toBe('/data/appraiser-desk');
    expect(defaultHome({ ...linux, env: { XDG_DATA_HOME: 'data' } })).toBe(
      '/home/a/.local/share/appraiser-desk',
    );
    expect(defaultHome({ platform: 'darwin', env: {}, userHome: '/Users/a' })).toBe(
      '/Users/a/Library/Application Support/AppraiserDesk',
    );
    const windows = { platform: 'win32', env: {}, userHome: 'C:\\Users\\a' } as const;
    expect(defaultHome(windows)).toBe('C:\\Users\\a\\AppData\\Local\\AppraiserDesk');
    expect(defaultHome({ ...windows, env: { LOCALAPPDATA: 'D:\\L' } })).toBe(
      'D:\\L\\AppraiserDesk',
    );
  });
});

describe('the language of the desk', () => {
  it.each([
    [{}, 'de'],
    [{ LANG: 'C.UTF-8' }, 'de'],
    [{ LANG: 'fr_CH.UTF-8' }, 'fr'],
    [{ LANG: 'fr_CH.UTF-8', LC_ALL: 'it_CH' }, 'it'],
    [{ LANG: 'en_US', LC_ALL: '' }, 'en'],
    [{ LANG: 'rm_CH' }, 'de'],
  ])('of the environment %j is %s', (env, language) => {
    expect(decideLanguage({ system: languagesOfEnvironment(env) })).toBe(language);
  });

  it('is the argument’s, then the policy’s, the setting’s, the system’s, and German', () => {
    const sources = {
      argument: 'en',
      policy: 'fr',
      setting: 'it',
      system: ['rm-CH', 'en-GB', 'fr-CH'],
    } as const;
    const { argument: _argument, ...withoutArgument } = sources;
    const { policy: _policy, ...withoutPolicy } = withoutArgument;
    expect(decideLanguage(sources)).toBe('en');
    expect(decideLanguage(withoutArgument)).toBe('fr');
    expect(decideLanguage(withoutPolicy)).toBe('it');
    expect(decideLanguage({ ...withoutPolicy, setting: null })).toBe('en');
    expect(decideLanguage({ system: ['rm-CH'] })).toBe('de');
  });

  it('before an engine is open is the policy’s, else that of the home’s settings', () => {
    const { path: home, remove } = temporaryFolder();
    onTestFinished(remove);
    const at = (policy: DeskPolicy) =>
      languageAtStart({ home, argument: undefined, policy, system: ['fr-CH'] });
    expect(at({})).toBe('fr');
    new DeskSettings(home, {}).setLanguage('it');
    expect(at({})).toBe('it');
    expect(at({ language: 'en' })).toBe('en');
    writeFileSync(join(home, 'settings.json'), '{');
    expect(at({})).toBe('fr');
  });
});

describe('exitCodeOf', () => {
  it('gives every problem a code of interfaces', () => {
    for (const code of deskErrorCodes) expect([1, 2, 3, 4, 5, 6, 7]).toContain(exitCodeOf(code));
    expect(exitCodeOf('no_connection')).toBe(3);
    expect(exitCodeOf('home_in_use')).toBe(4);
    expect(exitCodeOf('keychain_unavailable')).toBe(5);
    expect(exitCodeOf('offline')).toBe(6);
    expect(exitCodeOf('internal')).toBe(1);
  });
});

const folder = temporaryFolder();
afterAll(folder.remove);
let files = 0;
const newFile = () => join(folder.path, `logs-${String((files += 1))}`, 'shell.log');

describe('a log file', () => {
  it('is its owner’s alone, and goes on where the last start ended', () => {
    const file = newFile();
    createLogFile(file).write('one\n');
    createLogFile(file).write('two\n');
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
  });

  it('stays within two files of the largest size, whatever is written', () => {
    const file = newFile();
    const line = `${'x'.repeat(99_999)}\n`;
    const log = createLogFile(file);
    for (let written = 0; written < 35; written += 1) log.write(line);
    const dir = join(file, '..');
    expect(readdirSync(dir).sort()).toEqual(['shell.1.log', 'shell.log']);
    expect(statSync(join(dir, 'shell.1.log')).size).toBe(logFileMaxBytes);
    expect(statSync(file).size).toBe(500_000);
    // Also if the file was full before this start.
    createLogFile(file).write('y'.repeat(logFileMaxBytes));
    expect(statSync(join(dir, 'shell.1.log')).size).toBe(500_000);
  });

  it('that cannot be written fails nothing', () => {
    const file = newFile();
    const log = createLogFile(file);
    log.write('stored\n');
    rmSync(join(file, '..'), { recursive: true });
    expect(() => log.write('lost\n')).not.toThrow();
    const nowhere = createLogFile(join(devNull, 'logs', 'shell.log'));
    expect(() => nowhere.write('lost\n')).not.toThrow();
    expect(existsSync(file)).toBe(false);
  });
});

describe('the desk’s log', () => {
  /** What a program with this log does whose stderr takes nothing, as Windows starts it from a menu. */
  function withoutStderr(file: string) {
    const stderr = openSync(devNull, 'r');
    const script = `
      import { createLog } from './main/shell/log.ts';
      const log = createLog(${JSON.stringify(file)});
      log.info('not wanted');
      log.warn({ reason: 'TypeError' }, 'one');
      log.error('two');
      process.stdout.write('still there');`;
    const { stdout, status } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', stderr] },
    );
    closeSync(stderr);
    return { stdout, status };
  }

  it('stays in its file, and ends nothing if there is no stderr', () => {
    const file = newFile();
    expect(withoutStderr(file)).toEqual({ stdout: 'still there', status: 0 });
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 40, reason: 'TypeError', msg: 'one' },
      { level: 50, msg: 'two' },
    ]);
  });

  it('has a level that can be set later, as the engine does', () => {
    const file = newFile();
    const log = createLog(file);
    log.level = 'debug';
    log.debug('said');
    expect(readFileSync(file, 'utf8')).toContain('said');
  });

  it('takes a correlation id only if a program made it, because a server may say anything', () => {
    const file = newFile();
    const shellLog = createLog(file);
    shellLog.level = 'info';
    const { onRequest } = policyOptions({}, shellLog);
    const id = '7c1f0a7e-7f0e-4b53-9f6c-0c9f0f3f2a11';
    const entry = { operation: 'X1', method: 'GET', status: 200, problem: null, durationMs: 12 };
    onRequest({ ...entry, correlationId: id });
    onRequest({ ...entry, correlationId: 'Frau-Muster' });
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 30, ...entry, correlationId: id },
      { level: 30, ...entry, correlationId: null },
    ]);
  });
});
