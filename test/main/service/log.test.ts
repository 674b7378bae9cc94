import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { root } from '../../support/processes.ts';

const lines = 3000;

/** What a process writes to its log that ends in some way at once after its last line. */
async function logOf(ending: string): Promise<unknown[]> {
  const program = `
    import { createLog } from '#main/service/log.ts';
    const log = createLog('info');
    for (let number = 0; number < ${lines}; number += 1) log.info({ number });
    ${ending}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const written = await text(child.stderr);
  return written
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { number: unknown }).number);
}

test.each([
  ['ends by itself', ''],
  ['exits', 'process.exit();'],
  ['waits for its log and exits', 'log.flush(() => process.exit());'],
])('log: every line of a process that %s is written, once', async (_, ending) => {
  expect(await logOf(ending)).toEqual(Array.from({ length: lines }, (_, number) => number));
});
