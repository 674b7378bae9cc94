import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  lstatSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Arch, build, Platform } from 'electron-builder';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { endsWithTests } from '../support/children.ts';
import { onPath } from '../../scripts/lib/system-packages.mjs';
import { settingsOf } from '../../scripts/lib/builder.mjs';
import { expectFusesOfRelease } from '../support/fuses.ts';
import { root, serviceFolder, type RunningService } from '../support/processes.ts';

// The deb and the tar.gz of a real runtime, installed as an administrator does it and started as an
// ordinary user does. This changes the machine, so only root of a machine without the desk runs it.

const installed = '/opt/AppraiserDesk';
const menuEntry = '/usr/share/applications/appraiser-desk.desktop';
const icons = '/usr/share/icons/hicolor';
const buildsWithinMs = 600_000;
const user = 'desk-installed';
const older = '0.0.1';
const newer = '0.0.2';
/** A file of the newer package, to see that its files came. */
const onlyInNewer = 'only-in-newer';
/** Of Debian's p7zip-full. */
const sevenZip = '/usr/bin/7za';

const succeeds = (program: string, ...args: string[]) =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** Returns why nothing can be installed here. */
function hindrance(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'this is not Linux on x64';
  if (!process.env['ELECTRON_OVERRIDE_DIST_PATH']) return 'no folder with a runtime is named';
  if (process.getuid?.() !== 0) return 'only root installs';
  if (!succeeds('apt-get', '--version')) return 'apt-get is missing';
  if (!onPath('Xvfb')) return 'Xvfb is missing';
  if (!existsSync(sevenZip)) return `${sevenZip} is missing`;
  if (existsSync(installed) || succeeds('dpkg', '-s', 'appraiser-desk'))
    return 'this machine has a desk already';
  return null;
}

const why = hindrance();

const folder = serviceFolder();
const homeOf = () => folder.at('user');
const packageOf = (version: string, kind: 'amd64.deb' | 'x64.tar.gz') =>
  folder.at(version, `appraiser-desk-${version}-${kind}`);

/** Packs once, with both packages of the older version, and makes the newer deb of the same tree. */
async function packVersions(): Promise<void> {
  // The builder would download both.
  vi.stubEnv('CUSTOM_FPM_PATH', join(root, 'test/support/fpm-stand-in.mjs'));
  vi.stubEnv('ELECTRON_BUILDER_7ZIP_PATH', sevenZip);
  await makePackages(older, ['deb', 'tar.gz']);
  const tree = folder.at(older, 'linux-unpacked');
  writeFileSync(join(tree, 'resources', onlyInNewer), '');
  await makePackages(newer, ['deb'], tree);
}

