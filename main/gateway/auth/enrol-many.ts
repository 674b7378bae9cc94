import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toNormalForm } from '#shared/lib/normal-form.ts';
import { UsageError } from '#shared/lib/usage-error.ts';

/** The most names of one file, so that a wrong file is noticed. */
const namesMax = 1000;
/** The most characters of a name, as the window takes it. */
const nameMaxLength = 200;

/** A device that gets a code, and the file with which it connects by itself. */
export interface NewDevice {
  readonly name: string;
  readonly file: string;
}

/**
 * Reads the names of devices, one a line; empty lines count for nothing.
 * @throws {UsageError} with the line, if a name is too long or comes twice
 */
export function readNames(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const names = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    // An accent may be a letter with it or a sign after its letter, which is one file name on macOS.
    const name = toNormalForm(line, 'NFC').trim();
    if (name === '') continue;
    const at = `line ${String(index + 1)}`;
    if (name.length > nameMaxLength) {
      throw new UsageError(`${at}: the name has over ${String(nameMaxLength)} characters`, 2);
    }
    const before = names.get(name);
    if (before !== undefined) {
      throw new UsageError(`${at}: the name is that of line ${String(before)}`, 2);
    }
    names.set(name, index + 1);
  }
  if (names.size === 0) throw new UsageError('the file has no names', 2);
  if (names.size > namesMax) {
    throw new UsageError(`the file has over ${String(namesMax)} names; split it`, 2);
  }
  return [...names.keys()];
}

/**
 * Plans the file of each device, before any code is made.
 * @throws {UsageError} if a file cannot be read, or one of a device is there already
 */
export function planDevices(namesFile: string, folder: string): NewDevice[] {
  const names = readNames(readText(namesFile));
  const used = new Set<string>();
  const devices = names.map((name) => {
    const stem = name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 80);
    let fileName = stem;
    for (let count = 2; used.has(fileName.toLowerCase()); count += 1)
      fileName = `${stem}-${String(count)}`;
    used.add(fileName.toLowerCase());
    return { name, file: join(folder, `${fileName}.json`) };
  });
  const present = devices.find(({ file }) => existsSync(file));
  if (present) throw new UsageError(`${present.file} is there already; choose an empty folder`, 2);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    throw new UsageError(`the folder ${folder} cannot be made`, 2);
  }
  return devices;
}

/** Writes what a desk takes as its one-time connection file (docs/it/policies.md). */
export function writeDevice(
  { name, file }: NewDevice,
  { code, gateway }: { readonly code: string; readonly gateway: string | undefined },
): void {
  // JSON has no member for an address that is undefined.
  const content = { gateway, code, name };
  // Never over a file that is there: another device's code could be in it.
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`${file} cannot be read`, 2);
  }
}
