import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import removeDefaultApp from '../../scripts/lib/after-pack.mjs';
import { runtimeInFolder, settingsOf } from '../../scripts/lib/builder.mjs';
import { prepareKit } from '../../scripts/lib/electron-kit.mjs';
import { runCommand } from '../../scripts/lib/run-command.mjs';
import { ordinaryUser } from '../../scripts/lib/ordinary-user.mjs';
import { temporaryFolder } from '../support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

describe.skipIf(process.platform === 'win32')('prepareKit', () => {
  /** A kit whose programs are these lines of a shell. */
  function makeKit(name: string, programs: Readonly<Record<string, string>>): string {
    const kit = join(folder.path, name);
    mkdirSync(kit);
    for (const [program, lines] of Object.entries(programs)) {
      writeFileSync(join(kit, program), `#!/bin/sh\n${lines}\n`);
      chmodSync(join(kit, program), 0o755);
    }
    return kit;
  }

  it('runs a command in the prepared copy, and removes the copy', async () => {
    const kit = makeKit('whole', {
      prepare: 'mkdir "$2/desk" && cp "$1/desk.txt" "$2/desk/"',
      run: 'cd "$1/desk" && shift && exec "$@"',
    });
    writeFileSync(join(folder.path, 'desk.txt'), 'of the checkout');
    const prepared = await prepareKit(kit, folder.path);
    if ('missing' in prepared) throw new Error(prepared.missing);
    expect(await prepared.run('cp', ['desk.txt', 'copied.txt'])).toBe(0);
    expect(readFileSync(join(prepared.folder, 'copied.txt'), 'utf8')).toBe('of the checkout');
    expect(await prepared.run('sh', ['-c', 'exit $CODE'], { CODE: '7' })).toBe(7);
    prepared.remove();
    expect(existsSync(prepared.folder)).toBe(false);
  });

  it('says in one sentence why it cannot be prepared', async () => {
    const kit = makeKit('broken', {
      prepare: 'echo much >&2; echo "no way to the registry" >&2; exit 1',
    });
    expect(await prepareKit(kit, folder.path)).toEqual({
      missing: 'the runtime could not be prepared (no way to the registry)',
    });
    const silent = makeKit('silent', { prepare: 'exit 1' });
    expect(await prepareKit(silent, folder.path)).toEqual({
      missing: 'the runtime could not be prepared (no reason given)',
    });
  });

  it('says so of a folder that is no kit', async () => {
    const prepared = await prepareKit(join(folder.path, 'nowhere'), folder.path);
    expect('missing' in prepared && prepared.missing).toMatch(
      /^the runtime could not be prepared \(.*ENOENT\)$/,
    );
  });
});

describe.skipIf(process.platform === 'win32')('runCommand', () => {
  it('ends with the program, though one that it left behind holds the output', async () => {
    let output = '';
    // It ends with the folder, or with this process.
    const lasts = `kill -0 ${String(process.pid)} && [ -e ${folder.path} ]`;
    const script = `while ${lasts}; do sleep 1; done & exit 3`;
    const code = await runCommand(folder.path, '/bin/sh', ['-c', script], {}, (text) => {
      output += text;
    });
    expect(code).toBe(3);
    expect(output).toContain('left a program behind');
  });
});

describe('runtimeInFolder', () => {
  it('gives the builder a runtime in a folder with its version', () => {
    const electronDist = join(folder.path, 'runtime');
    mkdirSync(electronDist);
    for (const written of ['33.2.1', 'v33.2.1\n']) {
      writeFileSync(join(electronDist, 'version'), written);
      expect(runtimeInFolder({ ELECTRON_OVERRIDE_DIST_PATH: electronDist })).toEqual({
        electronDist,
        electronVersion: '33.2.1',
      });
    }
  });

  it('gives it a folder without a blank for Linux, where Chromium’s sandbox needs that', () => {
    const linux = settingsOf({}, 'linux', ['--linux', 'deb']);
    expect(linux.productName).toMatch(/^\S+$/);
    expect(settingsOf({}, 'linux')).toEqual(linux);
    for (const asked of ['-w', '--win', '--mac'])
      expect(settingsOf({}, 'linux', [asked])).toEqual({});
    expect([settingsOf({}, 'win32'), settingsOf({}, 'darwin')]).toEqual([{}, {}]);
  });

  it('leaves it to the builder otherwise', () => {
    expect(runtimeInFolder({})).toEqual({});
    expect(runtimeInFolder({ ELECTRON_OVERRIDE_DIST_PATH: '' })).toEqual({});
  });
});

describe('removeDefaultApp', () => {
  it('leaves the desk alone in a package', () => {
    const resources = join(folder.path, 'package/resources');
    mkdirSync(resources, { recursive: true });
    const packed = { appOutDir: join(folder.path, 'package'), packager: { getResourcesDir } };
    writeFileSync(join(resources, 'app.asar'), 'the desk');
    writeFileSync(join(resources, 'default_app.asar'), 'Electron’s');
    removeDefaultApp(packed);
    expect(readdirSync(resources)).toEqual(['app.asar']);
    // A runtime without one is a package as well.
    removeDefaultApp(packed);
    expect(readdirSync(resources)).toEqual(['app.asar']);
  });
});

const getResourcesDir = (appOutDir: string) => join(appOutDir, 'resources');

describe('ordinaryUser', () => {
  const user = { uid: 65_534, gid: 65_534 };
  const able = {
    has: () => true,
    find: () => user,
    canRead: () => true,
    hasSandbox: () => true,
  };
  const executable = '/opt/electron/electron';

  it('runs the window in place of root', () => {
    expect(ordinaryUser(executable, able)).toEqual(user);
  });

  it.each([
    ['without setpriv', { has: (name: string) => name !== 'setpriv' }, /^root needs setpriv/],
    ['without a display', { has: (name: string) => name !== 'xvfb-run' }, /^root needs xvfb-run/],
    ['without such a user', { find: () => null }, /^there is no user nobody/],
    [
      'in a checkout of root’s own',
      { canRead: () => false },
      /^the user nobody cannot read .*package\.json and \/opt\/electron\/electron$/,
    ],
    ['without a sandbox', { hasSandbox: () => false }, /^this system allows no sandbox$/],
  ])('does not %s', (_, lacks, missing) => {
    const found = ordinaryUser(executable, { ...able, ...lacks });
    expect('missing' in found && found.missing).toMatch(missing);
  });
});