async function makePackages(version: string, kinds: string[], prepackaged?: string) {
  await build({
    projectDir: root,
    targets: Platform.LINUX.createTarget(kinds, Arch.x64),
    publish: 'never',
    ...(prepackaged !== undefined && { prepackaged }),
    config: {
      extends: join(root, 'electron-builder.yml'),
      ...settingsOf(process.env, 'linux'),
      extraMetadata: { version, homepage: 'https://desk.example' },
      linux: { maintainer: 'A test <test@desk.example>' },
      directories: { output: folder.at(version) },
      // The fastest: the content of a package is the same.
      compression: 'store',
      deb: { fpm: ['--deb-compression', 'none'] },
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
  const server = endsWithTests(
    spawn('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  try {
    const display = await firstLine(server, /^\d+$/);
    const child = endsWithTests(
      spawn(...asUser(executable, ...homeArgs()), {
        env: { ...environment(), DISPLAY: `:${display}` },
        cwd: homeOf(),
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
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
  const lines = createInterface({ input: child.stdout });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  lines.on('line', (line) => wanted.test(line) && resolve(line));
  lines.on('close', () => reject(new Error('the process ended before it was ready')));
  return promise;
}

/** Everything in the user's home, with what would show a change. */
const filesInHome = () =>
  readdirSync(homeOf(), { recursive: true })
    .map(String)
    .sort()
    .map((path) => {
      const { mode, uid, size, mtimeMs } = lstatSync(join(homeOf(), path));
      return { path, mode, uid, size, mtimeMs };
    });

/** What the system finds changed in the installed package. */
const changedFiles = () =>
  spawnSync('dpkg', ['--verify', 'appraiser-desk'], { encoding: 'utf8' }).stdout;

/** The version of the package, as the system knows it; empty if there is none. */
const installedVersion = () =>
  spawnSync('dpkg-query', ['-W', '-f', '${Version}', 'appraiser-desk'], { encoding: 'utf8' })
    .stdout;

if (why !== null) it.skip(`The packages are not installed: ${why}`);
else
  describe('the packages of Linux', () => {
    let service: RunningService;

    beforeAll(async () => {
      chmodSync(folder.path, 0o755);
      execFileSync('useradd', ['--create-home', '--home-dir', homeOf(), user]);
      await packVersions();
      service = await folder.start('--demo', '30');
      const credentials = join(homeOf(), 'credentials.json');
      const owned = ['-o', user, '-g', user, '-m', '600'];
      execFileSync('install', [...owned, service.credentialsPath, credentials]);
      aptGet('update');
    }, buildsWithinMs);

    afterAll(async () => {
      vi.unstubAllEnvs();
      if (installedVersion() !== '') aptGet('purge', 'appraiser-desk');
      spawnSync('userdel', [user]);
      await folder.end();
    }, buildsWithinMs);

    it(
      'a deb brings the program, its entry in the menu, its icons and its sandbox',
      async () => {
        aptGet('install', packageOf(older, 'amd64.deb'));
        expect(readFileSync(menuEntry, 'utf8')).toMatch(
          /^Exec="\/opt\/Appraiser Desk\/appraiser-desk" %U$/m,
        );
        expect(readFileSync(menuEntry, 'utf8')).toMatch(/^Icon=appraiser-desk$/m);
        for (const size of ['48x48', '512x512'])
          expect(existsSync(`${icons}/${size}/apps/appraiser-desk.png`), size).toBe(true);
        expect(succeeds('test', '-x', '/usr/bin/appraiser-desk')).toBe(true);
        const { uid, mode } = lstatSync(`${installed}/chrome-sandbox`);
        // The user id is set only if the kernel gives an ordinary user no user namespaces.
        const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups'];
        const asRoot = ['unshare', '--user', '--map-root-user', 'true'];
        const hasNamespaces = succeeds('setpriv', ...nobody, ...asRoot);
        expect([uid, mode & 0o7777]).toEqual([0, hasNamespaces ? 0o755 : 0o4755]);
        expect(existsSync(`${installed}/resources/default_app.asar`)).toBe(false);
        expect(readdirSync(`${installed}/locales`).sort()).toEqual([
          'de.pak',
          'en-US.pak',
          'fr.pak',
          'it.pak',
        ]);
        await expectFusesOfRelease(`${installed}/appraiser-desk`);
        expect(changedFiles()).toBe('');
        appendFileSync(`${installed}/resources/app.asar`, ' ');
        expect(changedFiles()).toMatch(/^\S*5\S* +\/opt\/Appraiser Desk\/resources\/app\.asar\n$/);
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
        aptGet('install', packageOf(newer, 'amd64.deb'));
        expect(installedVersion()).toBe(newer);
        expect(existsSync(`${installed}/resources/${onlyInNewer}`)).toBe(true);
        // The older package's script removes it after the newer one's files came.
        expect(succeeds('test', '-x', '/usr/bin/appraiser-desk')).toBe(true);
        expect(await startAndEnd(`${installed}/appraiser-desk`)).toBe(0);
        expect(waiting()).toEqual(before);
      },
      buildsWithinMs,
    );

    it(
      "a removal takes the program and leaves the user's home unchanged",
      () => {
        const before = filesInHome();
        expect(before.length).toBeGreaterThan(3);
        aptGet('remove', 'appraiser-desk');
        for (const path of [installed, menuEntry, '/usr/bin/appraiser-desk'])
          expect(existsSync(path), path).toBe(false);
        const sizes = readdirSync(icons);
        const left = sizes.filter((size) => existsSync(`${icons}/${size}/apps/appraiser-desk.png`));
        expect(left).toEqual([]);
        expect(filesInHome()).toEqual(before);
        aptGet('purge', 'appraiser-desk');
        expect(installedVersion()).toBe('');
        expect(filesInHome()).toEqual(before);
      },
      buildsWithinMs,
    );

    it(
      'a tar.gz is unpacked, starts and ends',
      async () => {
        const target = folder.at('unpacked');
        mkdirSync(target);
        execFileSync('tar', ['xzf', packageOf(older, 'x64.tar.gz'), '-C', target]);
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
