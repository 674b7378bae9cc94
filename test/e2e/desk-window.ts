import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  test as base,
  _electron,
  type Browser,
  type ElectronApplication,
  expect,
  type Page,
  type TestInfo,
} from '@playwright/test';
import { z } from 'zod';
import { smokeOrLong } from '../support/long.ts';
import {
  root,
  startDesk,
  runDesk,
  type RunningService,
  type ServiceFolder,
  serviceFolder,
} from '../support/processes.ts';
import { letQuestionsThrough, openWindow, watchForErrors } from './page.ts';

/** In what the window is opened: a project of the configuration each. */
export type Shell = 'browser' | 'electron';

export interface DeskOptions {
  readonly home: string;
  readonly args?: readonly string[];
  /** Of the system, as a language tag; `de-CH` by default. */
  readonly locale?: string;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A desk as a user has it before them. */
export interface DeskWindow {
  readonly page: Page;
  /** Electron's main process; null in the browser. */
  readonly app: ElectronApplication | null;
  /** What the page complained about since it was opened. */
  readonly errors: () => string[];
  /** A second window of the same desk, at the same page. */
  openAnother(): Promise<Page>;
  /** The file that an act saves, under the name that is suggested for it. */
  saved(act: () => Promise<void>): Promise<SavedFile>;
  /** What the page is on paper. */
  printed(): Promise<Buffer>;
  /** What lies in the clipboard, as text. */
  clipboard(): Promise<string>;
  /** Ends the desk as a user does who is asked nothing, or agrees; resolves with the exit code. */
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

const timeoutMs = 30_000;

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
    app: null,
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
    printed: () => page.pdf({ preferCSSPageSize: true }),
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

const environment = () =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );

/** The shell as `npm start` runs it, or the package; those of a release refuse the debugger. */
async function openInElectron({ home, args = [], locale = 'de-CH', env = {} }: DeskOptions) {
  const app = await _electron.launch({
    // Without a path of our own Playwright takes its own switches off the command line.
    ...(packaged === undefined ? {} : { executablePath: packaged }),
    args: [...(packaged === undefined ? [root] : []), '--home', home, ...vault, ...args],
    chromiumSandbox: true,
    env: { ...environment(), ...env },
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
  // The script above runs in every page to come, and this one may have come before it.
  await page.reload();
  await page.waitForURL(/#\/\w/);
  const ended = once(child, 'exit');
  return {
    page,
    app,
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
      // Electron asks with a dialog of the system; here everything lands in one place.
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
    async printed() {
      const pdf = await app.evaluate(async ({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows();
        return (await window?.webContents.printToPDF({ preferCSSPageSize: true }))?.toString(
          'base64',
        );
      });
      return Buffer.from(pdf ?? '', 'base64');
    },
    clipboard: () => app.evaluate(({ clipboard }) => clipboard.readText()),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      await app.evaluate(({ dialog }) => {
        dialog.showMessageBoxSync = () => 1;
        dialog.showMessageBox = () => Promise.resolve({ response: 1, checkboxChecked: false });
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

/** What a desk of a `deskFolder` is opened with. */
interface FolderDesk {
  readonly lang: 'de' | 'en';
  /** Name of its home in the folder. */
  readonly home?: string;
  /** Whose expert it is; without one it has the practice workspace. */
  readonly service?: RunningService | undefined;
  readonly locale?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A folder for the service and the desks of a file's tests, which all end after the last of them. */
export function deskFolder() {
  const { end, start, ...folder } = serviceFolder();
  const desks: DeskWindow[] = [];
  const connected = new Set<string>();
  let ofLimits: Readonly<Record<string, string>> = {};
  /** A service with other limits has desks that know them, and wait for no others. */
  const startService: ServiceFolder['start'] = (...args) => {
    if (args.includes('--limits')) ofLimits = folder.ownLimits;
    return start(...args);
  };
  test.afterEach(() => attachPages(desks, test.info()));
  test.afterAll(async () => {
    for (const desk of desks) await desk.stop();
    await end();
  });
  /** Opens a desk, over the same home after a crash, and waits for the cases of its first sync. */
  const open = async (
    openDesk: OpenDesk,
    { lang, home = 'home', service, locale, env }: FolderDesk,
  ) => {
    if (service && !connected.has(home)) await connectExpert(folder.at(home), service);
    connected.add(home);
    const desk = await openDesk({
      home: folder.at(home),
      args: ['--lang', lang],
      ...(locale !== undefined && { locale }),
      env: { ...ofLimits, ...env },
    });
    desks.push(desk);
    const count = service ? '[1-9][\\d’]*' : '60';
    const words = lang === 'de' ? 'Fälle auf diesem Gerät' : 'cases on this device';
    const timeout = smokeOrLong(120_000, 900_000);
    await desk.page.getByText(new RegExp(`^${count} ${words}$`)).waitFor({ timeout });
    return desk;
  };
  return { ...folder, start: startService, open };
}

/**
 * What is on the pages when a test fails, for a machine that nobody can look at. Playwright's own
 * picture comes after the desks have ended.
 */
async function attachPages(desks: readonly DeskWindow[], info: TestInfo): Promise<void> {
  if (info.status === info.expectedStatus) return;
  for (const { page } of desks.filter((desk) => !desk.page.isClosed())) {
    // A page that does not answer is a separate fault.
    const body = await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String);
    await info.attach('page', { body, contentType: 'text/plain' });
  }
}

/** Connects a desk that has not been opened yet as the service's expert. */
export async function connectExpert(home: string, service: RunningService): Promise<void> {
  const as = ['connect', '--credentials', service.credentialsPath, '--as', 'expert'];
  const connected = await runDesk(home, ...vault, ...as);
  expect(connected.code, connected.stderr).toBe(0);
}

/** What the tests of a file have of the desk that is opened for all of them. */
export interface PracticeDesk {
  /** The window; there from the first test on. */
  window(): DeskWindow;
  /** Its page. */
  page(): Page;
  /** A folder for files of the tests; removed after the last one. */
  readonly folderPath: string;
  readonly homePath: string;
}

/**
 * Opens a window over a new practice workspace before the first test of a file, holds its console to
 * silence after each, and takes everything away after the last.
 *
 * @param locale of the system, as a language tag
 */
export function openPracticeDesk(lang: 'de' | 'en' = 'de', locale?: string): PracticeDesk {
  const folder = deskFolder();
  let desk: DeskWindow | undefined;
  test.beforeAll(async ({ openDesk }) => {
    desk = await folder.open(openDesk, { lang, locale });
  });
  test.afterEach(() => {
    expect(desk?.errors()).toEqual([]);
  });
  const window = () => {
    if (!desk) throw new Error('the window is not opened yet');
    return desk;
  };
  return {
    window,
    page: () => window().page,
    folderPath: folder.path,
    homePath: folder.at('home'),
  };
}
