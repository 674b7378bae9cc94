import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { root, temporaryFolder } from '../support/processes.ts';

// The script of the deb and the rpm decides whether Chromium's helper gets the rights of root.

const script = readFileSync(join(root, 'build/linux/after-install.sh'), 'utf8');

/** The programs of the system, each with its exit code. */
interface System {
  /** Whether an ordinary user may make a user namespace. */
  readonly namespaces: boolean;
  readonly apparmor?: 'none' | 'old' | 'new';
  readonly isChroot?: boolean;
  readonly helperIsThere?: boolean;
}

/** Runs the script on a system in a folder, and returns what it did there. */
function install({
  namespaces,
  apparmor = 'none',
  isChroot = false,
  helperIsThere = true,
}: System) {
  const { path, remove } = temporaryFolder();
  onTestFinished(remove);
  const at = (name: string) => join(path, name);
  const program = at('opt/AppraiserDesk');
  for (const dir of ['bin', 'usr/bin', 'etc/apparmor.d']) mkdirSync(at(dir), { recursive: true });
  mkdirSync(join(program, 'resources'), { recursive: true });
  const helper = join(program, 'chrome-sandbox');
  if (helperIsThere) writeFileSync(helper, '');
  writeFileSync(join(program, 'resources/apparmor-profile'), 'profile');
  const log = at('calls');
  const stubs = {
    setpriv: namespaces ? 0 : 1,
    apparmor_status: apparmor === 'none' ? 1 : 0,
    apparmor_parser: apparmor === 'new' ? 0 : 1,
    ischroot: isChroot ? 0 : 1,
    chown: 0,
    'update-alternatives': 0,
    'update-mime-database': 0,
    'update-desktop-database': 0,
  };
  for (const [name, exitCode] of Object.entries(stubs)) {
    const file = at(`bin/${name}`);
    writeFileSync(file, `#!/bin/sh\necho "${name} $*" >>'${log}'\nexit ${String(exitCode)}\n`);
    chmodSync(file, 0o755);
  }
  const filled = script
    .replaceAll('${sanitizedProductName}', 'AppraiserDesk')
    .replaceAll('${executable}', 'appraiser-desk')
    .replaceAll(/'\/(opt|usr|etc)\//g, `'${path}/$1/`);
  writeFileSync(at('script'), filled);
  const { status, stderr } = spawnSync('/bin/sh', [at('script'), 'configure'], {
    encoding: 'utf8',
    env: { PATH: `${at('bin')}:/usr/bin:/bin` },
  });
  const calls = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  return {
    status,
    stderr,
    mode: helperIsThere ? (statSync(helper).mode & 0o7777).toString(8) : null,
    isRoots: calls.some((call) => call.startsWith('chown root:root')),
    asked: calls.filter((call) => call.startsWith('setpriv')),
    hasProfile: existsSync(at('etc/apparmor.d/appraiser-desk')),
    isLoaded: calls.some((call) => call.startsWith('apparmor_parser --replace')),
  };
}

describe('the helper of the sandbox, after the installation,', () => {
  it.each<[where: string, system: System, mode: string, isLoaded: boolean]>([
    ['where an ordinary user has namespaces', { namespaces: true }, '755', false],
    ['where the kernel keeps them to root', { namespaces: false }, '4755', false],
    ['on Ubuntu 24.04, with the profile', { namespaces: false, apparmor: 'new' }, '755', true],
    ['on Ubuntu 22.04', { namespaces: true, apparmor: 'old' }, '755', false],
    ['on a hardened Ubuntu 22.04', { namespaces: false, apparmor: 'old' }, '4755', false],
    [
      'in an image that is being made',
      { namespaces: false, apparmor: 'new', isChroot: true },
      '4755',
      false,
    ],
  ])('%s', (_, system, mode, isLoaded) => {
    const done = install(system);
    expect(done).toMatchObject({ status: 0, stderr: '', mode, isLoaded });
    expect(done.isRoots).toBe(mode === '4755');
    expect(done.hasProfile).toBe(system.apparmor === 'new');
  });

  it('is decided by what nobody may do, because root may always', () => {
    const { asked } = install({ namespaces: true });
    expect(asked).toEqual([
      'setpriv --reuid=65534 --regid=65534 --clear-groups unshare --user --map-root-user true',
    ]);
  });

  it('that cannot be set up is said in one sentence, and the package stays installed', () => {
    const { status, stderr } = install({ namespaces: false, helperIsThere: false });
    expect(status).toBe(0);
    expect(stderr).toMatch(/Appraiser Desk cannot start: .* mode 4755\..*/);
  });

  it('is set up by the script of both packages, which has no other names in braces', () => {
    const packages = z.object({ afterInstall: z.literal('build/linux/after-install.sh') });
    const config = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as unknown;
    z.object({ deb: packages, rpm: packages }).parse(config);
    const names = [...script.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set(['sanitizedProductName', 'executable']));
  });
});

it('the desktop entry is that of the window, and has its comment in four languages', () => {
  const config = z
    .object({
      productName: z.string(),
      linux: z.object({
        executableName: z.string(),
        desktop: z.object({ entry: z.record(z.string(), z.string()) }),
      }),
    })
    .parse(parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')));
  const { productName } = config;
  const { executableName, desktop } = config.linux;
  // Electron takes WM_CLASS and the id under Wayland from this name, and the builder StartupWMClass.
  expect(packageJson.desktopName).toBe(`${executableName}.desktop`);
  expect(desktop.entry).not.toHaveProperty('StartupWMClass');
  const comments = ['Comment', 'Comment[de]', 'Comment[fr]', 'Comment[it]'];
  expect(desktop.entry['Name']).toBe(productName);
  expect(Object.keys(desktop.entry)).toEqual(['Name', ...comments]);
});
