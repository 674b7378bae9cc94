import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './say.mjs';

/** Runs the npm that started this script, or the one in the path, and returns its output. */
export function npm(root, args) {
  const script = process.env.npm_execpath;
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 };
  const { status, stdout, stderr } = script?.endsWith('.js')
    ? spawnSync(process.execPath, [script, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (status !== 0) throw new Refusal(`npm ${args.join(' ')} failed: ${stderr || stdout}`);
  return stdout;
}

/**
 * The notices for works inside a package whose texts the package does not contain, in the words
 * that their licences require.
 */
const notices = {
  '@cornerstonejs/codec-libjpeg-turbo-8bit': [
    'Contains libjpeg-turbo (https://libjpeg-turbo.org), under the IJG License, the Modified (3-clause)',
    'BSD License and the zlib License. This software is based in part on the work of the Independent',
    'JPEG Group.',
  ].join('\n'),
  'zxing-wasm':
    'Contains ZXing-C++ (https://github.com/zxing-cpp/zxing-cpp), under the Apache License, Version 2.0 (https://www.apache.org/licenses/LICENSE-2.0).',
  '@jsquash/webp':
    'Contains libwebp (https://chromium.googlesource.com/webm/libwebp), Copyright (c) 2010, Google Inc., under the Modified (3-clause) BSD License.',
};

/**
 * Returns the licences of everything that is shipped, one after the other: of the production
 * packages, of those that are bundled into the window and the engine's threads, and of Electron. A
 * package without the text of its licence is listed with the licence that it declares. The Mozilla
 * Public License requires the place of the source, which every package has.
 *
 * @param {string} root
 * @param {readonly { name: string, version: string, path: string, licence: string, source: string }[]} packages
 * @returns {string}
 */
export function licenceText(root, packages) {
  const parts = packages.map(({ name, version, path, licence, source }) => {
    const dir = join(root, path);
    const files = existsSync(dir)
      ? readdirSync(dir, { withFileTypes: true }).filter(
          (entry) => entry.isFile() && /^(?:licen[cs]e|copying|notice)/i.test(entry.name),
        )
      : [];
    const texts = files.map((file) => readFileSync(join(dir, file.name), 'utf8').trim());
    if (notices[name] !== undefined) texts.push(notices[name]);
    return `${name} ${version} (${licence})\n${source}\n\n${texts.join('\n\n')}`.trim();
  });
  return `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** Returns the name under which a package is installed, by its path in the lock file. */
const nameIn = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/**
 * Returns the shipped packages according to the lock file: every package that is not only for
 * development, the packages in the bundles, and the runtime.
 *
 * @param {Record<string, any>} lock
 * @param {readonly { name: string }[]} bundled what Vite bundled for window and threads
 */
export function shippedPackages(lock, bundled) {
  const names = new Set(['electron', ...bundled.map(({ name }) => name)]);
  return Object.entries(lock.packages)
    .filter(([path]) => path.startsWith('node_modules/'))
    .map(([path, entry]) => ({
      name: entry.name ?? nameIn(path),
      version: entry.version,
      path,
      licence: entry.license ?? 'unknown',
      source: entry.resolved,
      isDev: entry.dev === true || entry.devOptional === true,
    }))
    .filter(({ name, isDev }) => !isDev || names.has(name))
    .sort((one, other) => one.path.localeCompare(other.path));
}

const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));

/**
 * The files in which Vite lists the packages in the built window, in its workers and in the
 * engine's threads.
 */
const bundleLists = [
  'renderer/bundled.json',
  'renderer/bundled-in-workers.json',
  'main/bundled.json',
];

/** Returns every package that is shipped. The window and the shell must be built. */
function builtPackages(root) {
  const lists = bundleLists.map((name) => join(root, 'dist', name)).filter(existsSync);
  return shippedPackages(
    readJson(root, 'package-lock.json'),
    lists.flatMap((file) => readJson(file)),
  );
}

/**
 * Makes the window's list of everything that is shipped. A desk that runs from this checkout may be
 * serving the list, so the file is replaced as a whole, and only if the list changes.
 *
 * @param {string} root
 */
export function writeLibraries(root) {
  const libraries = builtPackages(root).map(({ name, version, licence }) => ({
    name,
    version,
    licence,
  }));
  const file = join(root, 'dist/renderer/licences.json');
  const text = JSON.stringify(libraries);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, text);
  renameSync(fresh, file);
}

/**
 * Makes the bill of materials (CycloneDX). npm lists a package that is installed under an alias by
 * its alias, which no vulnerability scanner knows, so the real names are restored.
 *
 * @param {string} root
 * @param {Record<string, any>} lock
 */
export function billOfMaterials(root, lock) {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const bill = JSON.parse(npm(root, args));
  const realNames = new Map(
    Object.entries(lock.packages)
      .filter(([, { name }]) => name !== undefined)
      .map(([path, { name, version }]) => [`${nameIn(path)}@${version}`, name]),
  );
  for (const component of bill.components) {
    const name = realNames.get(`${component.name}@${component.version}`);
    if (name === undefined) continue;
    component.name = name;
    component.purl = `pkg:npm/${name.replace('@', '%40')}@${component.version}`;
  }
  return bill;
}

/**
 * Writes dist/legal: the bill of materials (CycloneDX) and the licences. Both go into the packages.
 *
 * @param {string} root
 */
export function writeLegal(root) {
  const dir = join(root, 'dist/legal');
  mkdirSync(dir, { recursive: true });
  const lock = readJson(root, 'package-lock.json');
  const bill = billOfMaterials(root, lock);
  writeFileSync(join(dir, 'sbom.cdx.json'), JSON.stringify(bill, null, 2));
  writeFileSync(join(dir, 'THIRD-PARTY-LICENCES.txt'), licenceText(root, builtPackages(root)));
}
