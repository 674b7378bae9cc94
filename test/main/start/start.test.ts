import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { formerPorts, leaveWayIn } from '#main/browser/way-in.ts';
import { lockHome } from '#main/engine/home/home-lock.ts';
import { fetchElectron, findElectron } from '#main/start/electron-runtime.ts';
import { openerOf } from '#main/start/run-browser.ts';
import { parseStartOptions } from '#main/start/start-options.ts';
import { endsWithTests } from '../../support/children.ts';
import { testLimitMs } from '../../support/long.ts';
import { root, startDesk, temporaryFolder } from '../../support/processes.ts';
import { openPage } from '../../support/stub-engine.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const startSync = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'main/start.ts'), '--lang', 'en', ...args], {
    encoding: 'utf8',
    timeout: testLimitMs,
  });

describe('parseStartOptions', () => {
  const written: string[] = [];
  const read = (args: readonly string[], isAllowed = false) =>
    parseStartOptions(
      args,
      (text) => written.push(text),
      () => isAllowed,
    );
  const parse = (...args: string[]) => {
    const found = read(args);
    return 'options' in found ? found.options : found;
  };

  it('reads what interfaces promise', () => {
    const args = [
      '--shell',
      'browser',
      '--home',
      '/h',
      '--port',
      '81',
      '--no-open',
      '--lang',
      'it',
    ];
    expect(parse(...args)).toEqual({
      shell: 'browser',
      home: '/h',
      port: 81,
      open: false,
      lang: 'it',
    });
    expect(parse()).toEqual({ port: 0, open: true });
  });

  it.each([
    ['--port', 'x'],
    ['--port', '65536'],
    ['--shell', 'window'],
    ['--lang', 'rm'],
    ['--nothing'],
    ['word'],
  ])('refuses %s %s, and names it', (...args) => {
    expect(parse(...args)).toEqual({ because: 'argument', argument: args.join(' ') });
  });

  it('takes what the AppImage adds for Chromium if the system allows no sandbox', () => {
    const args = ['--no-sandbox', '--lang', 'it'];
    expect(read(args)).toMatchObject({ options: { lang: 'it' }, isWithoutSandbox: true });
    expect(read(['--lang', 'it'])).toMatchObject({ isWithoutSandbox: false });
    expect(read(args, true)).toEqual({ because: 'sandbox-is-allowed' });
    expect(parse('--no-sandbox', '--nothing')).toMatchObject({ argument: '--nothing' });
  });

  it.each([
    ['--updated'],
    ['-Embedding'],
    ['type=click&tag=11575876717883772928'],
    ['type=action&action=0&tag=1'],
    ['-psn_0_1234567'],
  ])('passes over %s, which a system or an installer adds', (added) => {
    expect(parse(added, '--lang', 'fr')).toMatchObject({ lang: 'fr' });
  });

  it.each([
    '--inspect',
    '--inspect-brk=0',
    '--remote-debugging-port=9222',
    '--remote-debugging-pipe',
    '--load-extension=/x',
    '--disable-web-security',
    '--ignore-certificate-errors',
    '--proxy-server=evil.example:1',
    '--js-flags=--expose-gc',
    '--no-sandbox=1',
    '--updated=1',
    '-psn',
    'type=click --inspect',
  ])('refuses %s of Chromium or like it', (foreign) => {
    expect(parse(foreign)).toMatchObject({ because: 'argument' });
  });

  it('ends well after help', () => {
    expect(parse('--help')).toEqual({ because: 'help' });
    expect(written.join('')).toContain('--lang');
  });
});

describe('findElectron', () => {
  const packageDir = join(folder.path, 'electron');
  mkdirSync(join(packageDir, 'dist'), { recursive: true });
  const system = {
    platform: 'linux',
    env: { DISPLAY: ':0' },
    isRoot: false,
    packageDir,
  } as const;

  it('asks the package by its files, and downloads nothing', () => {
    expect(findElectron({ ...system, packageDir: null })).toHaveProperty('missing');
    expect(findElectron(system)).toHaveProperty('missing');
    writeFileSync(join(packageDir, 'path.txt'), 'electron');
    expect(findElectron(system)).toHaveProperty('missing');
    writeFileSync(join(packageDir, 'dist/electron'), '');
    expect(findElectron(system)).toEqual({ path: join(packageDir, 'dist/electron') });
  });

  it('is fetched by the package’s own installation if only the runtime is missing', () => {
    const bare = join(folder.path, 'bare');
    mkdirSync(bare);
    const here = { ...system, packageDir: bare };
    writeFileSync(join(bare, 'install.js'), 'process.exit(1)');
    expect(fetchElectron(here)).toEqual({ missing: 'its runtime could not be fetched' });
    const install = `const fs = require('node:fs');
      fs.mkdirSync(__dirname + '/dist');
      fs.writeFileSync(__dirname + '/dist/electron', '');
      fs.writeFileSync(__dirname + '/path.txt', 'electron');`;
    writeFileSync(join(bare, 'install.js'), install);
    for (const hindered of [{ isRoot: true }, { env: {} }, { packageDir: null }])
      expect(fetchElectron({ ...here, ...hindered })).toHaveProperty('missing');
    expect(existsSync(join(bare, 'dist'))).toBe(false);
    expect(fetchElectron(here)).toEqual({ path: join(bare, 'dist/electron') });
  });

  it('takes a runtime from elsewhere, and does not fall back from one that is not there', () => {
    const env = { DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: join(packageDir, 'dist') };
    expect(findElectron({ ...system, packageDir: null, env })).toHaveProperty('path');
    const nowhere = { DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: '/nowhere' };
    expect(findElectron({ ...system, env: nowhere })).toHaveProperty('missing');
  });

  it('needs a display and a user that is not root', () => {
    expect(findElectron({ ...system, env: {} })).toEqual({ missing: 'there is no display' });
    expect(findElectron({ ...system, isRoot: true })).toEqual({
      missing: 'it does not run as root',
    });
  });
});

