import { existsSync } from 'node:fs';

/**
 * Which browser is started: the one that `CHROMIUM` names, else the first of these that is there,
 * else Chrome, which Playwright finds itself.
 */
export function chromiumAt(...paths: readonly string[]) {
  const named = process.env['CHROMIUM'];
  const found = [...(named === undefined ? [] : [named]), ...paths].find((path) =>
    existsSync(path),
  );
  return {
    ...(found === undefined ? { channel: 'chrome' } : { executablePath: found }),
    // Root has no sandbox in Chromium; everyone else keeps it.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  };
}
