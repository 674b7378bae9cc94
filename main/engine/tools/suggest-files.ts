import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { SuggestedFiles } from '#shared/desk/work-package.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';

/**
 * Files that do not exist yet, in the person's folder of documents or else their own: nobody has to
 * type a path by heart.
 */
export function suggestFiles(nowMs: number, home = homedir()): SuggestedFiles {
  const documents = join(home, 'Documents');
  const folder = existsSync(documents) ? documents : home;
  const suggest = (what: string, extension: string) => {
    const name = `appraiser-desk-${what}-${zurichDay(nowMs)}`;
    for (let number = 1; ; number += 1) {
      const file = join(folder, `${name}${number > 1 ? `-${String(number)}` : ''}.${extension}`);
      if (!existsSync(file)) return file;
    }
  };
  return { backup: suggest('backup', 'desk'), bundle: suggest('diagnostics', 'zip') };
}