describe('openerOf', () => {
  it.each(['linux', 'darwin', 'win32'] as const)(
    'hands the address over as one word on %s',
    (os) => {
      const url = 'http://127.0.0.1:1/#token=a&b';
      expect(openerOf(os, url)[1].at(-1)).toBe(url);
      expect(openerOf(os, url)[0]).not.toContain('cmd');
    },
  );
});

describe('npm start', () => {
  it('serves the practice workspace, opens it again for a second start, and ends cleanly', async () => {
    const home = join(folder.path, 'home');
    const desk = await startDesk({ home });
    onTestFinished(async () => {
      await desk.kill();
    });
    expect(desk.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
    const page = await fetch(desk.url);
    expect([page.status, await page.text()]).toMatchObject([
      200,
      expect.stringContaining('<script type="module"') as string,
    ]);

    const second = startSync('--shell', 'browser', '--no-open', '--home', home, '--lang', 'en');
    expect([second.status, second.stderr]).toEqual([
      0,
      'Appraiser Desk is already running; opening it again.\n',
    ]);
    const ready = JSON.parse(second.stdout) as { event: string; url: string };
    expect(ready).toMatchObject({ event: 'ready', shell: 'browser' });
    const opened = new URL(ready.url);
    expect(opened.origin).toBe(new URL(desk.url).origin);
    expect(opened.hash).not.toBe(new URL(desk.url).hash);
    const files = readdirSync(home).filter((name) => name.startsWith('appraiser-desk-'));
    expect(files.map((name) => statSync(join(home, name)).mode & 0o777)).toEqual([0o600]);
    expect(formerPorts(home)).toEqual([Number(new URL(desk.url).port)]);

    expect(await desk.stop()).toBe(0);
    expect(readdirSync(home).filter((name) => name.startsWith('appraiser-desk-'))).toEqual([]);
    await expect(fetch(desk.url)).rejects.toThrow('fetch failed');
  });

  it('refuses a home that another program has open, whatever a desk before it left behind', async () => {
    const home = join(folder.path, 'held');
    mkdirSync(home);
    onTestFinished(lockHome(home));
    const stranger = createServer().listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    onTestFinished(() => void stranger.close());
    // The cast restates what listening on a port gives (node:net, "server.address()").
    const origin = `http://127.0.0.1:${String((stranger.address() as AddressInfo).port)}`;
    leaveWayIn(home, { origin, secret: 'x' });
    writeFileSync(join(home, 'lock.pid'), '1');
    const run = startSync('--shell', 'browser', '--no-open', '--home', home, '--lang', 'en');
    expect([run.status, run.stdout]).toEqual([4, '']);
    expect(run.stderr).toContain('Appraiser Desk already has this folder open');
  });

  // The system's own way to open something is a program found by its name.
  it.runIf(process.platform === 'linux')(
    'hands the address to the browser in a file of its owner’s alone, and its passphrase to nobody',
    async () => {
      const home = join(folder.path, 'opened');
      const bin = join(folder.path, 'bin');
      mkdirSync(bin);
      const seen = join(folder.path, 'seen');
      const look = `#!/bin/sh\n{ stat -c %a "$1"; cat "$1"; echo; env; } > ${seen}.part\nmv ${seen}.part ${seen}\n`;
      writeFileSync(join(bin, 'xdg-open'), look, { mode: 0o755 });
      const args = ['--shell', 'browser', '--vault', 'passphrase', '--home', home];
      const child = endsWithTests(
        spawn(process.execPath, [join(root, 'main/start.ts'), ...args], {
          env: {
            ...process.env,
            HOME: folder.path,
            PATH: `${bin}:${String(process.env['PATH'])}`,
            DESK_VAULT_PASSPHRASE: 'a passphrase for a test',
          },
        }),
      );
      onTestFinished(() => void child.kill('SIGKILL'));
      await once(child.stdout, 'data');
      await vi.waitUntil(() => existsSync(seen));
      const text = readFileSync(seen, 'utf8');
      expect(text).toMatch(/^600\n/);
      expect(text).not.toContain('a passphrase for a test');
      const url = /0;url=(http:[^"]+)/.exec(text)?.[1] ?? '';
      const files = () => readdirSync(home).filter((name) => name.endsWith('.html'));
      expect(files()).toHaveLength(1);
      const page = await openPage({ invite: () => url });
      onTestFinished(page.close);
      expect(files()).toEqual([]);
    },
  );

  it('says in one sentence that the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const port = String((server.address() as AddressInfo).port);
    const home = join(folder.path, 'port');
    const run = startSync('--shell', 'browser', '--no-open', '--home', home, '--port', port);
    expect(run.status).toBe(1);
    expect(run.stderr).toContain(`Port ${port} is in use`);
  });

  it('keeps practice only while it runs if there is no keychain, and says so', async () => {
    const home = join(folder.path, 'no-keychain');
    const args = ['--shell', 'browser', '--no-open', '--lang', 'en', '--home', home];
    const child = endsWithTests(
      spawn(process.execPath, [join(root, 'main/start.ts'), ...args], {
        env: {
          ...process.env,
          DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
          DESK_VAULT_PASSPHRASE: '',
        },
      }),
    );
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    await once(child.stdout, 'data');
    expect(stderr).toContain('This system has no keychain');
    const kept = join(home, 'workspaces/practice-session');
    expect(existsSync(kept)).toBe(true);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(existsSync(kept)).toBe(false);
  });
});
