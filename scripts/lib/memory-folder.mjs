import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const gibibyte = 1024 ** 3;
/** The required free memory. The tests need a tenth of it at a time. */
const enoughBytes = 4 * gibibyte;

/**
 * Returns the folder of this system whose files are in memory. The tests make hundreds of homes and
 * stores that are written through to the disk. On a disk, this takes more time than everything
 * else. A killed program leaves the same in memory as on a disk. The result is null if this system
 * has no such folder, or not enough memory.
 *
 * @param {string} [path]
 * @param {number} [leastBytes] the number of bytes that must be free
 * @returns {string | null}
 */
export function memoryFolder(path = '/dev/shm', leastBytes = enoughBytes) {
  try {
    const { bavail, bsize } = statfsSync(path);
    if (Math.min(bavail * bsize, process.availableMemory()) < leastBytes) return null;
    return runsPrograms(path) ? path : null;
  } catch {
    return null;
  }
}

/**
 * Whether programs can be started from a folder. Some systems start no program that is in such a
 * folder.
 */
function runsPrograms(parent) {
  const folder = mkdtempSync(join(parent, 'desk-'));
  try {
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    return spawnSync(program, { stdio: 'ignore' }).status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
