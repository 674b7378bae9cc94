import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { endsWithTests } from '../support/children.ts';
import { memoryFolder } from '../../scripts/lib/memory-folder.mjs';
import { root, temporaryFolder } from '../support/processes.ts';

it.skipIf(process.platform === 'win32')('a folder in memory is one that starts programs', () => {
  const parent = temporaryFolder();
  expect(memoryFolder(parent.path, 0)).toBe(parent.path);
  expect(readdirSync(parent.path)).toEqual([]);
  parent.remove();
});

it('there is none without enough memory, or on a system that has no such folder', () => {
  const parent = temporaryFolder();
  expect(memoryFolder(parent.path, Infinity)).toBeNull();
  expect(readdirSync(parent.path)).toEqual([]);
  expect(memoryFolder(join(parent.path, 'missing'), 0)).toBeNull();
  parent.remove();
});

it.skipIf(process.platform !== 'linux')(
  'temporary files of the tests lie in memory, and are removed after a signal, too',
  async () => {
    const env = { ...process.env, TMPDIR: undefined, TMP: undefined, TEMP: undefined };
    const script = 'console.log(process.env.TMPDIR); setInterval(() => undefined, 60_000)';
    const keyring = join(root, 'scripts/with-keyring.mjs');
    const child = endsWithTests(
      spawn(process.execPath, [keyring, process.execPath, '-e', script], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    const ended = once(child, 'exit');
    try {
      const lines: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
      const path = String(lines[0]);
      expect(dirname(path)).toBe(memoryFolder() ?? '/tmp');
      expect(existsSync(path)).toBe(true);
      child.kill('SIGTERM');
      await ended;
      expect(existsSync(path)).toBe(false);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  },
);
