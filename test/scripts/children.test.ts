import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { endChildren, endsWithTests } from '../support/children.ts';
import { root } from '../support/processes.ts';

const sleeps = 'setInterval(() => undefined, 60_000)';
const startSleeping = () => endsWithTests(spawn(process.execPath, ['-e', sleeps]));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('a child that its test does not end is ended after the tests of the file', async () => {
  const child = startSleeping();
  await endChildren();
  expect(child.signalCode).toBe('SIGKILL');
});

it.skipIf(process.platform === 'win32')('so is what a detached child left behind', async () => {
  const script = `${process.execPath} -e '${sleeps}' & echo $!`;
  const child = endsWithTests(
    spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const ended = once(child, 'exit');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  await ended;
  expect(isRunning(Number(line))).toBe(true);
  const closed = once(child, 'close');
  await endChildren();
  await closed;
  await expect.poll(() => isRunning(Number(line))).toBe(false);
});

it('and a child of a process that exits, as Playwright’s do', async () => {
  const module = pathToFileURL(join(root, 'test/support/children.ts')).href;
  const program = `
    import { spawn } from 'node:child_process';
    import { endsWithTests } from ${JSON.stringify(module)};
    console.log(endsWithTests(spawn(process.execPath, ['-e', ${JSON.stringify(sleeps)}])).pid);
    process.exit();`;
  const child = endsWithTests(
    spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  await expect.poll(() => isRunning(Number(line))).toBe(false);
});

it('reports a program that cannot be started to its test', async () => {
  const child = endsWithTests(spawn(join(root, 'nowhere')));
  expect(await once(child, 'error')).toEqual([expect.objectContaining({ code: 'ENOENT' })]);
});

it('every child of the tests ends with them', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  const others = files
    .filter((file) => /\.(?:ts|mjs)$/.test(file))
    .flatMap((file) => {
      const lines = readFileSync(join(root, 'test', file), 'utf8').matchAll(
        /(?<!endsWithTests\(\s*)\bspawn\(/g,
      );
      return Array.from(lines, () => file);
    });
  expect(others).toEqual([]);
});
