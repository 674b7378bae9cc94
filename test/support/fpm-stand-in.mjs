#!/usr/bin/env node
/**
 * Stands in for fpm, which electron-builder would download. It arranges the given tree and passes
 * it with the control file and maintainer scripts to dpkg-deb. It knows the arguments that
 * electron-builder uses for a deb, and refuses all others, so that nothing is omitted silently.
 */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const texts = { type: 'string', multiple: true, default: [] };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    s: { ...text, short: 's' },
    t: { ...text, short: 't' },
    d: { ...texts, short: 'd' },
    force: { type: 'boolean' },
    'deb-recommends': texts,
    'deb-compression': text,
    'deb-priority': text,
    architecture: text,
    'after-install': text,
    'after-remove': text,
    description: text,
    version: text,
    package: text,
    name: text,
    maintainer: text,
    vendor: text,
    url: text,
    license: text,
  },
});
if (values.s !== 'dir' || values.t !== 'deb') throw new Error('it makes a deb of a folder alone');

const tree = mkdtempSync(join(tmpdir(), 'deb-'));
try {
  chmodSync(tree, 0o755);
  for (const mapping of positionals) layOut(mapping);
  const sums = md5sums();
  writeControl();
  writeFileSync(join(tree, 'DEBIAN/md5sums'), sums);
  const compression = `-Z${values['deb-compression']}`;
  // The files belong to root, regardless of who builds the package.
  const args = ['--root-owner-group', compression, '--build', tree, values.package];
  execFileSync('dpkg-deb', args, { stdio: 'inherit' });
} finally {
  rmSync(tree, { recursive: true, force: true });
}

/** Copies `SOURCE=TARGET`. A source that ends in a slash is a folder whose contents are copied. */
function layOut(mapping) {
  const at = mapping.indexOf('=');
  const target = join(tree, mapping.slice(at + 1));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(mapping.slice(0, at), target, { recursive: true, verbatimSymlinks: true });
}

/** Returns the sums with which `dpkg --verify` compares the installed files. */
function md5sums() {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${hash('md5', readFileSync(path))}  ${relative(tree, path)}\n`)
    .join('');
}

function writeControl() {
  const control = join(tree, 'DEBIAN');
  const sizeKb = execFileSync('du', ['-sk', '--apparent-size', tree], { encoding: 'utf8' });
  const [synopsis, ...description] = values.description.split('\n');
  const fields = {
    Package: values.name,
    Version: values.version,
    License: values.license,
    Vendor: values.vendor,
    Architecture: values.architecture,
    Maintainer: values.maintainer,
    'Installed-Size': sizeKb.split('\t')[0],
    Depends: values.d.join(', '),
    Recommends: values['deb-recommends'].join(', '),
    Section: 'default',
    Priority: values['deb-priority'],
    Homepage: values.url,
    Description: [synopsis, ...description.map((line) => ` ${line.trim() || '.'}`)].join('\n'),
  };
  const lines = Object.entries(fields).filter(([, value]) => value);
  mkdirSync(control, { mode: 0o755 });
  writeFileSync(
    join(control, 'control'),
    lines.map(([name, value]) => `${name}: ${value}\n`).join(''),
  );
  const scripts = { postinst: values['after-install'], postrm: values['after-remove'] };
  for (const [name, path] of Object.entries(scripts))
    writeFileSync(join(control, name), readFileSync(path), { mode: 0o755 });
}
