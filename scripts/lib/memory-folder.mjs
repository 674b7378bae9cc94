import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const gibibyte = 1024 ** 3;
/** The tests need a tenth of it at a time. */
const enoughBytes = 4 * gibibyte;

/**
 * A folder for temporary files whose writes wait for no disk. The tests make hundreds of homes and
 * stores that are written through to the disk, which takes more time there than everything else; what
 * a killed program leaves is the same in both. Null if this system has none, or not enough memory.
 *
 * @param {string} [parent]
 * @param {number} [leastBytes] what must be free
 * @returns {{ path: string, remove: () => void } | null}
 */
export function memoryFolder(parent = '/dev/shm', leastBytes = enoughBytes) {
  try {
    const { bavail, bsize } = statfsSync(parent);
    if (Math.min(bavail * bsize, process.availableMemory()) < leastBytes) return null;
    const path = mkdtempSync(join(parent, 'desk-'));
    const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    // As /tmp: the tests start programs as other users, too.
    chmodSync(path, 0o1777);
    if (runsPrograms(path)) return { path, remove };
    remove();
    return null;
  } catch {
    return null;
  }
}

/** Some systems start no program that lies there. */
function runsPrograms(folder) {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program, { stdio: 'ignore' });
  rmSync(program);
  return status === 0;
}
