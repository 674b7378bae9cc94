import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { DeskError, diskProblem } from '#shared/desk/contract/errors.ts';

/** The number of files that a desk opens while it starts, with some room. */
const neededFiles = 48;

/**
 * The reason why a desk could not be opened. SQLite and the loader of modules do not tell whether
 * the system refused another open file, so the system is asked again.
 */
export function startProblem(error: unknown): unknown {
  if (error instanceof DeskError) return error;
  const known = diskProblem(error);
  if (known) return known;
  return isShortOfFiles() ? new DeskError('files_exhausted', {}, { cause: error }) : error;
}

/** Whether the system lets this process open fewer files than a desk needs. */
function isShortOfFiles(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < neededFiles) opened.push(openSync(devNull, 'r'));
    return false;
  } catch (error) {
    return diskProblem(error)?.code === 'files_exhausted';
  } finally {
    for (const file of opened) closeSync(file);
  }
}
