import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const marker = 'first-start-unfinished';

/**
 * Makes the first start of a data folder all or nothing. A service that dies while it fills a new
 * store has never answered anyone, so the next start throws the half away and begins again.
 */
export function beginFirstStart(directory: string): { finish(): void } {
  const markerFile = join(directory, marker);
  const isHalf = existsSync(markerFile);
  if (isHalf) {
    const half = readdirSync(directory).filter((file) => /^(?:service|replay)\.db/.test(file));
    for (const file of half) rmSync(join(directory, file));
  }
  if (!isHalf && existsSync(join(directory, 'service.db'))) return { finish: () => undefined };
  writeFileSync(markerFile, '', { mode: 0o600 });
  return { finish: () => rmSync(markerFile, { force: true }) };
}
