import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../support/processes.ts';
import { ProcessEnded } from './app-stand-in.ts';
import { stand } from './electron-stand-in.ts';

vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electron);
const { app } = stand;
const { commandLineOf, runCommandLine } = await import('#main/electron/command-line.ts');

const folder = temporaryFolder();
afterAll(folder.remove);
beforeEach(() => {
  const { argv, exitCode } = process;
  stand.restart();
  onTestFinished(() => {
    process.argv = argv;
    process.exitCode = exitCode;
  });
});
/** As Electron continues to `ready` in the meantime. */
function run(args: readonly string[], file: string): Promise<void> {
  const running = runCommandLine(args, file);
  app.becomeReady();
  return running;
}

/** A built command line. */
function entry(name: string, code: string): string {
  const file = join(folder.path, name);
  writeFileSync(file, code);
  return file;
}

it('is told by its switch, after those of its launcher and no other', () => {
  expect(commandLineOf(['desk', '--home', 'x'])).toBeNull();
  expect(commandLineOf(['desk', '--remote-debugging-port=9222', '--cli', 'cases'])).toBeNull();
  expect(commandLineOf(['desk', '--disable-gpu', '--cli', 'cases', '--cli'])).toEqual([
    'cases',
    '--cli',
  ]);
  // AppRun adds it if a system lets nobody have user namespaces.
  expect(commandLineOf(['desk', '--no-sandbox', '--cli', 'cases'])).toEqual(['cases']);
});

it('has its arguments, ends with its exit code, and leaves nothing of Chromium’s', async () => {
  const recorded = join(folder.path, 'recorded.json');
  const file = entry(
    'ends.mjs',
    `import { writeFileSync } from 'node:fs';
     writeFileSync(${JSON.stringify(recorded)}, JSON.stringify(process.argv.slice(2)));
     process.exitCode = 3;`,
  );
  await run(['cases', '--q', 'a b'], file);
  expect(JSON.parse(readFileSync(recorded, 'utf8'))).toEqual(['cases', '--q', 'a b']);
  expect(app.exitCode).toBe(3);
  expect(app.paths['userData']).toContain('appraiser-desk-cli-');
  expect(existsSync(app.paths['userData'] ?? '')).toBe(false);
});

it('is not run with a port for debugging', async () => {
  app.switches.push('remote-debugging-port');
  const running = runCommandLine([], join(folder.path, 'none.mjs'));
  await expect(running).rejects.toThrow(ProcessEnded);
  expect(app.exitCode).toBe(2);
});

it.runIf(process.platform === 'linux')('looks for no display, by an AppImage neither', async () => {
  await run([], entry('nothing.mjs', ''));
  expect(app.switches).toEqual(['ozone-platform=headless', 'disable-gpu']);
});

it('is interrupted and not cut if Electron is told to quit', async () => {
  const file = entry(
    'waits.mjs',
    `await new Promise((resolve) => process.once('SIGINT', resolve)); process.exitCode = 1;`,
  );
  const ended = run([], file);
  await vi.waitFor(() => expect(process.listenerCount('SIGINT')).toBeGreaterThan(0));
  app.quit();
  expect(app.exitCode).toBeNull();
  await ended;
  expect(app.exitCode).toBe(1);
});
