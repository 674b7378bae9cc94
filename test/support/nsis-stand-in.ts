import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Format, NtExecutable } from 'resedit';
import { root } from './processes.ts';

/** Where Debian's package nsis puts what its makensis includes. */
export const nsisData = '/usr/share/nsis';

/** The plugins of the builder's download; Debian's package has the others. */
const plugins = ['Nsis7z', 'SpiderBanner', 'StdUtils', 'UAC', 'WinShell', 'nsProcess'];

/** The functions of a plugin that the builder's scripts call. */
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
 * Lays out what electron-builder would download to make an installer for Windows: Debian's makensis, and
 * plugins with the right names of functions and nothing in them, so that scripts compile. An installer
 * made with them is not for use.
 *
 * @param executable any program for Windows, in place of the one that asks for an administrator's rights
 * @returns the environment by which the builder finds them
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
  // The builder runs a first installer, which writes the uninstaller; nothing for Windows runs here.
  const wine = '#!/bin/sh\ncp "$1" "${1%exe}__uninstaller.exe"\n';
  writeFileSync(at('bin/wine'), wine, { mode: 0o755 });
  return {
    ELECTRON_BUILDER_NSIS_DIR: at('nsis'),
    ELECTRON_BUILDER_NSIS_RESOURCES_DIR: at('resources'),
    PATH: `${at('bin')}:${process.env['PATH'] ?? ''}`,
  };
}

/** A library of 32 bits that exports functions by name. */
function library(functions: readonly string[]): Buffer {
  const made = NtExecutable.createEmpty(true, true);
  const set = (address: number) =>
    made.setSectionByEntry(Format.ImageDirectoryEntry.Export, {
      info: {
        name: '.edata',
        virtualSize: 0,
        virtualAddress: 0,
        sizeOfRawData: 0,
        pointerToRawData: 0,
        pointerToRelocations: 0,
        pointerToLineNumbers: 0,
        numberOfRelocations: 0,
        numberOfLineNumbers: 0,
        characteristics: 0x4000_0040,
      },
      data: exportsAt(address, functions),
    });
  // The library decides on the address, which the table of names contains.
  set(0);
  const { virtualAddress } = made.newHeader.optionalHeaderDataDirectory.get(
    Format.ImageDirectoryEntry.Export,
  );
  set(virtualAddress);
  return Buffer.from(made.generate());
}

/** IMAGE_EXPORT_DIRECTORY with its tables of addresses, names and ordinals. */
function exportsAt(address: number, functions: readonly string[]): ArrayBuffer {
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
  return data.buffer.slice(data.byteOffset, data.byteOffset + data.length);
}
