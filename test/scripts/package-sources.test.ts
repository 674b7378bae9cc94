import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makePackageSources } from '../../scripts/lib/package-sources.mjs';
import { onPath } from '../../scripts/lib/system-packages.mjs';
import { temporaryFolder } from '../support/processes.ts';

// The sources that a release makes for apt and dnf. apt installs from one in a folder of its own,
// so that the machine stays as it is.

/** The programs say in English why they refuse something. */
const env = { ...process.env, LC_ALL: 'C.UTF-8', LANGUAGE: '' };

const missing = (...programs: string[]) => programs.filter((name) => !onPath(name)).join(', ');
const { path: folder, remove } = temporaryFolder();
const at = (...parts: string[]) => join(folder, ...parts);
// The path of gpg's socket must be short.
const keyring = mkdtempSync('/tmp/gpg-');
afterAll(() => {
  spawnSync('gpgconf', ['--homedir', keyring, '--kill', 'all']);
  rmSync(keyring, { recursive: true, force: true });
  vi.unstubAllEnvs();
  remove();
});

const deb = 'appraiser-desk-9.9.9-amd64.deb';
const content = 'the program of a test';

/** Makes a small deb with the name of ours. */
function makeDeb(): void {
  const tree = at('tree');
  mkdirSync(join(tree, 'DEBIAN'), { recursive: true });
  writeFileSync(join(tree, 'program'), content);
  const control = [
    'Package: appraiser-desk',
    'Version: 9.9.9',
    'Architecture: amd64',
    'Maintainer: A test <test@desk.example>',
    'Description: a package of a test',
  ];
  writeFileSync(join(tree, 'DEBIAN/control'), `${control.join('\n')}\n`);
  chmodSync(join(tree, 'DEBIAN'), 0o755);
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', tree, at('packages', deb)]);
}

/** Makes a small rpm with the name of ours. */
function makeRpm(): void {
  const spec = [
    'Name: appraiser-desk',
    'Version: 9.9.9',
    'Release: 1',
    'Summary: a package of a test',
    'License: none',
    'BuildArch: noarch',
    '%description',
    'A package of a test.',
    '%files',
  ];
  writeFileSync(at('desk.spec'), `${spec.join('\n')}\n`);
  const folders = ['--define', `_topdir ${at('rpm')}`, '--define', `_rpmdir ${at('rpms')}`];
  const name = ['--define', '_rpmfilename appraiser-desk-9.9.9-x86_64.rpm'];
  execFileSync('rpmbuild', [...folders, ...name, '-bb', at('desk.spec')], { stdio: 'ignore' });
}

