import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Arch, build, Platform } from 'electron-builder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runtimeInFolder } from '../../scripts/lib/builder.mjs';
import { root, serviceFolder, type RunningService } from '../support/processes.ts';

// The deb and the tar.gz of a real runtime, installed as an administrator does it and started as an
// ordinary user does. This changes the machine, so only root of a machine without the desk runs it.

const installed = '/opt/Appraiser Desk';
const menuEntry = '/usr/share/applications/appraiser-desk.desktop';
const icons = '/usr/share/icons/hicolor';
const buildsWithinMs = 600_000;
const user = 'desk-installed';
/** Of Debian's p7zip-full. */
const sevenZip = '/usr/bin/7za';

const succeeds = (program: string, ...args: string[]) =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** Why nothing can be installed here. */
function hindrance(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'it is no Linux for x64';
  if (!process.env['ELECTRON_OVERRIDE_DIST_PATH']) return 'no folder with a runtime is named';
  if (process.getuid?.() !== 0) return 'only root installs';
  if (!succeeds('apt-get', '--version')) return 'there is no apt-get';
  if (!succeeds('which', 'Xvfb')) return 'there is no Xvfb';
  if (!existsSync(sevenZip)) return 'there is no 7za';
  if (existsSync(installed) || succeeds('dpkg', '-s', 'appraiser-desk')) return 'a desk is here';
  return null;
}

const why = hindrance();
if (why !== null) it.skip(`The packages are not installed: ${why}`);

const folder = serviceFolder();
const homeOf = () => folder.at('person');
const packageOf = (version: string, kind: 'amd64.deb' | 'x64.tar.gz') =>
  folder.at(version, `appraiser-desk-${version}-${kind}`);

async function pack(version: string, ...kinds: string[]): Promise<void> {
  // The builder would download both.
  process.env['CUSTOM_FPM_PATH'] = join(root, 'test/support/fpm-stand-in.mjs');
  process.env['ELECTRON_BUILDER_7ZIP_PATH'] = sevenZip;
  await build({
    projectDir: root,
    targets: Platform.LINUX.createTarget(kinds, Arch.x64),
    publish: 'never',
    config: {
      extends: join(root, 'electron-builder.yml'),
      ...runtimeInFolder(process.env),
      extraMetadata: { version },
      directories: { output: folder.at(version) },
      // The quickest: what is in a package is the same.
      compression: 'store',
      deb: { compression: 'gz' },
    },
  });
}

