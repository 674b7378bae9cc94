import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { firstStart } from '../../scripts/lib/first-start.mjs';
import { temporaryFolder } from '../support/processes.ts';

// The check that a release runs on each package, over a fake desk: it must notice each fault.

const folder = temporaryFolder();
afterAll(folder.remove);
// A made-up desk has no window that X11 could show.
beforeEach(() => void vi.stubEnv('DISPLAY', ''));
afterEach(() => void vi.unstubAllEnvs());
const clear = `fs.rmSync(home + '/opened', { recursive: true, force: true });`;
const ready = `console.log('{"event":"ready","shell":"electron","pid":1}');`;
const parts = { atStart: clear, ready, atEnd: `${clear} process.exit(0);` };

/** Starts a desk that is made of these, and tries it. */
async function tried(name: string, changed: Partial<typeof parts>): Promise<string> {
  const { atStart, ready: tells, atEnd } = { ...parts, ...changed };
  const executable = join(folder.path, name);
  const code = `#!${process.execPath}
const fs = require('node:fs');
const home = process.argv[process.argv.indexOf('--home') + 1];
process.on('SIGTERM', () => { ${atEnd} });
${atStart}
${tells}
setInterval(() => undefined, 1000);
`;
  writeFileSync(executable, code);
  chmodSync(executable, 0o755);
  return await firstStart(executable, { readyWithinMs: 20_000, endWithinMs: 20_000 });
}

it('is content with a desk that opens, ends and leaves nothing', async () => {
  expect(await tried('good', {})).toBe('its ready line came');
});

it.each([
  [
    'dies',
    { ready: `console.error('no window'); process.exit(3);` },
    /not become ready.*no window/,
  ],
  ['keeps', { atStart: '' }, /copy outlived the start/],
  ['leaves', { atEnd: 'process.exit(0);' }, /copy outlived the end/],
  ['fails', { atEnd: `${clear} process.exit(1);` }, /ended with 1/],
])('refuses a desk that %s', async (name, changed, reason) => {
  await expect(tried(name, changed)).rejects.toThrow(reason);
});
