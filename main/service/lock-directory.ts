import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from './store/sqlite-dialect.ts';

/**
 * Locks a data folder for this process; made where it does not exist. The lock is the operating
 * system's, so that it ends with the process, however that dies.
 * @returns the function that unlocks.
 * @throws {DirectoryInUseError} where another service has it.
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = lockFile(join(directory, 'service.lock'));
  if (!unlock) throw new DirectoryInUseError(directory);
  return unlock;
}

export class DirectoryInUseError extends Error {
  readonly code = 'directory_in_use';

  constructor(directory: string) {
    super(`another service is using the data folder ${directory}`);
    this.name = 'DirectoryInUseError';
  }
}
