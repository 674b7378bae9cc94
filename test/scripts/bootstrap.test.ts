import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endsWithTests } from '../support/children.ts';
import {
  explainNpmFailure,
  installationDigest,
  matchesLock,
} from '../../scripts/lib/node-modules.mjs';
import { dropEmptySecrets, fetchFailure, makerArguments } from '../../scripts/lib/builder.mjs';
import { installPrefix, neededPackages } from '../../scripts/lib/system-packages.mjs';
import { root, temporaryFolder } from '../support/processes.ts';

const lock = (packages: Record<string, { version?: string; optional?: boolean }>) =>
  JSON.stringify({ packages: { '': { version: '0.1.0' }, ...packages } });

describe('installationDigest', () => {
  const packageJson = '{"version":"1.0.0","dependencies":{"a":"1.0.0"}}';

  it('changes with the dependencies, the lock file and the machine, not with the version', () => {
    const digest = installationDigest(packageJson, 'lock', 'linux-x64');
    const newer = packageJson.replace('"version":"1.0.0"', '"version":"2.0.0"');
    expect(installationDigest(newer, 'lock', 'linux-x64')).toBe(digest);
    expect(installationDigest(packageJson, 'lock', 'linux-arm64')).not.toBe(digest);
    expect(installationDigest(packageJson, 'lock2', 'linux-x64')).not.toBe(digest);
    const other = packageJson.replace('"a":"1.0.0"', '"a":"1.0.1"');
    expect(installationDigest(other, 'lock', 'linux-x64')).not.toBe(digest);
  });
});

describe('matchesLock', () => {
  const wanted = lock({ a: { version: '1.0.0' }, b: { version: '2.0.0', optional: true } });

  it.each([
    ['no record', null, false],
    ['the same', lock({ a: { version: '1.0.0' }, b: { version: '2.0.0' } }), true],
    ['an optional package absent', lock({ a: { version: '1.0.0' } }), true],
    ['a package absent', lock({ b: { version: '2.0.0' } }), false],
    ['another version', lock({ a: { version: '1.0.1' } }), false],
    ['a package too many', lock({ a: { version: '1.0.0' }, c: { version: '1.0.0' } }), false],
  ])('%s', (_, record, expected) => {
    const withoutRoot = record?.replace('"":{"version":"0.1.0"},', '') ?? null;
    expect(matchesLock(wanted, withoutRoot)).toBe(expected);
  });
});

describe('explainNpmFailure', () => {
  it.each([
    ['npm error code EAI_AGAIN', /network/],
    ['npm error ENOSPC', /disk is full/],
    ['npm error EACCES', /cannot be written/],
    ['npm error code EUSAGE', /code 1/],
  ])('%s', (output, sentence) => {
    expect(explainNpmFailure(output, 1)).toMatch(sentence);
  });
});

describe('neededPackages', () => {
  it.each([
    ['main/service/server.ts', [], []],
    ['scripts/build.mjs', [], []],
    ['main/start.ts', ['--no-open'], ['libsecret-1-0', 'dbus', 'gnome-keyring']],
    ['main/cli/desk.ts', ['cases'], ['libsecret-1-0', 'dbus', 'gnome-keyring']],
    ['main/cli/desk.ts', ['--vault', 'passphrase', 'cases'], []],
    ['main/cli/desk.ts', ['--vault=passphrase'], []],
  ])('%s %j', (target, args, packages) => {
    expect(neededPackages(target, args, true)).toEqual(packages);
  });

  it('asks for a browser only if the tests run', () => {
    expect(neededPackages('scripts/test.mjs', [], false)).toContain('chromium-headless-shell');
  });

  it('asks for parts of a desktop only if the desktop shell is tested', () => {
    expect(neededPackages('scripts/test.mjs', [], false)).not.toContain('libnotify4');
    expect(neededPackages('scripts/test.mjs', [], true)).not.toContain('poppler-utils');
    expect(neededPackages('scripts/test.mjs', ['--long'], false)).toContain('poppler-utils');
    expect(neededPackages('scripts/test.mjs', [], true)).toContain('libnotify4');
  });
});

describe('installPrefix', () => {
  const missing = ['dbus', 'xvfb'];
  const seen = { missing, apt: true, root: false, sudo: false };

  it('installs as root, and through sudo if it asks no password', () => {
    expect(installPrefix({ ...seen, root: true })).toEqual([]);
    expect(installPrefix({ ...seen, sudo: true })).toEqual(['sudo', '-n']);
  });
  it('names the one command to type otherwise', () => {
    expect(() => installPrefix(seen)).toThrow(
      /^This system lacks dbus xvfb; type: sudo apt-get install -y dbus xvfb$/,
    );
  });
  it('names what is missing if there is no apt', () => {
    expect(() => installPrefix({ ...seen, apt: false })).toThrow(
      /lacks dbus xvfb .*package manager/,
    );
  });
});

