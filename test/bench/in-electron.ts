import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { z } from 'zod';
import { findElectron } from '#main/start/electron-runtime.ts';
import { endsWithTests } from '../support/children.ts';
import { root } from '../support/processes.ts';
import { cpuOf } from './desk-processes.ts';

/** Electron's executable, or null with the reason on stderr. */
export function electronPath(): string | null {
  const runtime = findElectron();
  if ('path' in runtime) return runtime.path;
  process.stderr.write(`Nothing was measured in Electron: ${runtime.missing}.\n`);
  return null;
}

export interface OpenedDesk {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly pid: number;
  close(): Promise<void>;
}

/** An application of Electron's in a folder, driven by Playwright. */
export async function launch(folder: string, ...args: string[]): Promise<ElectronApplication> {
  return await _electron.launch({
    args: [folder, ...args],
    chromiumSandbox: true,
    locale: 'en-GB',
    timezoneId: 'Europe/Zurich',
  });
}

export async function openDesk(home: string): Promise<OpenedDesk> {
  const app = await launch(root, '--home', home, '--lang', 'en');
  const page = await app.firstWindow();
  await page.waitForURL(/#\/\w/);
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900),
  );
  return { app, page, pid: app.process().pid ?? 0, close: () => endDesk(app) };
}

async function endDesk(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ dialog }) => {
    dialog.showMessageBoxSync = () => 1;
  });
  await app.close();
}

/** The answer of the window's page, in which the desk's own policy does not apply. */
export async function ask(app: ElectronApplication, code: string): Promise<unknown> {
  return await app.evaluate(async ({ BrowserWindow }, asked) => {
    for (;;) {
      const [window] = BrowserWindow.getAllWindows();
      if (window) return (await window.webContents.executeJavaScript(asked)) as unknown;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }, code);
}

/**
 * What it takes from the call until an element that meets the condition is painted in the first
 * window: milliseconds, and core-seconds of all processes.
 */
export async function startUntil(
  condition: string,
  folder: string,
  ...args: string[]
): Promise<{ ms: number; coreSeconds: number }> {
  const start = Date.now();
  const app = await launch(folder, ...args);
  const painted = await ask(
    app,
    `new Promise((resolve) => {
      const look = () => {
        if (!(${condition})) return;
        changes.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(Date.now())));
      };
      const changes = new MutationObserver(look);
      changes.observe(document, { childList: true, subtree: true });
      look();
    })`,
  );
  const coreSeconds = cpuOf(app.process().pid ?? 0);
  await endDesk(app);
  return { ms: z.number().parse(painted) - start, coreSeconds };
}

/**
 * A desk that nothing drives, as the user has it: `task` gets its process once its window is shown.
 */
export async function withDeskAlone(
  executable: string,
  home: string,
  task: (pid: number) => Promise<void>,
): Promise<void> {
  const child = endsWithTests(
    spawn(executable, [root, '--home', home], { stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout }))
      if (line.startsWith('{"event":"ready"')) break;
    await task(child.pid ?? 0);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