const aptGet = (...args: string[]) =>
  execFileSync('apt-get', ['-y', '-q', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

/** A program with its arguments, as the ordinary user. */
const asUser = (program: string, ...args: string[]): [string, string[]] => [
  'setpriv',
  ['--reuid', user, '--regid', user, '--init-groups', program, ...args],
];
const environment = () => ({
  PATH: process.env['PATH'],
  HOME: homeOf(),
  LANG: 'C.UTF-8',
  DESK_VAULT_PASSPHRASE: 'for an installed desk',
});
const homeArgs = () => ['--home', join(homeOf(), 'desk'), '--vault', 'passphrase'];

function desk(...args: string[]): string {
  const [program, rest] = asUser(`${installed}/appraiser-desk-cli`, ...homeArgs(), ...args);
  return execFileSync(program, rest, { env: environment(), cwd: homeOf(), encoding: 'utf8' });
}

const lastJson = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');
const itemsSchema = z.looseObject({ items: z.array(z.looseObject({})) });
const waiting = () =>
  itemsSchema
    .parse(lastJson(desk('--json', 'queue')))
    .items.map(({ kind, state }) => ({ kind, state }));

/** Starts the desk with its window, waits until it is ready, and ends it as a sign-out does. */
async function startAndEnd(executable: string): Promise<number | null> {
  const server = spawn('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const display = await firstLine(server, /^\d+$/);
    const child = spawn(...asUser(executable, ...homeArgs()), {
      env: { ...environment(), DISPLAY: `:${display}` },
      cwd: homeOf(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    await firstLine(child, /^\{"event":"ready"/);
    child.kill('SIGTERM');
    await ended;
    return child.exitCode;
  } finally {
    server.kill();
  }
}

async function firstLine(child: ChildProcess, wanted: RegExp): Promise<string> {
  if (!child.stdout) throw new Error('the process has no pipe');
  for await (const line of createInterface({ input: child.stdout })) {
    if (!wanted.test(line)) continue;
    child.stdout.resume();
    return line;
  }
  throw new Error('the process ended before it was ready');
}

const leftInHome = () => readdirSync(homeOf(), { recursive: true }).map(String).sort();

describe.runIf(why === null)('the packages of Linux', () => {
  let service: RunningService;

  beforeAll(async () => {
    chmodSync(folder.path, 0o755);
    execFileSync('useradd', ['--create-home', '--home-dir', homeOf(), user]);
    await pack('0.0.1', 'deb', 'tar.gz');
    await pack('0.0.2', 'deb');
    service = await folder.start('--demo', '30');
    const credentials = join(homeOf(), 'credentials.json');
    const owned = ['-o', user, '-g', user, '-m', '600'];
    execFileSync('install', [...owned, service.credentialsPath, credentials]);
    aptGet('update');
  }, buildsWithinMs);

  afterAll(async () => {
    if (existsSync(installed)) aptGet('remove', 'appraiser-desk');
    spawnSync('userdel', [user]);
    await folder.end();
  }, buildsWithinMs);

  it(
    'a deb brings the program, its entry in the menu, its icons and its sandbox',
    () => {
      aptGet('install', packageOf('0.0.1', 'amd64.deb'));
      expect(readFileSync(menuEntry, 'utf8')).toMatch(
        /^Exec="\/opt\/Appraiser Desk\/appraiser-desk" %U$/m,
      );
      expect(readFileSync(menuEntry, 'utf8')).toMatch(/^Icon=appraiser-desk$/m);
      expect(existsSync(`${icons}/512x512/apps/appraiser-desk.png`)).toBe(true);
      expect(succeeds('test', '-x', '/usr/bin/appraiser-desk')).toBe(true);
      const { uid, mode } = statSync(`${installed}/chrome-sandbox`);
      // The builder's script: set-user-id only where the kernel gives no user namespaces.
      const hasNamespaces = succeeds('unshare', '--user', 'true');
      expect([uid, mode & 0o7777]).toEqual([0, hasNamespaces ? 0o755 : 0o4755]);
      expect(existsSync(`${installed}/resources/default_app.asar`)).toBe(false);
      expect(readdirSync(`${installed}/locales`).sort()).toEqual([
        'de.pak',
        'en-US.pak',
        'fr.pak',
        'it.pak',
      ]);
    },
    buildsWithinMs,
  );

  it(
    'a newer deb keeps the work that waits',
    async () => {
      desk('connect', '--credentials', join(homeOf(), 'credentials.json'));
      desk('sync');
      const listed = desk('--json', 'cases', '--status', 'InProgress', '--limit', '1');
      const [first] = itemsSchema.parse(lastJson(listed)).items;
      await service.stop();
      desk('comment', z.string().parse(first?.['externalKey']), 'Seen at the garage.');
      expect(await startAndEnd(`${installed}/appraiser-desk`)).toBe(0);
      const before = waiting();
      expect(before).toEqual([{ kind: 'comment', state: 'waiting' }]);
      aptGet('install', packageOf('0.0.2', 'amd64.deb'));
      const version = execFileSync('dpkg-query', ['-W', '-f', '${Version}', 'appraiser-desk']);
      expect(version.toString()).toBe('0.0.2');
      expect(await startAndEnd(`${installed}/appraiser-desk`)).toBe(0);
      expect(waiting()).toEqual(before);
    },
    buildsWithinMs,
  );

  it(
    'a removal takes the program and leaves what the person has',
    () => {
      const before = leftInHome();
      aptGet('remove', 'appraiser-desk');
      for (const path of [installed, menuEntry, '/usr/bin/appraiser-desk'])
        expect(existsSync(path), path).toBe(false);
      const sizes = readdirSync(icons);
      const left = sizes.filter((size) => existsSync(`${icons}/${size}/apps/appraiser-desk.png`));
      expect(left).toEqual([]);
      expect(leftInHome()).toEqual(before);
    },
    buildsWithinMs,
  );

  it(
    'a tar.gz is unpacked, starts and ends',
    async () => {
      const target = folder.at('unpacked');
      mkdirSync(target);
      execFileSync('tar', ['xzf', packageOf('0.0.1', 'x64.tar.gz'), '-C', target]);
      const [name = ''] = readdirSync(target);
      const sandbox = join(target, name, 'chrome-sandbox');
      // What an administrator does where programs get no user namespaces (docs/it/README.md).
      if (!succeeds(...flat(asUser('unshare', '--user', 'true')))) {
        execFileSync('chown', ['root:root', sandbox]);
        chmodSync(sandbox, 0o4755);
      }
      expect(await startAndEnd(join(target, name, 'appraiser-desk'))).toBe(0);
    },
    buildsWithinMs,
  );
});

function flat([program, args]: [string, string[]]): [string, ...string[]] {
  return [program, ...args];
}