/** Runs apt in a folder of its own, with the source alone. */
function apt(program: 'apt-get' | 'apt-cache', ...args: string[]) {
  for (const each of [
    'etc/apt/preferences.d',
    'etc/apt/apt.conf.d',
    'lists/partial',
    'cache/archives/partial',
  ])
    mkdirSync(at('apt', each), { recursive: true });
  writeFileSync(at('apt/status'), '');
  const key = at('sources/apt/appraiser-desk.asc');
  const source = `deb [arch=amd64 signed-by=${key}] file:${at('sources/apt')} ./\n`;
  writeFileSync(at('apt/sources.list'), source);
  const settings = {
    'Dir::Etc': at('apt/etc/apt'),
    'Dir::Etc::sourcelist': at('apt/sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::trustedparts': '/dev/null',
    'Dir::State': at('apt'),
    'Dir::State::status': at('apt/status'),
    'Dir::Cache': at('apt/cache'),
    'APT::Architecture': 'amd64',
    'APT::Sandbox::User': 'root',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  return spawnSync(program, [...options, '-q', ...args], {
    cwd: at('apt'),
    encoding: 'utf8',
    env,
  });
}

/** Runs dnf in an empty folder of its own, with the source alone, which has to be signed. */
function dnf(...args: string[]) {
  rmSync(at('dnf'), { recursive: true, force: true });
  mkdirSync(at('dnf/root'), { recursive: true });
  const source = at('sources/dnf');
  const lines = [
    '[main]',
    `cachedir=${at('dnf/cache')}`,
    'reposdir=/dev/null',
    '[appraiser-desk]',
    'name=Appraiser Desk',
    `baseurl=file://${source}`,
    'repo_gpgcheck=1',
    'gpgcheck=0',
    `gpgkey=file://${source}/appraiser-desk.asc`,
  ];
  writeFileSync(at('dnf/dnf.conf'), `${lines.join('\n')}\n`);
  const config = ['--config', at('dnf/dnf.conf'), '--installroot', at('dnf/root')];
  return spawnSync('dnf', [...config, '--releasever', '1', '--assumeyes', ...args], {
    cwd: at('dnf'),
    encoding: 'utf8',
    env,
  });
}

const sign = (packages = at('packages')) =>
  makePackageSources({ packages, target: at('sources'), signingKey: 'desk@test.example' });

const missingForApt = missing('apt-get', 'apt-cache', 'dpkg-deb', 'gpg', 'gpgconf');
const missingForDnf = missing('createrepo_c', 'rpmbuild', 'dnf');

if (missingForApt !== '') it.skip(`the sources are not tried: missing ${missingForApt}`);
else
  describe('the sources of a release', () => {
    beforeAll(() => {
      vi.stubEnv('GNUPGHOME', keyring);
      const about = ['--passphrase', '', '--quick-generate-key', 'desk@test.example', 'ed25519'];
      execFileSync('gpg', ['--batch', '--quiet', ...about, 'sign', 'never'], { stdio: 'ignore' });
      mkdirSync(at('packages'));
      makeDeb();
    });

    // apt would take up again what it has.
    beforeEach(() => rmSync(at('apt'), { recursive: true, force: true }));

    it('say what was made, and what was not', () => {
      const [ofApt, ofDnf] = sign();
      expect(ofApt).toBe(`The apt source is ${at('sources/apt')}.`);
      expect(ofDnf).toBe('No dnf source was made: there is no .rpm package.');
    });

    it('let apt find and download the package, by the signed lists alone', () => {
      sign();
      expect(apt('apt-get', 'update').status).toBe(0);
      expect(apt('apt-cache', 'policy', 'appraiser-desk').stdout).toContain('Candidate: 9.9.9');
      const plan = apt('apt-get', 'install', '--simulate', 'appraiser-desk').stdout;
      expect(plan).toContain('Inst appraiser-desk (9.9.9');
      expect(apt('apt-get', 'download', 'appraiser-desk').status).toBe(0);
      const [got = ''] = execFileSync('sh', ['-c', 'ls *.deb'], {
        cwd: at('apt'),
        encoding: 'utf8',
      }).split('\n');
      execFileSync('dpkg-deb', ['-x', at('apt', got), at('unpacked')]);
      expect(readFileSync(at('unpacked/program'), 'utf8')).toBe(content);
    });

    it.each([
      ['the signed list', 'InRelease', /NOSPLIT|Splitting up|invalid|not signed|signatures/i],
      ['the list of packages', 'Packages.gz', /Hash Sum mismatch|unexpected size/i],
    ])('have apt refuse %s if a byte of it is changed', (_, name, reason) => {
      sign();
      if (name === 'Packages.gz') rmSync(at('sources/apt/Packages'));
      appendFileSync(at('sources/apt', name), 'x');
      const { status, stdout, stderr } = apt(
        'apt-get',
        'update',
        '-o',
        'APT::Update::Error-Mode=any',
      );
      expect(status).not.toBe(0);
      expect(stdout + stderr).toMatch(reason);
    });

    it.skipIf(missingForDnf !== '')(
      `let dnf find and take the rpm, and have it refuse a list that was changed${missingForDnf && `: missing ${missingForDnf}`}`,
      () => {
        makeRpm();
        expect(sign(at('rpms'))[1]).toBe(`The dnf source is ${at('sources/dnf')}.`);
        expect(dnf('repoquery', 'appraiser-desk').stdout).toContain('appraiser-desk-0:9.9.9-1');
        expect(dnf('install', '--downloadonly', 'appraiser-desk')).toMatchObject({ status: 0 });
        appendFileSync(at('sources/dnf/repodata/repomd.xml'), ' ');
        const { status, stderr } = dnf('repoquery', 'appraiser-desk');
        expect(status).not.toBe(0);
        expect(stderr).toMatch(/signature/i);
      },
    );

    it('have apt refuse a package that is not the one of the lists', () => {
      sign();
      expect(apt('apt-get', 'update').status).toBe(0);
      appendFileSync(at('sources/apt', deb), 'x');
      const { status, stderr } = apt('apt-get', 'download', 'appraiser-desk');
      expect(status).not.toBe(0);
      expect(stderr).toMatch(/unexpected size|Hash Sum mismatch/i);
      expect(existsSync(at('apt/appraiser-desk_9.9.9_amd64.deb'))).toBe(false);
    });
  });
