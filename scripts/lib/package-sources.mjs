import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const keyName = 'appraiser-desk.asc';

/**
 * Makes an apt source of the debs in a folder and a dnf source of its rpms. A web server serves the
 * two folders as they are. The signature covers the lists, which have the digest of each package.
 *
 * @param {{ packages: string, target: string, signingKey: string }} source `packages` has the debs
 *   and rpms, `target` gets the folders `apt` and `dnf`, `signingKey` is the key's fingerprint in
 *   gpg's keyring
 * @returns {string[]} a line for each source: what was made, or why it was not
 * @throws {Error} if gpg cannot sign, or dpkg-deb or createrepo_c fails
 */
export function makePackageSources({ packages, target, signingKey }) {
  const gpg = (...args) => execFileSync('gpg', ['--batch', '--yes', '-u', signingKey, ...args]);
  const kinds = [
    { name: 'apt', ending: '.deb', program: 'dpkg-deb', index: writeAptIndex },
    { name: 'dnf', ending: '.rpm', program: 'createrepo_c', index: writeDnfIndex },
  ];
  return kinds.map(({ name, ending, program, index }) => {
    const files = readdirSync(packages).filter((file) => file.endsWith(ending));
    if (files.length === 0) return `No ${name} source was made: there is no ${ending} package.`;
    if (spawnSync(program, ['--version'], { stdio: 'ignore' }).status !== 0)
      return `No ${name} source was made: ${program} is missing.`;
    const folder = join(target, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const file of files) copyFileSync(join(packages, file), join(folder, file));
    index(folder, files, gpg);
    writeFileSync(join(folder, keyName), gpg('--armor', '--export', signingKey));
    return `The ${name} source is ${folder}.`;
  });
}

/** Writes a flat apt source: Packages, and Release with its digest, signed (InRelease). */
function writeAptIndex(folder, debs, gpg) {
  const stanzas = debs.map((deb) => {
    const path = join(folder, deb);
    const control = execFileSync('dpkg-deb', ['-f', path], { encoding: 'utf8' }).trimEnd();
    const { size, sha256 } = sumOf(readFileSync(path));
    return `${control}\nFilename: ./${deb}\nSize: ${size}\nSHA256: ${sha256}\n`;
  });
  const list = Buffer.from(stanzas.join('\n'));
  const lists = { Packages: list, 'Packages.gz': gzipSync(list) };
  const digests = Object.entries(lists).map(([name, bytes]) => {
    writeFileSync(join(folder, name), bytes);
    const { size, sha256 } = sumOf(bytes);
    return ` ${sha256} ${size} ${name}`;
  });
  const release = [
    'Origin: Appraiser Desk',
    'Label: Appraiser Desk',
    'Suite: stable',
    'Architectures: amd64 arm64',
    `Date: ${new Date().toUTCString().replace('GMT', 'UTC')}`,
    'SHA256:',
    ...digests,
  ];
  writeFileSync(join(folder, 'Release'), `${release.join('\n')}\n`);
  gpg('--clearsign', '--output', join(folder, 'InRelease'), join(folder, 'Release'));
}

/** Writes a dnf source: repodata, whose repomd.xml is signed beside itself. */
function writeDnfIndex(folder, _rpms, gpg) {
  execFileSync('createrepo_c', ['--quiet', '--checksum', 'sha256', folder]);
  const list = join(folder, 'repodata/repomd.xml');
  gpg('--armor', '--detach-sign', '--output', `${list}.asc`, list);
}

const sumOf = (bytes) => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});
