import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const gibibyte = 1024 ** 3;
/** The tests need a tenth of it at a time. */
const enoughBytes = 4 * gibibyte;

/**
 * The folder of this system whose files lie in memory. The tests make hundreds of homes and stores
 * that are written through to the disk, which takes more time there than everything else; what a
 * killed program leaves is the same in both. Null if this system has none, or not enough memory.
 *
 * @param {string} [path]
 * @param {number} [leastBytes] what must be free
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

/** Some systems start no program that lies there. */
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
