import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { endsWithTests } from '../support/children.ts';
import { root } from '../support/processes.ts';

// The network here is a stand-in: Chromium drops the connections of the tests beside this one when an
// address comes or goes.

const module = pathToFileURL(join(root, 'test/support/private-network.ts')).href;

it.skipIf(process.platform === 'win32').each([
  ['a signal', 'setInterval(() => undefined, 60_000);', 143],
  ['an error', 'process.stdin.once("end", () => nothing()).resume();', 1],
  ['its end', 'process.stdin.resume();', 0],
])('the network of a run is removed after %s', async (what, ending, expected) => {
  const program = `
    import { writeSync } from 'node:fs';
    import { sharePrivateNetwork } from ${JSON.stringify(module)};
    const close = () => writeSync(1, 'closed\\n');
    sharePrivateNetwork(() => ({ address: '10.0.0.1', elsewhere: [], close }));
    console.log(process.env.TEST_PRIVATE_NETWORK);
    ${ending}`;
  const child = endsWithTests(
    spawn(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'ignore'],
    }),
  );
  const ended = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (lines.length > 1) continue;
    if (what === 'a signal') child.kill('SIGTERM');
    else child.stdin.end();
  }
  expect(lines).toEqual(['{"address":"10.0.0.1","elsewhere":[]}', 'closed']);
  expect(await ended).toEqual([expected, null]);
});
