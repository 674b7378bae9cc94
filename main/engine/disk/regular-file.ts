import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { DeskError } from '#shared/desk/contract/errors.ts';

/**
 * Whether a path leads to a FIFO, a socket or a device. Opening or reading one may never end. If
 * nothing exists at the path, the result is false, and the reading reports the error.
 */
export function isSpecialFile(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isFile() && !stat.isDirectory();
}

/** @throws {DeskError} file_not_regular */
export function assertNotSpecial(path: string): void {
  if (isSpecialFile(path)) throw new DeskError('file_not_regular', { fileName: basename(path) });
}
