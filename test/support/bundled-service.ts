import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './processes.ts';

/** The service as `npm run service` runs it, from its bundle. */
export const bundledService: readonly string[] = [
  process.execPath,
  join(root, 'scripts/service.cjs'),
];

/** Makes the bundle where a source has changed, so that no start of the service has to. */
export function buildService(): void {
  spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-stale', 'service'], {
    stdio: ['ignore', 2, 2],
  });
}
