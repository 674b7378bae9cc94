import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.ts';

/** The folder in which Debian's package nsis stores the include files of makensis. */
export const nsisData = '/usr/share/nsis';

/** These plugins come with the builder's download. Debian's package has the others. */
const plugins = ['Nsis7z', 'SpiderBanner', 'StdUtils', 'UAC', 'WinShell', 'nsProcess'];

/** Returns the functions of a plugin that the builder's scripts call. */
function functionsOf(plugin: string): string[] {
  const scripts = join(root, 'node_modules/app-builder-lib/templates/nsis');
  const names = readdirSync(scripts, { recursive: true })
    .map(String)
    .filter((name) => /\.ns[hi]$/.test(name))
    .map((name) => readFileSync(join(scripts, name), 'utf8'))
    .flatMap((text) => [...text.matchAll(new RegExp(`\\b${plugin}::(\\w+)`, 'g'))])
    .flatMap(([, name = '']) => name);
  return [...new Set(names)].sort();
}

/**
 * Arranges what electron-builder would download to build an installer for Windows: Debian's
 * makensis, and empty plugins with the right function names, so that scripts compile. An installer
 * made with them is not usable.
 * @param executable any program for Windows, in place of the one that asks for an administrator's
 * rights
 * @returns the environment in which the builder finds them
 */
export function layOutNsis(folder: string, executable: string): Record<string, string> {
  const at = (...names: string[]) => join(folder, ...names);
  for (const path of ['nsis/linux', 'resources/plugins/x86-unicode', 'bin'])
    mkdirSync(at(path), { recursive: true });
  for (const name of readdirSync(nsisData)) symlinkSync(join(nsisData, name), at('nsis', name));
  symlinkSync('/usr/bin/makensis', at('nsis/linux/makensis'));
  copyFileSync(executable, at('nsis/elevate.exe'));
  for (const name of plugins)
    writeFileSync(at('resources/plugins/x86-unicode', `${name}.dll`), library(functionsOf(name)));
  // The builder runs a first installer, which writes the uninstaller. No program for Windows runs
  // here, so this script only copies a file.
  const wine = '#!/bin/sh\ncp "$1" "${1%exe}__uninstaller.exe"\n';
  writeFileSync(at('bin/wine'), wine, { mode: 0o755 });
  return {
    ELECTRON_BUILDER_NSIS_DIR: at('nsis'),
    ELECTRON_BUILDER_NSIS_RESOURCES_DIR: at('resources'),
    PATH: `${at('bin')}:${process.env['PATH'] ?? ''}`,
  };
}

const sectionAddress = 0x1000;
const headersBytes = 512;

/** Returns a 32-bit library (PE) with one section, which exports functions by name. */
function library(functions: readonly string[]): Buffer {
  const section = exportsAt(sectionAddress, functions);
  const head = Buffer.alloc(headersBytes);
  head.write('MZ');
  head.writeUInt32LE(64, 60);
  head.write('PE', 64);
  // The file header has Intel 386, one section, and the flags of a library.
  head.writeUInt16LE(0x14c, 68);
  head.writeUInt16LE(1, 70);
  head.writeUInt16LE(224, 84);
  head.writeUInt16LE(0x2102, 86);
  // The optional header has 32 bits, alignments, sizes, and 16 directories with the exports first.
  head.writeUInt16LE(0x10b, 88);
  head.writeUInt32LE(0x1000, 120);
  head.writeUInt32LE(512, 124);
  head.writeUInt32LE(sectionAddress + 0x2000, 144);
  head.writeUInt32LE(headersBytes, 148);
  head.writeUInt32LE(16, 180);
  head.writeUInt32LE(sectionAddress, 184);
  head.writeUInt32LE(section.length, 188);
  // This is the header of the section.
  head.write('.edata', 312);
  head.writeUInt32LE(section.length, 320);
  head.writeUInt32LE(sectionAddress, 324);
  head.writeUInt32LE(section.length, 328);
  head.writeUInt32LE(headersBytes, 332);
  return Buffer.concat([head, section]);
}

/** Returns IMAGE_EXPORT_DIRECTORY with its tables of addresses, names and ordinals. */
function exportsAt(address: number, functions: readonly string[]): Buffer {
  const headBytes = 40;
  const tables = headBytes + functions.length * 10;
  const names = functions.map((name) => Buffer.from(`${name}\0`));
  const data = Buffer.alloc(tables + Buffer.concat(names).length);
  const count = functions.length;
  const [addressesAt, namesAt] = [headBytes, headBytes + count * 4];
  const ordinalsAt = headBytes + count * 8;
  data.writeUInt32LE(1, 16);
  data.writeUInt32LE(count, 20);
  data.writeUInt32LE(count, 24);
  data.writeUInt32LE(address + addressesAt, 28);
  data.writeUInt32LE(address + namesAt, 32);
  data.writeUInt32LE(address + ordinalsAt, 36);
  let textAt = tables;
  for (const [index, name] of names.entries()) {
    data.writeUInt32LE(address + tables, addressesAt + index * 4);
    data.writeUInt32LE(address + textAt, namesAt + index * 4);
    data.writeUInt16LE(index, ordinalsAt + index * 2);
    name.copy(data, textAt);
    textAt += name.length;
  }
  return data;
}
