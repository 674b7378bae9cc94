import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DeskError } from '#shared/desk/errors.ts';
import { FileTypeScanner } from '#shared/lib/file-signature.ts';
import {
  assertFileName,
  assertFileSize,
  assertNotTooLarge,
  documentTypeOf,
} from '#shared/lib/file-type.ts';
import { isSystemFile } from '#shared/lib/safe-file-name.ts';

/**
 * The files of a folder and its subfolders, as relative paths with slashes, in the order of their
 * names. Links are not followed: they may lead out of the folder.
 * @throws {DeskError} file_not_found
 */
export async function readFolder(folder: string): Promise<string[]> {
  const paths: string[] = [];
  const readInto = async (relative: string) => {
    const entries = await readdir(join(folder, relative), { withFileTypes: true });
    entries.sort((a, b) => a.name.localeCompare(b.name, 'de', { numeric: true }));
    for (const entry of entries) {
      if (isSystemFile(entry.name)) continue;
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) await readInto(path);
      else if (entry.isFile()) paths.push(path);
    }
  };
  try {
    await readInto('');
  } catch (error) {
    throw new DeskError('file_not_found', { fileName: basename(folder) }, { cause: error });
  }
  return paths;
}

/**
 * Reads a file whole and checks it as it would be when it is attached.
 * @throws {DeskError} file_not_found, file_name_invalid, file_empty, file_too_large,
 * file_type_not_allowed, file_type_mismatch
 */
export async function inspectFile(file: string): Promise<{ sizeBytes: number; sha256: string }> {
  const fileName = basename(file);
  assertFileName(fileName);
  const hash = createHash('sha256');
  const scanner = new FileTypeScanner();
  let sizeBytes = 0;
  try {
    for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
      sizeBytes += piece.length;
      assertNotTooLarge(fileName, sizeBytes);
      hash.update(piece);
      scanner.push(piece);
    }
  } catch (error) {
    if (error instanceof DeskError) throw error;
    throw new DeskError('file_not_found', { fileName }, { cause: error });
  }
  assertFileSize(fileName, sizeBytes);
  documentTypeOf(fileName, scanner.traits());
  return { sizeBytes, sha256: hash.digest('hex') };
}
