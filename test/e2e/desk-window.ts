import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, _electron, type Browser, type Page, expect } from '@playwright/test';
import { z } from 'zod';
import { root, startDesk, runDesk, type RunningService } from '../support/processes.ts';
import { letQuestionsThrough, openWindow, watchForErrors } from './page.ts';

/** In what the window is opened: a project of the configuration each. */
export type Shell = 'browser' | 'electron';

export interface DeskOptions {
  readonly home: string;
  readonly args?: readonly string[];
  /** Of the system, as a language tag; `de-CH` unless told. */
  readonly locale?: string;
}

/** A desk as a person has it before them. */
export interface DeskWindow {
  readonly page: Page;
  /** What the page complained about since it was opened. */
  readonly errors: () => string[];
  /** A second window of the same desk, at the same page. */
  openAnother(): Promise<Page>;
  /** The file that an act saves, under the name that is suggested for it. */
  saved(act: () => Promise<void>): Promise<SavedFile>;
  /** What lies in the clipboard, as text. */
  clipboard(): Promise<string>;
  /** Ends the desk as a person does who is asked nothing, or agrees; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** As a crash does. In the browser the page stays, without a desk behind it. */
  kill(): Promise<number | null>;
}

export interface SavedFile {
  readonly name: string;
  /** Where it is until the desk is stopped. */
  readonly path: string;
}

export type OpenDesk = (options: DeskOptions) => Promise<DeskWindow>;

const timeoutMs = 20_000;

/** Playwright's test, with a desk in the browser shell or in Electron. */
export const test = base.extend<object, { shell: Shell; openDesk: OpenDesk }>({
  shell: ['browser', { option: true, scope: 'worker' }],
  openDesk: [
    async ({ playwright, shell, launchOptions, headless }, use) => {
      if (shell === 'electron') {
        await use(openInElectron);
        return;
      }
      const browser = await playwright.chromium.launch({ ...launchOptions, headless });
      await use((options) => openInBrowser(browser, options));
      await browser.close();
    },
    { scope: 'worker' },
  ],
});

async function openInBrowser(browser: Browser, options: DeskOptions): Promise<DeskWindow> {
  const desk = await startDesk(options);
  const { locale } = options;
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    // What fades in is there at once, so that axe meets no half-faded colours.
    reducedMotion: 'reduce',
    ...(locale !== undefined && { locale }),
  });
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  const errors = watchForErrors(page);
  await openWindow(page, desk.url);
  const end = async (how: 'stop' | 'kill') => {
    const code = await desk[how]();
    await context.close();
    return code;
  };
  return {
    page,
    errors,
    async openAnother() {
      const another = await context.newPage();
      await another.goto(page.url());
      return another;
    },
    async saved(act) {
      const saving = page.waitForEvent('download');
      await act();
      const download = await saving;
      return { name: download.suggestedFilename(), path: await download.path() };
    },
    async clipboard() {
      return z.string().parse(await page.evaluate('navigator.clipboard.readText()'));
    },
    stop: () => end('stop'),
    kill: () => end('kill'),
  };
}

/**
 * A package that lets Playwright in (scripts/try-package.mjs), with the passphrase of the environment
 * instead of a keychain.
 */
const packaged = process.env['DESK_PACKAGE'];
const vault = packaged === undefined ? [] : ['--vault', 'passphrase'];

/** The shell as `npm start` runs it, or the package; those of a release refuse the debugger. */
async function openInElectron({ home, args = [], locale = 'de-CH' }: DeskOptions) {
  const app = await _electron.launch({
    // Without a path of our own Playwright takes its own switches off the command line.
    ...(packaged === undefined ? {} : { executablePath: packaged }),
    args: [...(packaged === undefined ? [root] : []), '--home', home, ...vault, ...args],
    chromiumSandbox: true,
    locale,
    timezoneId: 'Europe/Zurich',
  });
  const child = app.process();
  const folders: string[] = [];
  await app.context().addInitScript({ content: letQuestionsThrough });
  const page = await app.firstWindow();
  page.setDefaultTimeout(timeoutMs);
  const errors = watchForErrors(page);
  const isVisible = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((w) => w.isVisible()));
  await expect.poll(isVisible).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
  // The script above holds for every page to come, and this one may have come before it.
  await page.reload();
  await page.waitForURL(/#\/\w/);
  const ended = once(child, 'exit');
  return {
    page,
    errors,
    async openAnother() {
      const opening = app.waitForEvent('window');
      await app.evaluate(({ Menu }) => {
        Menu.getApplicationMenu()?.getMenuItemById('new-window')?.click();
      });
      const another = await opening;
      await another.waitForURL(/#\/\w/);
      await another.goto(page.url());
      return another;
    },
    async saved(act) {
      const folder = mkdtempSync(join(tmpdir(), 'desk-saved-'));
      folders.push(folder);
      // Electron asks with a dialog of the system; here everything goes to one place.
      await app.evaluate(({ session }, dir) => {
        const saving = new Promise<SavedFile>((resolve, reject) => {
          session.fromPartition('desk').once('will-download', (_event, item) => {
            const path = `${dir}/file`;
            item.setSavePath(path);
            item.once('done', (_done, state) => {
              if (state === 'completed') resolve({ name: item.getFilename(), path });
              else reject(new Error(state));
            });
          });
        });
        Reflect.set(globalThis, 'saving', saving);
      }, folder);
      await act();
      return await app.evaluate(() => Reflect.get(globalThis, 'saving') as Promise<SavedFile>);
    },
    clipboard: () => app.evaluate(({ clipboard }) => clipboard.readText()),
    async stop() {
      await app.evaluate(({ dialog }) => {
        dialog.showMessageBoxSync = () => 1;
      });
      await app.close();
      await ended;
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      expect(existsSync(join(home, 'opened')), 'decrypted copies are left').toBe(false);
      return child.exitCode;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
      return child.exitCode;
    },
  } satisfies DeskWindow;
}

/** Connects a desk that has not been opened yet as the service's expert. */
export async function connectExpert(home: string, service: RunningService): Promise<void> {
  const connected = await runDesk(
    home,
    ...vault,
    'connect',
    '--credentials',
    service.credentialsPath,
    '--as',
    'expert',
  );
  expect(connected.code, connected.stderr).toBe(0);
}
