import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, it } from 'vitest';
import { root, temporaryFolder } from '../support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

/** As in a person's shell: the system's Node, which may be older than the project's. */
const ownPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((entry) => !entry.includes('node_modules'))
  .join(delimiter);

it.each([
  ['service', ['--port', '0', '--data', join(folder.path, 'data')], 'listening'],
  ['start', ['--shell', 'browser', '--no-open', '--home', join(folder.path, 'home')], 'ready'],
])('what npm run %s started ends when npm is told to end', async (script, args, event) => {
  const npm = spawn('npm', ['run', '--silent', script, '--', ...args], {
    cwd: root,
    env: { ...process.env, PATH: ownPath },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: npm.stdout });
  expect(await once(lines, 'line')).toEqual([expect.stringContaining(`"event":"${event}"`)]);
  // The program holds the pipe as long as it lives, whatever becomes of npm.
  const ended = once(npm.stdout, 'close');
  npm.kill('SIGTERM');
  await ended;
  expect(npm.exitCode ?? npm.signalCode).not.toBeNull();
});
