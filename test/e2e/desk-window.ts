import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as passes } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  test as base,
  type Browser,
  type ElectronApplication,
  expect,
  type Page,
  type TestInfo,
} from '@playwright/test';
import { z } from 'zod';
import { type Settings, settingsFile } from '#main/engine/home/settings.ts';
import { defaultDocumentRule } from '#shared/desk/setup/storage.ts';
import { loadWindowTexts } from '#shared/i18n/catalogue.ts';
import type { Language } from '#shared/i18n/language.ts';
import { coreSecondsOfAll, noteCost } from '../../scripts/lib/core-seconds.mjs';
import { patienceMs } from '../support/long.ts';
import {
  root,
  startDesk,
  runDesk,
  type RunningService,
  type ServiceFolder,
  serviceFolder,
} from '../support/processes.ts';
import { setClock } from '../support/set-clock.mjs';
import { launchElectron } from './launch-electron.ts';
import { letQuestionsThrough, openWindow, watchForErrors } from './page.ts';

/** The shell in which the window is opened. Each one is a project of the configuration. */
export type Shell = 'browser' | 'electron';

export interface DeskOptions {
  readonly home: string;
  readonly args?: readonly string[];
  /** The locale of the system as a language tag, `de-CH` by default. */
  readonly locale?: string;
  /** Variables that are added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The time of the device's clock minus the real time, in ms. */
  readonly clockOffsetMs?: number | undefined;
}

/** A desk with its window, as the user sees it. */
export interface DeskWindow {
  readonly page: Page;
  /** Electron's main process, or null in the browser. */
  readonly app: ElectronApplication | null;
  /** Returns the errors that the page has logged since it was opened. */
  readonly errors: () => string[];
  /** Opens a second window of the same desk, at the same page. */
  openAnother(): Promise<Page>;
  /** Returns the file that an act saves, with its suggested name. */
  saved(act: () => Promise<void>): Promise<SavedFile>;
  /** Returns the printed page as a PDF. */
  printed(): Promise<Buffer>;
  /** Returns the clipboard as text. */
  clipboard(): Promise<string>;
  /** Quits the desk like a user who gets no question, or agrees. Resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Kills the desk like a crash. In the browser the page stays open without a desk. */
  kill(): Promise<number | null>;
}

export interface SavedFile {
  readonly name: string;
  /** The path of the file until the desk is stopped. */
  readonly path: string;
}

export type OpenDesk = (options: DeskOptions) => Promise<DeskWindow>;

/** The processor seconds of this worker, with its browser and programs, that are already noted. */
let noted = 0;

/** Extends Playwright's test by a desk in the browser shell or in Electron. */
export const test = base.extend<{ cost: undefined }, { shell: Shell; openDesk: OpenDesk }>({
  cost: [
    async ({ shell }, use, { file }) => {
      await use(undefined);
      const all = coreSecondsOfAll();
      noteCost({ file: relative(root, file), runner: shell, seconds: all - noted });
      noted = all;
    },
    { auto: true },
  ],
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

const clockModule = pathToFileURL(join(root, 'test/support/set-clock.mjs')).href;
const clockEnv = (clockOffsetMs: number | undefined): Record<string, string> =>
  clockOffsetMs === undefined
    ? {}
    : { CLOCK_OFFSET_MS: String(clockOffsetMs), CLOCK_MODULE: clockModule };

async function openInBrowser(browser: Browser, options: DeskOptions): Promise<DeskWindow> {
  const { locale, clockOffsetMs } = options;
  const clock = clockOffsetMs === undefined ? {} : { NODE_OPTIONS: `--import=${clockModule}` };
  const env = { ...options.env, ...clockEnv(clockOffsetMs), ...clock };
  const desk = await startDesk({ ...options, env });
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
    // Without transitions axe meets no half-faded colours.
    reducedMotion: 'reduce',
    ...(locale !== undefined && { locale }),
  });
  if (clockOffsetMs !== undefined) await context.addInitScript(setClock, clockOffsetMs);
  const page = await context.newPage();
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
 * A package that Playwright can control (scripts/try-package.mjs). Its vault takes the passphrase
 * of the environment instead of a keychain.
 */
const packaged = process.env['DESK_PACKAGE'];
const vault = packaged === undefined ? [] : ['--vault', 'passphrase'];

const environment = () =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );

/** Opens the shell as `npm start` runs it, or the package. Release packages refuse the debugger. */
async function openInElectron(options: DeskOptions) {
  const { home, args = [], locale = 'de-CH', env = {}, clockOffsetMs } = options;
  const app = await launchElectron({
    // Without this path Playwright removes its own switches from the command line.
    ...(packaged === undefined ? {} : { executablePath: packaged }),
    args: [...(packaged === undefined ? [root] : []), '--home', home, ...vault, ...args],
    chromiumSandbox: true,
    env: { ...environment(), ...env, ...clockEnv(clockOffsetMs) },
    locale,
    timezoneId: 'Europe/Zurich',
  });
  const child = app.process();
  const folders: string[] = [];
  await app.context().addInitScript({ content: letQuestionsThrough });
  if (clockOffsetMs !== undefined) await app.context().addInitScript(setClock, clockOffsetMs);
  const page = await app.firstWindow({ timeout: patienceMs });
  const errors = watchForErrors(page);
  const isVisible = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((w) => w.isVisible()));
  await expect.poll(isVisible).toBe(true);
  await page.setViewportSize({ width: 1440, height: 900 });
  // The init script runs in every later page, so a page that opened before it is loaded again.
  await page.reload();
  await page.waitForURL(/#\/\w/);
  const ended = once(child, 'exit');
  return {
    page,
    app,
    errors,
    async openAnother() {
      const opening = app.waitForEvent('window', { timeout: patienceMs });
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
      // Electron would open a system dialog. Here all files are saved in one folder.
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

/** The options of a desk in a `deskFolder`. */
interface FolderDesk {
  readonly lang: Language;
  /** The name of the desk's home in the folder. */
  readonly home?: string;
  /** The service whose expert the desk is. Without it the desk has the practice workspace. */
  readonly service?: RunningService | undefined;
  readonly locale?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly clockOffsetMs?: number | undefined;
  /**
   * Whether the desk downloads and reads the documents of all open cases in the background, as it
   * does for a user. That takes longer than its start, so only tests that need it have it.
   */
  readonly fetchesDocuments?: boolean | undefined;
}

/** Lets a new desk download only the documents that it is asked for. */
export function keepNoDocuments(home: string): void {
  if (existsSync(join(home, settingsFile))) return;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const settings: Settings = {
    version: 1,
    language: null,
    activeId: null,
    workspaces: [],
    documents: { ...defaultDocumentRule, keep: 'none' },
  };
  writeFileSync(join(home, settingsFile), JSON.stringify(settings), { mode: 0o600 });
}

/**
 * Creates a folder for the service and the desks of a test file. All end after the file's last
 * test.
 */
export function deskFolder() {
  const { end, start, ...folder } = serviceFolder();
  const desks: DeskWindow[] = [];
  const connected = new Set<string>();
  const practising = new Set<string>();
  let ofLimits: Readonly<Record<string, string>> = {};
  /**
   * If the service has other limits, the desks get them, so that they do not wait for the usual
   * ones.
   */
  const startService: ServiceFolder['start'] = (...args) => {
    if (args.includes('--limits')) ofLimits = folder.ownLimits;
    return start(...args);
  };
  test.afterEach(() =>
    attachPages(
      desks.map(({ page }) => page),
      test.info(),
    ),
  );
  test.afterAll(async () => {
    for (const desk of desks) await desk.stop();
    await end();
  });
  /**
   * Opens a desk, also on the same home after a crash, and waits for the cases of its first sync.
   */
  const open = async (
    openDesk: OpenDesk,
    { lang, home = 'home', service, locale, env, clockOffsetMs, fetchesDocuments }: FolderDesk,
  ) => {
    if (fetchesDocuments !== true) keepNoDocuments(folder.at(home));
    if (service && !connected.has(home)) await connectExpert(folder.at(home), service);
    connected.add(home);
    const desk = await openDesk({
      home: folder.at(home),
      args: ['--lang', lang],
      ...(locale !== undefined && { locale }),
      env: { ...ofLimits, ...env },
      clockOffsetMs,
    });
    desks.push(desk);
    const count = service ? '[1-9][\\d’]*' : '60';
    const { status, first } = await loadWindowTexts[lang]();
    const [, words = ''] = status.onLaptop.split(' | {n} ');
    // The status bar leaves out this number where its other parts need the room.
    const all = desk.page.getByText(new RegExp(`^${count} ${words}$`));
    await all.waitFor({ state: 'attached', timeout: patienceMs }).catch(async (error: unknown) => {
      throw new Error(await describeStart(desk, folder.at(home)), { cause: error });
    });
    if (!service && !practising.has(home)) {
      // A new desk shows first steps instead of what is due.
      practising.add(home);
      await desk.page.getByRole('button', { name: first.hide, exact: true }).click();
    }
    return desk;
  };
  return { ...folder, start: startService, open };
}

/**
 * Describes a desk that has not shown its cases, for a machine that nobody can look at: hooks attach
 * no page. The logs hold nothing of a case.
 */
async function describeStart({ page, errors }: DeskWindow, home: string): Promise<string> {
  const bar = page.getByRole('contentinfo');
  const shown = await bar.innerText({ timeout: 15_000 }).catch(String);
  const logs = join(home, 'logs');
  const lines = existsSync(logs)
    ? readdirSync(logs).flatMap((name) =>
        readFileSync(join(logs, name), 'utf8').trim().split('\n').slice(-2),
      )
    : ['no logs'];
  return [
    'the desk does not show its cases',
    `${page.url()} ${shown.replaceAll('\n', ' | ')}`,
    ...errors(),
    ...lines,
  ].join('\n');
}

/** Whether a page draws, which no click succeeds without. */
const drawingState = `new Promise((resolve) => {
  const say = (word) => resolve(document.visibilityState + ', ' + word);
  requestAnimationFrame(() => say('draws'));
  setTimeout(say, 5000, 'draws nothing');
})`;

/**
 * Attaches the content of the pages if a test fails on a machine that nobody can look at.
 * Playwright takes its own picture only after the desks have ended.
 */
export async function attachPages(pages: readonly Page[], info: TestInfo): Promise<void> {
  if (info.status === info.expectedStatus) return;
  for (const page of pages.filter((one) => !one.isClosed())) {
    // A page that does not answer is a separate fault, which this text reports.
    const content = await page.locator('body').ariaSnapshot({ timeout: 15_000 }).catch(String);
    const state = await Promise.race([
      page.evaluate(drawingState).catch(String),
      passes(15_000, 'does not answer', { ref: false }),
    ]);
    const body = `${String(state)}\n${content}`;
    await info.attach('page', { body, contentType: 'text/plain' });
  }
}

/** Connects a desk that has not been opened yet as the service's expert. */
export async function connectExpert(home: string, service: RunningService): Promise<void> {
  const as = ['connect', '--credentials', service.credentialsPath, '--as', 'expert'];
  const connected = await runDesk(home, ...vault, ...as);
  expect(connected.code, connected.stderr).toBe(0);
}

/** The desk that the tests of a file share. */
export interface PracticeDesk {
  /** Returns the window, which exists from the first test on. */
  window(): DeskWindow;
  /** Returns the page of the window. */
  page(): Page;
  /** A folder for files of the tests, which is removed after the last one. */
  readonly folderPath: string;
  readonly homePath: string;
}

/**
 * Opens a window with a new practice workspace before the first test of a file. It checks after
 * each test that the console is silent, and removes everything after the last one.
 */
export function openPracticeDesk({
  lang = 'de',
  ...options
}: Partial<Omit<FolderDesk, 'home' | 'service'>> = {}): PracticeDesk {
  const folder = deskFolder();
  let desk: DeskWindow | undefined;
  test.beforeAll(async ({ openDesk }) => {
    desk = await folder.open(openDesk, { lang, ...options });
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
