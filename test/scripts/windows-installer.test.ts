import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Arch, build, Platform } from 'electron-builder';
import { afterAll, expect, it, vi } from 'vitest';
import { makeRuntime } from '../support/made-up-runtime.ts';
import { layOutNsis, nsisData } from '../support/nsis-stand-in.ts';
import { root, temporaryFolder } from '../support/processes.ts';

// The script of the Windows installer compiled with our settings, and what the builder signs. Nothing of it
// runs here: plugins, program and certificate are made up.

const tools = ['/usr/bin/makensis', '/usr/bin/osslsigncode', '/usr/bin/7za', nsisData];
const missing = tools.filter((path) => !existsSync(path));
const why = process.platform === 'linux' ? missing.join(', ') : 'this is not Linux';

const { path: folder, remove } = temporaryFolder();
afterAll(() => {
  vi.unstubAllEnvs();
  remove();
});

function makeCertificate(): { certificate: string; bundle: string } {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const bundle = join(folder, 'certificate.p12');
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const subject = ['-subj', '/CN=Test of a signature', '-days', '2'];
  const use = ['-addext', 'extendedKeyUsage=codeSigning'];
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes'];
  openssl('req', ...kind, '-keyout', key, '-out', certificate, ...subject, ...use);
  const pair = ['-inkey', key, '-in', certificate];
  openssl('pkcs12', '-export', ...pair, '-out', bundle, '-passout', 'pass:of a test');
  return { certificate, bundle };
}

async function makeInstaller(bundle: string): Promise<string> {
  const runtime = join(folder, 'runtime');
  const contents = join(folder, 'contents');
  await makeRuntime(runtime, 'win32');
  mkdirSync(join(contents, 'resources'), { recursive: true });
  copyFileSync(join(runtime, 'electron.exe'), join(contents, 'Appraiser Desk.exe'));
  const environment = {
    ...layOutNsis(folder, join(runtime, 'electron.exe')),
    ELECTRON_BUILDER_7ZIP_PATH: '/usr/bin/7za',
    USE_SYSTEM_OSSLSIGNCODE: 'true',
    // No time from a server.
    ELECTRON_BUILDER_OFFLINE: 'true',
    WIN_CSC_LINK: bundle,
    WIN_CSC_KEY_PASSWORD: 'of a test',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const output = join(folder, 'packages');
  await build({
    projectDir: root,
    targets: Platform.WINDOWS.createTarget(['nsis'], Arch.x64),
    publish: 'never',
    prepackaged: contents,
    config: {
      extends: join(root, 'electron-builder.yml'),
      electronDist: runtime,
      directories: { output },
      compression: 'store',
      nsis: { artifactName: 'desk-installer.exe' },
    },
  });
  return join(output, 'desk-installer.exe');
}

const hasValidSignature = (file: string, certificate: string) =>
  spawnSync('osslsigncode', ['verify', '-CAfile', certificate, file]).status === 0;

if (why !== '') it.skip(`The installer for Windows is not compiled; missing: ${why}`);
else
  it('the installer for Windows compiles with our settings and is signed', async () => {
    const { certificate, bundle } = makeCertificate();
    const installer = await makeInstaller(bundle);
    expect(hasValidSignature(installer, certificate)).toBe(true);
    const changed = join(folder, 'changed.exe');
    const content = readFileSync(installer);
    content.writeUInt8(content.readUInt8(100_000) ^ 1, 100_000);
    writeFileSync(changed, content);
    expect(hasValidSignature(changed, certificate)).toBe(false);
    // It asks for an administrator's rights, as a package for all users must.
    expect(content.includes('level="requireAdministrator"')).toBe(true);
  });
