import { once } from 'node:events';
import { test as base, _electron, type Browser, type Page } from '@playwright/test';
import { z } from 'zod';
import { findElectron } from '#main/start/electron-runtime.ts';
import { root, startDesk } from '../support/processes.ts';
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
  /** What lies in the clipboard, as text. */
  clipboard(): Promise<string>;
  /** Ends the desk as a person does who is asked nothing, or agrees; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** As a crash does. In the browser the page stays, without a desk behind it. */
  kill(): Promise<number | null>;
}

export type OpenDesk = (options: DeskOptions) => Promise<DeskWindow>;

const timeoutMs = 20_000;

/** Playwright's test, with a desk in the browser shell or in Electron. */
export const test = base.extend<object, { shell: Shell; openDesk: OpenDesk }>({
  shell: ['browser', { option: true, scope: 'worker' }],
  openDesk: [
    async ({ playwright, shell, launchOptions, channel, headless }, use) => {
      if (shell === 'electron') {
        await use(openInElectron);
        return;
      }
      const own = { ...launchOptions, headless, ...(channel !== undefined && { channel }) };
      const browser = await playwright.chromium.launch(own);
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
    async clipboard() {
      return z.string().parse(await page.evaluate('navigator.clipboard.readText()'));
    },
    stop: () => end('stop'),
    kill: () => end('kill'),
  };
}

/** The shell as `npm start` runs it; packages refuse the debugger through which it is driven. */
async function openInElectron({ home, args = [], locale = 'de-CH' }: DeskOptions) {
  const runtime = findElectron();
  if ('missing' in runtime) throw new Error(`no Electron: ${runtime.missing}`);
  const app = await _electron.launch({
    executablePath: runtime.path,
    args: [root, '--home', home, ...args],
    chromiumSandbox: true,
    locale,
    timezoneId: 'Europe/Zurich',
  });
  const child = app.process();
  await app.context().addInitScript({ content: letQuestionsThrough });
  const page = await app.firstWindow();
  page.setDefaultTimeout(timeoutMs);
  const errors = watchForErrors(page);
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
    clipboard: () => app.evaluate(({ clipboard }) => clipboard.readText()),
    async stop() {
      await app.evaluate(({ dialog }) => {
        dialog.showMessageBoxSync = () => 1;
      });
      await app.close();
      await ended;
      return child.exitCode;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
      return child.exitCode;
    },
  } satisfies DeskWindow;
}