describe('run.mjs', () => {
  it('hands arguments, output and exit code through', () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const script = join(folder.path, 'exits.mjs');
    writeFileSync(script, 'console.log(process.argv.slice(2).join("+")); process.exitCode = 7;');
    const run = spawnSync(
      process.execPath,
      [join(root, 'scripts/run.mjs'), relative(root, script), 'a', 'b c'],
      { encoding: 'utf8' },
    );
    expect([run.status, run.stdout]).toEqual([7, 'a+b c\n']);
  });

  it('stops with one sentence when npm cannot install', () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    mkdirSync(join(folder.path, 'scripts'));
    cpSync(join(root, 'scripts/run.mjs'), join(folder.path, 'scripts/run.mjs'));
    cpSync(join(root, 'scripts/lib'), join(folder.path, 'scripts/lib'), { recursive: true });
    writeFileSync(
      join(folder.path, 'package.json'),
      '{"name":"x","version":"1.0.0","dependencies":{"nothing-here":"1.0.0"}}',
    );
    writeFileSync(
      join(folder.path, 'package-lock.json'),
      JSON.stringify({
        name: 'x',
        version: '1.0.0',
        lockfileVersion: 3,
        packages: {
          '': { name: 'x', version: '1.0.0', dependencies: { 'nothing-here': '1.0.0' } },
          'node_modules/nothing-here': {
            version: '1.0.0',
            resolved: 'http://127.0.0.1:9/nothing-here.tgz',
          },
        },
      }),
    );
    const run = spawnSync(process.execPath, ['scripts/run.mjs', 'x.mjs'], {
      cwd: folder.path,
      encoding: 'utf8',
      env: {
        ...process.env,
        npm_config_registry: 'http://127.0.0.1:9/',
        npm_config_fetch_retries: '0',
        npm_config_cache: join(folder.path, 'cache'),
      },
    });
    expect(run.status).toBe(1);
    expect(run.stdout).toBe('');
    expect(run.stderr.trimEnd().split('\n').at(-1)).toMatch(/npm registry cannot be reached/);
  });

  /** The environment of a user's shell: the system's Node, which may be older than the project's. */
  const ownPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes('node_modules'))
    .join(delimiter);
  it.each([
    ['service', ['--port', '0', '--data'], 'listening'],
    ['start', ['--shell', 'browser', '--no-open', '--home'], 'ready'],
  ])('what npm run %s started ends when npm is told to end', async (script, args, event) => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const npm = endsWithTests(
      spawn('npm', ['run', '--silent', script, '--', ...args, join(folder.path, 'data')], {
        cwd: root,
        env: { ...process.env, PATH: ownPath },
        stdio: ['ignore', 'pipe', 'ignore'],
        // What npm does not end ends with its group.
        detached: true,
      }),
    );
    const lines = createInterface({ input: npm.stdout });
    expect(await once(lines, 'line')).toEqual([expect.stringContaining(`"event":"${event}"`)]);
    // The program has the pipe open as long as it runs, even after npm has died.
    const ended = once(npm.stdout, 'close');
    const exited = once(npm, 'exit');
    npm.kill('SIGTERM');
    await ended;
    expect(await exited).toHaveLength(2);
  });
});

describe('fetchFailure', () => {
  it('says in one sentence why nothing was fetched for a package, and where else it may come from', () => {
    const trace = [
      '  ⨯ connect ECONNREFUSED 127.0.0.1:9  failedTask=build stackTrace=RequestError: connect',
      '    at ClientRequest.<anonymous> (/node_modules/got/dist/source/core/index.js:970:111)',
    ].join('\n');
    const message = fetchFailure(trace, '45.4.1') ?? '';
    expect(message).toMatch(
      /^Electron 45\.4\.1 .*\(ECONNREFUSED 127\.0\.0\.1:9\)\. .*ELECTRON_MIRROR.*\n$/,
    );
    expect(message).not.toContain('    at ');
  });

  it('leaves every other failure as it is', () => {
    expect(fetchFailure('', '45.4.1')).toBeNull();
    expect(fetchFailure('  ⨯ Cannot find icon build/icon.ico', '45.4.1')).toBeNull();
  });
});

it('takes a secret that is not there for no path, and leaves the others', () => {
  const env = {
    CSC_LINK: '',
    CSC_KEY_PASSWORD: ' ',
    APPLE_API_KEY: '',
    APPLE_API_KEY_ID: 'A1',
    // Means "do not sign", and not "sign with CSC_LINK".
    WIN_CSC_LINK: '',
    PATH: '',
  };
  dropEmptySecrets(env);
  expect(env).toEqual({ APPLE_API_KEY_ID: 'A1', WIN_CSC_LINK: '', PATH: '' });
});

describe('makerArguments', () => {
  const maker = {
    DESK_HOMEPAGE: 'https://desk.example',
    DESK_MAINTAINER: 'Desk <desk@desk.example>',
  };

  it('names homepage and maintainer as the environment does', () => {
    const args = [
      '-c.extraMetadata.homepage=https://desk.example',
      '-c.linux.maintainer=Desk <desk@desk.example>',
    ];
    expect(makerArguments(maker, 'linux', [])).toEqual({ args, notice: '' });
    expect(makerArguments(maker, 'linux', ['--dir'])).toEqual({ args, notice: '' });
  });

  it.each([
    ['homepage', { DESK_MAINTAINER: maker.DESK_MAINTAINER, DESK_HOMEPAGE: '' }],
    ['maintainer', { DESK_HOMEPAGE: maker.DESK_HOMEPAGE }],
  ])('leaves deb and rpm out without a %s, and says so', (_, env) => {
    const { args, notice } = makerArguments(env, 'linux', []);
    expect(args).toEqual(['--linux', 'AppImage', 'tar.gz']);
    expect(notice).toContain('No deb and no rpm is made');
  });

  it('leaves other systems, and packages that are asked for, as they are', () => {
    const none = { args: [], notice: '' };
    expect(makerArguments({}, 'darwin', [])).toEqual(none);
    expect(makerArguments({}, 'linux', ['--linux', 'deb'])).toEqual(none);
  });
});
