import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { link, lstat, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { DeskError, isDiskFull } from '#shared/desk/contract/errors.ts';

/**
 * Ensures that a rename or a new name in this folder survives a power cut. Windows has no such call
 * for folders and needs none, because NTFS journals names.
 */
export async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Replaces a small file as a whole: after a crash at any moment it contains either the old bytes or
 * the new ones. The file is readable by its owner only (0600).
 */
export function replaceFile(file: string, data: string): void {
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(handle, data);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  // Windows needs no call, as in `syncDirectory`.
  if (process.platform === 'win32') return;
  const directory = openSync(dirname(file), 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/**
 * @throws {DeskError} invalid_input if a path is relative, because the program's working folder
 *   would complete it
 */
export function assertAbsolute(field: string, path: string): void {
  if (!isAbsolute(path)) throw new DeskError('invalid_input', { field, rule: 'absolute' });
}

/**
 * Writes a file that the user requested, readable by its owner only. The file appears only when it
 * is complete. An existing file is never replaced; then nothing of the content is read.
 * @param file an absolute path
 * @returns its size
 * @throws {DeskError} invalid_input, file_exists, file_unwritable, disk_full; and the errors of the
 *   content
 */
export async function writeNewFile(
  file: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<number> {
  assertAbsolute('file', file);
  const name = basename(file);
  const isTaken = await lstat(file).then(
    () => true,
    () => false,
  );
  if (isTaken) throw new DeskError('file_exists', { fileName: name });
  const temporary = join(dirname(file), `.${name}.${randomBytes(6).toString('hex')}.part`);
  try {
    let sizeBytes = 0;
    const handle = await orSay(name, () => open(temporary, 'wx', 0o600));
    try {
      for await (const piece of content) {
        await orSay(name, () => handle.writeFile(piece));
        sizeBytes += piece.length;
      }
      await orSay(name, () => handle.sync());
    } finally {
      await handle.close();
    }
    await orSay(name, () => giveName(temporary, file));
    await syncDirectory(dirname(file));
    return sizeBytes;
  } finally {
    // The earlier failure is thrown. Nothing reads an incomplete file.
    await unlink(temporary).catch(() => undefined);
  }
}

/**
 * Gives the file its name. It fails if the name was taken since the check, because a rename alone
 * would overwrite the other file.
 */
async function giveName(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw error;
    // FAT and exFAT, which most USB sticks have, do not support links, so an empty file reserves
    // the name.
    await (await open(file, 'wx', 0o600)).close();
    try {
      await rename(temporary, file);
    } catch (notRenamed) {
      await unlink(file);
      throw notRenamed;
    }
  }
}

async function orSay<Result>(fileName: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isDiskFull(error)) throw new DeskError('disk_full', {}, { cause: error });
    if (hasCode(error, 'EEXIST'))
      throw new DeskError('file_exists', { fileName }, { cause: error });
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new DeskError('file_unwritable', { fileName, reason }, { cause: error });
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
