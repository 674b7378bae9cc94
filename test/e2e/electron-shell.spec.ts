import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as passes } from 'node:timers/promises';
import { type ElectronApplication, expect, type Page } from '@playwright/test';
import type { SaveDialogOptions } from 'electron';
import { z } from 'zod';
import { findElectron } from '#main/start/electron-runtime.ts';
import { shellTexts, startTexts } from '#shared/i18n/catalogue.ts';
import { sayQuit } from '#shared/i18n/say-statement.ts';
import { endChildren, endsWithTests } from '../support/children.ts';
import { patienceMs, smokeOrLong } from '../support/long.ts';
import { freePort } from '../support/ports.ts';
import { root, temporaryFolder } from '../support/processes.ts';
import { attachPages, keepNoDocuments, test } from './desk-window.ts';
import { launchElectron } from './launch-electron.ts';
import { addressOf, letQuestionsThrough, openInWork } from './page.ts';

/**
 * These are the parts that only the desktop shell has: its language, questions, quitting and
 * guards.
 */

// Each test starts its own desk. In a single worker they took longer than all other files.
test.describe.configure({ mode: 'parallel' });

const folder = temporaryFolder();
let homes = 0;
const newHome = () => join(folder.path, `home-${String((homes += 1))}`);

const pages: Page[] = [];
test.afterEach(async () => {
  await attachPages(pages.splice(0), test.info());
  await endChildren();
});
test.afterAll(() => folder.remove());

interface Start {
  readonly home: string;
  readonly args?: readonly string[];
  /** The value of `LANG`. */
  readonly lang?: string;
  /** Whether secrets survive the process. If not, there is neither a passphrase nor a keychain. */
  readonly isKept?: boolean;
}

/**
 * Starts the shell from the sources. Boxes and dialogs are recorded, and `answerWith` answers them.
 */
async function start({ home, args = [], lang = 'C', isKept = true }: Start) {
  const { LC_ALL: _all, LC_MESSAGES: _messages, LANGUAGE: _list, ...env } = process.env;
  const secrets = isKept
    ? { DESK_VAULT_PASSPHRASE: 'of a test' }
    : { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nobody-listens-here' };
  keepNoDocuments(home);
  const app = await launchElectron({
    args: [root, '--home', home, ...(isKept ? ['--vault', 'passphrase'] : []), ...args],
    env: { ...env, LANG: lang, ...secrets },
    chromiumSandbox: true,
    // Without this value Playwright sets another locale for the page than the system has.
    locale: '',
    timezoneId: 'Europe/Zurich',
  });
  endsWithTests(app.process());
  const lines: string[] = [];
  app
    .process()
    .stderr?.setEncoding('utf8')
    .on('data', (text: string) => lines.push(text));
  await app.context().addInitScript({ content: letQuestionsThrough });
  const boxesFile = join(home, '..', `${basename(home)}-boxes.jsonl`);
  await recordBoxes(app, boxesFile);
  const page = await app.firstWindow({ timeout: patienceMs });
  pages.push(page);
  await page.waitForURL(/#\/\w/);
  // The init script runs only in later pages, so this one is loaded again.
  await page.reload();
  await page.waitForURL(/#\/\w/);
  return { app, page, boxes: () => readBoxes(boxesFile), said: () => lines.join('') };
}

const boxSchema = z.object({
  /** The title of the window that owns the box, or null if no window does. */
  parent: z.string().nullable(),
  windows: z.int(),
  message: z.string().optional(),
  title: z.string().optional(),
  detail: z.string().optional(),
  defaultPath: z.string().optional(),
  buttons: z.array(z.string()).optional(),
});
type Box = z.infer<typeof boxSchema>;
const openingButtons = new Set(Object.values(shellTexts).map(({ keepWaiting }) => keepWaiting));

/** Replaces the functions that open system boxes, because nobody can click those here. */
async function recordBoxes(app: ElectronApplication, file: string): Promise<void> {
  await app.evaluate(({ dialog, BrowserWindow }, to) => {
    const { appendFileSync } = process.getBuiltinModule('node:fs');
    const record = (given: readonly unknown[]) => {
      const [parent, options] = given.length > 1 ? given : [null, given[0]];
      const title = parent instanceof BrowserWindow ? parent.getTitle() : null;
      const windows = BrowserWindow.getAllWindows().filter((each) => each.isVisible()).length;
      appendFileSync(to, `${JSON.stringify({ ...(options as object), parent: title, windows })}\n`);
      return Number(Reflect.get(globalThis, 'answer') ?? 0);
    };
    Object.assign(dialog, {
      showMessageBox: (...given: unknown[]) =>
        Promise.resolve({ response: record(given), checkboxChecked: false }),
      showMessageBoxSync: (...given: unknown[]) => record(given),
      showErrorBox: (title: string, message: string) => void record([{ title, message }]),
      showSaveDialog: (...given: unknown[]) =>
        Promise.resolve({ canceled: record(given) === 0, filePath: '' }),
    });
  }, file);
}

function readBoxes(file: string): Box[] {
  try {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    return (
      lines
        .map((line) => boxSchema.parse(JSON.parse(line)))
        // On a busy machine the desk may first report that it is still opening.
        .filter(({ buttons }) => !openingButtons.has(buttons?.[0] ?? ''))
    );
  } catch {
    return [];
  }
}

const answerWith = (app: ElectronApplication, button: number) =>
  app.evaluate((_electron, answer) => void Reflect.set(globalThis, 'answer', answer), button);

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

const menuLabels = (app: ElectronApplication) =>
  app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label));

const menuOf = (language: keyof typeof shellTexts) => {
  const { file, edit, view } = shellTexts[language];
  return [file, edit, view];
};

/** Types a comment on a case without a network, and queues it. */
async function leaveUnsentWork(page: Page): Promise<void> {
  // The status bar leaves out this number where its other parts need the room.
  const all = page.getByText(/60 cases on this device/);
  await all.waitFor({ state: 'attached' });
  await page.goto(addressOf(page, 'practice'));
  // The choice is shown once the engine has it; until then, an earlier answer may show the former.
  const offline = page.getByRole('radio', { name: 'Disconnected' });
  await offline.click();
  await expect(offline).toBeChecked();
  // The first documents may still be loading.
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText('Offline', { exact: true }).waitFor();
  await openInWork(page);
  await page.getByRole('textbox', { name: 'Comment' }).fill('seen on site');
  await page.getByRole('button', { name: 'Save comment' }).click();
  await expect(page.getByText('Waiting for a connection').first()).toBeVisible();
}

// `TEST_LONG` tests every tenth of a second up to three seconds.
const momentsMs = smokeOrLong(
  [0, 150, 300, 500, 800, 1200, 2000],
  Array.from({ length: 30 }, (_, at) => at * 100),
);
test('SIGTERM at any moment of a start ends the desk in order, and without a box', async () => {
  for (const afterMs of momentsMs) {
    const runtime = findElectron();
    if (!('path' in runtime)) throw new Error(runtime.missing);
    const args = [root, '--home', newHome(), '--vault', 'passphrase'];
    const env = { ...process.env, DESK_VAULT_PASSPHRASE: 'of a test' };
    const child = endsWithTests(spawn(runtime.path, args, { env }));
    let written = '';
    child.stderr.on('data', (chunk: Buffer) => (written += chunk.toString()));
    await passes(afterMs);
    const askedAt = performance.now();
    child.kill('SIGTERM');
    await ended(child);
    const tookMs = Math.round(performance.now() - askedAt);
    expect(written, `after ${String(afterMs)} ms`).not.toContain(shellTexts.de.engineGone);
    expect(written, `after ${String(afterMs)} ms`).not.toMatch(/Unerwarteter|unexpected/);
    test.info().annotations.push({
      type: `after ${String(afterMs)} ms`,
      description: `${String(tookMs)} ms`,
    });
  }
});

test('menu and window speak the language of the system, and follow the settings at once', async () => {
  const home = newHome();
  const { app, page } = await start({ home, lang: 'it_CH.UTF-8' });
  await expect(page.locator('html')).toHaveAttribute('lang', /^it/);
  expect(await menuLabels(app)).toEqual(menuOf('it'));
  await page.goto(addressOf(page, 'settings/appearance'));
  await page.getByRole('radio', { name: 'Français', exact: true }).check();
  await expect(page.locator('html')).toHaveAttribute('lang', /^fr/);
  await expect.poll(() => menuLabels(app)).toEqual(menuOf('fr'));
  await app.close();

  const again = await start({ home, lang: 'it_CH.UTF-8' });
  await expect(again.page.locator('html')).toHaveAttribute('lang', /^fr/);
  expect(await menuLabels(again.app)).toEqual(menuOf('fr'));
  await again.app.close();

  // The argument overrides the settings without changing them.
  const english = await start({ home, args: ['--lang', 'en'] });
  await expect(english.page.locator('html')).toHaveAttribute('lang', /^en/);
  expect(await menuLabels(english.app)).toEqual(menuOf('en'));
  await english.app.close();
  const last = await start({ home });
  expect(await menuLabels(last.app)).toEqual(menuOf('fr'));
});

test('without a language of the system every part is German', async () => {
  const { app, page } = await start({ home: newHome() });
  await expect(page.locator('html')).toHaveAttribute('lang', /^de/);
  expect(await menuLabels(app)).toEqual(menuOf('de'));
});

test('each death of the engine is in the log, and the box names the log and the bundle', async () => {
  const home = newHome();
  const { app, boxes } = await start({ home, args: ['--lang', 'en'] });
  const file = join(home, 'logs', 'shell.log');
  const deaths = () =>
    (existsSync(file) ? readFileSync(file, 'utf8') : '{}')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'the engine process died');
  const child = app.process();
  const pids = new Set<number>();
  for (let death = 1; death <= 4; death += 1) {
    const pid = await nextEngine(app, pids);
    pids.add(pid);
    process.kill(pid, 'SIGSEGV');
    await expect.poll(() => deaths().length).toBe(death);
  }
  expect(await ended(child)).toBe(1);
  expect(deaths().map(({ count }) => count)).toEqual([1, 2, 3, 4]);
  for (const death of deaths()) {
    expect(death).toMatchObject({ code: 11, uptimeSeconds: expect.any(Number) });
  }
  const [box] = boxes();
  expect(box?.message).toBe(shellTexts.en.engineGone);
  expect(box?.detail).toContain(file);
  expect(box?.detail).toContain('diagnostics --to');
});

/** Waits for an engine that was not killed yet and returns its process id. */
async function nextEngine(app: ElectronApplication, killed: ReadonlySet<number>): Promise<number> {
  let found: number | undefined;
  await expect
    .poll(async () => {
      const engines = await app.evaluate(({ app: electron }) =>
        electron.getAppMetrics().filter(({ name }) => name === 'Appraiser Desk Engine'),
      );
      found = engines.map(({ pid }) => pid).find((pid) => !killed.has(pid));
      return found;
    })
    .toBeDefined();
  return found ?? 0;
}

test('no page of the tests is opened while the process that draws fails', async () => {
  const { app, page, said } = await start({ home: newHome() });
  await page.evaluate('new Promise(requestAnimationFrame)');
  const child = app.process();
  await app.close();
  expect(await ended(child)).toBe(0);
  expect(said()).not.toContain('GPU process');
});

test('no decrypted copy is left by a crash, nor when the desk ends', async () => {
  const home = newHome();
  const leaveCopy = (name: string) => {
    const dir = join(home, 'opened', name);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'report.pdf'), '%PDF-');
    return dir;
  };
  const ofCrash = leaveCopy('of-a-crash');
  const { app } = await start({ home });
  expect(existsSync(ofCrash)).toBe(false);
  leaveCopy('of-this-run');
  const child = app.process();
  await app.close();
  expect(await ended(child)).toBe(0);
  expect(existsSync(join(home, 'opened'))).toBe(false);
});

test.describe('with unsent work', () => {
  test('closing the window asks before it closes, and staying leaves it as it was', async () => {
    const { app, page, boxes } = await start({ home: newHome(), args: ['--lang', 'en'] });
    await leaveUnsentWork(page);
    const address = page.url();
    const close = () =>
      app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await close();
    await expect.poll(() => boxes().length).toBe(1);
    expect(boxes()[0]).toMatchObject({
      parent: expect.stringContaining('Appraiser Desk'),
      windows: 1,
      message: shellTexts.en.quitQuestion,
      detail: 'What is waiting is saved on this device.\nWill be sent after the next start: 1.',
    });
    expect(app.windows()).toEqual([page]);
    expect(page.url()).toBe(address);
    await expect(page.getByRole('textbox', { name: 'Comment' })).toBeVisible();

    await answerWith(app, 1);
    const child = app.process();
    await close();
    expect(await ended(child)).toBe(0);
    expect(boxes()).toHaveLength(2);
  });

  test('that ends with the desk for want of a keychain, the box calls nothing saved', async () => {
    const args = ['--lang', 'en'];
    const { app, page, boxes } = await start({ home: newHome(), args, isKept: false });
    await leaveUnsentWork(page);
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await expect.poll(() => boxes().length).toBe(1);
    const { quitQuestion: message } = shellTexts.en;
    const detail = sayQuit({ state: 'deleted' }, 'en');
    expect(boxes()[0]).toMatchObject({ message, detail });
  });

  // Electron reports `shutdown` on Linux and macOS, and `session-end` to a window on Windows.
  for (const how of ['SIGTERM', 'shutdown', 'session-end'] as const)
    test(`${how} ends the desk without a question, and nothing is lost`, async () => {
      const home = newHome();
      const { app, page, boxes } = await start({ home, args: ['--lang', 'en'] });
      await leaveUnsentWork(page);
      const notes = page.getByRole('textbox', { name: 'Comment' });
      await notes.fill('unsaved changes');
      const child = app.process();
      if (how === 'SIGTERM') child.kill('SIGTERM');
      else if (how === 'shutdown')
        await app.evaluate(({ powerMonitor }) => {
          powerMonitor.emit('shutdown', { preventDefault: () => undefined });
        });
      else
        await app.evaluate(({ BrowserWindow }) => {
          BrowserWindow.getAllWindows()[0]?.emit('session-end', {});
        });
      expect(await ended(child)).toBe(0);
      expect(boxes()).toEqual([]);

      const again = await start({ home, args: ['--lang', 'en'] });
      await again.page.goto(addressOf(again.page, 'queue'));
      await expect(again.page.getByText('seen on site')).toBeVisible();
      await openInWork(again.page);
      await expect(again.page.getByRole('textbox', { name: 'Comment' })).toHaveValue(
        'unsaved changes',
      );
    });
});

test('quitting goes on after a page with something unsaved, however late that page answers', async () => {
  const { app, page, boxes } = await start({ home: newHome(), args: ['--lang', 'en'] });
  // A page can ask before it closes only after the user has done something in it.
  await page.getByRole('link', { name: 'Cases' }).click();
  await page.evaluate('addEventListener("beforeunload", (event) => event.preventDefault())');
  await answerWith(app, 1);
  const child = app.process();
  await app.evaluate(({ app: electron, BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    const pid = contents?.getOSProcessId() ?? 0;
    // On a busy machine the page gets the answer only after the desk has continued.
    contents?.once('will-prevent-unload', () => {
      process.kill(pid, 'SIGSTOP');
      setTimeout(() => process.kill(pid, 'SIGCONT'), 500);
    });
    electron.quit();
  });
  await expect.poll(() => child.exitCode).toBe(0);
  expect(boxes().map(({ message }) => message)).toEqual([shellTexts.en.leaveQuestion]);
});

test('a view that is saved as a PDF is named after its case', async () => {
  const { app, page, boxes } = await start({ home: newHome(), args: ['--lang', 'en'] });
  // The status bar leaves out this number where its other parts need the room.
  const all = page.getByText(/60 cases on this device/);
  await all.waitFor({ state: 'attached' });
  await openInWork(page);
  const name = await page.getByRole('heading', { level: 1 }).textContent();
  await app.evaluate(({ Menu, BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    // On a busy desktop another window may have the focus. The menu acts on the window that it
    // belongs to.
    window?.blur();
    Menu.getApplicationMenu()?.getMenuItemById('save-pdf')?.click(undefined, window);
  });
  await expect.poll(() => boxes().length).toBe(1);
  const file = basename(boxes()[0]?.defaultPath ?? '');
  expect(file).toMatch(/^SF-\d+.* \d{4}-\d\d-\d\d\.pdf$/);
  expect(file).toContain(name);
});

test('a copy is saved through the system’s dialog, under the file’s name', async () => {
  const { app, page } = await start({ home: newHome(), args: ['--lang', 'en'] });
  // The status bar leaves out this number where its other parts need the room.
  const all = page.getByText(/60 cases on this device/);
  await all.waitFor({ state: 'attached' });
  await app.evaluate(({ session }) => {
    const asked: unknown[] = [];
    Reflect.set(globalThis, 'asked', asked);
    // This listener runs after the desk's own one and before the dialog.
    session.fromPartition('desk').on('will-download', (_event, item) => {
      asked.push(item.getSaveDialogOptions());
      item.cancel();
    });
  });
  const asked = () => app.evaluate(() => Reflect.get(globalThis, 'asked') as SaveDialogOptions[]);
  await openInWork(page);
  const address = page.url();
  await page
    .getByRole('button', { name: /^Download to this device: / })
    .first()
    .click();
  const save = page.getByRole('button', { name: /^Save a copy: / }).first();
  const name = (await save.getAttribute('aria-label'))?.replace('Save a copy: ', '') ?? '';
  await save.click();
  await expect.poll(async () => (await asked()).length).toBe(1);
  const downloads = await app.evaluate(({ app: electron }) => electron.getPath('downloads'));
  expect(await asked()).toEqual([
    expect.objectContaining({ title: 'Save a copy', defaultPath: join(downloads, name) }),
  ]);
  expect(page.url()).toBe(address);
});

test.describe('guards', () => {
  test('a link to an empty page does not leave the desk', async () => {
    const { app, page } = await start({ home: newHome() });
    const address = page.url();
    for (const target of ['_self', '_blank']) {
      await showLink(page, 'about:blank', target);
      await page.locator('#probe').click();
    }
    await page.evaluate("window.open('about:blank', '_self')");
    await page.evaluate("location.href = 'about:blank'");
    // A navigation within the page starts after all earlier requests.
    await page.evaluate("location.hash = '#/queue'");
    await page.waitForURL(/#\/queue/);
    expect(app.windows()).toEqual([page]);
    expect(new URL(address).host).toBe(new URL(page.url()).host);
  });

  test('the system is given an address only if the user clicks', async () => {
    const { app, page } = await start({ home: newHome() });
    await app.evaluate(({ shell }) => {
      const opened: string[] = [];
      Reflect.set(globalThis, 'opened', opened);
      shell.openExternal = (url) => Promise.resolve(void opened.push(url));
    });
    const opened = () => app.evaluate(() => Reflect.get(globalThis, 'opened') as string[]);
    for (const script of [
      "location.href = 'mailto:script@example.ch'",
      "location.href = 'https://script.example/'",
      "window.open('https://script.example/')",
      "window.open('tel:+41440000000')",
    ])
      await page.evaluate(script);
    for (const [address, target] of [
      ['mailto:click@example.ch', '_self'],
      ['https://click.example/', '_blank'],
    ] as const) {
      const before = (await opened()).length;
      await showLink(page, address, target);
      // A click by the locator would wait for the page behind the link.
      await page.mouse.click(5, 8);
      await expect.poll(async () => (await opened()).length).toBe(before + 1);
      // Each click opens only one address.
      await page.evaluate("window.open('https://script.example/')");
    }
    expect(await opened()).toEqual(['mailto:click@example.ch', 'https://click.example/']);
  });
});

async function showLink(page: Page, href: string, target: string): Promise<void> {
  await page.evaluate(`
    document.querySelector('#probe')?.remove();
    const link = document.createElement('a');
    Object.assign(link, ${JSON.stringify({ id: 'probe', href, target, textContent: 'probe' })});
    link.style.cssText = 'position:fixed;top:0;left:0;z-index:9999';
    document.body.append(link);
  `);
}

test.describe('a start with a wrong argument', () => {
  test.skip(process.platform !== 'linux', 'the package is laid out here as on Linux');

  /**
   * Starts the built desk in a runtime with another name, which Electron treats as a package. Its
   * boxes are the system's and nobody answers them, so the test ends the process.
   */
  function startPackaged(args: readonly string[], lang = 'C') {
    const runtime = findElectron();
    if (!('path' in runtime)) throw new Error(runtime.missing);
    const from = dirname(runtime.path);
    const to = join(folder.path, 'package');
    const program = join(to, 'appraiser-desk');
    if (!readdirSync(folder.path).includes('package')) layOut(from, to, program);
    const env = { ...process.env, LANG: lang, LC_ALL: '', LANGUAGE: '' };
    const child = endsWithTests(
      spawn(program, ['--home', newHome(), ...args], { env, detached: true }),
    );
    let written = '';
    child.stderr.on('data', (chunk: Buffer) => (written += chunk.toString()));
    return { child, stderr: () => written };
  }

  function layOut(from: string, to: string, program: string): void {
    mkdirSync(join(to, 'resources'), { recursive: true });
    copyFileSync(join(from, 'electron'), program);
    for (const name of readdirSync(from))
      if (name !== 'electron' && name !== 'resources')
        symlinkSync(join(from, name), join(to, name));
    symlinkSync(root, join(to, 'resources', 'app'));
  }

  const own = (stderr: string) =>
    stderr.split('\n').filter((line) => line !== '' && !/^\[\d+:|^\s*$/.test(line));

  for (const [lang, language] of [
    ['de_CH.UTF-8', 'de'],
    ['it_CH.UTF-8', 'it'],
  ] as const)
    test(`is told in one language: ${language}`, async () => {
      const { child, stderr } = startPackaged(['--colour', 'red'], lang);
      const sentence = startTexts[language].wrongUsage('--colour');
      await expect.poll(() => own(stderr())).toContain(sentence);
      expect(stderr()).not.toMatch(/error:|unknown option/);
      child.kill('SIGKILL');
      await ended(child);
    });

  test('gives way to the system, with the code of its refusal', async () => {
    const sentence = startTexts.de.wrongUsage('--colour');
    // The sentence is written before Electron is ready, and the box appears after that.
    for (const afterMs of [0, 30, 40, 60, 1000]) {
      const { child, stderr } = startPackaged(['--colour', 'red']);
      while (!own(stderr()).includes(sentence)) await once(child.stderr, 'data');
      await passes(afterMs);
      child.kill('SIGTERM');
      const code = await ended(child);
      expect([code, child.signalCode], `after ${String(afterMs)} ms`).toEqual([2, null]);
    }
  });

  test('opens no port for developer tools while the box is open', async () => {
    const port = await freePort();
    const { child, stderr } = startPackaged([`--remote-debugging-port=${String(port)}`]);
    await expect.poll(stderr).toContain('--remote-debugging-port');
    // Chromium would report the port by now. The box appears after that.
    await expect.poll(() => isReady(child, stderr())).toBe(true);
    expect(stderr()).not.toContain('DevTools listening');
    await expect(fetch(`http://127.0.0.1:${String(port)}/json`)).rejects.toThrow('fetch failed');
    child.kill('SIGKILL');
    await ended(child);
  });

  test('refuses to go without the sandbox if the system allows it', async () => {
    const { child, stderr } = startPackaged(['--no-sandbox'], 'de_CH.UTF-8');
    await expect.poll(() => own(stderr())).toContain(startTexts.de.sandboxIsAllowed);
    child.kill('SIGKILL');
    await ended(child);
  });
});

/**
 * Returns whether Electron is ready, which is when Chromium has started its child processes.
 * Without a graphics card the GPU process ends too fast to be seen, but leaves a line in the log.
 */
function isReady({ pid }: ChildProcess, stderr: string): boolean {
  const isHelper = (each: string) =>
    /--type=(?:gpu-process|utility)/.test(readProcess(each, 'cmdline'));
  return stderr.includes('GPU process') || descendants(String(pid)).some(isHelper);
}

/** Returns the ids of all direct and indirect child processes. */
function descendants(pid: string): string[] {
  const tasks = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : [];
  const children = tasks.flatMap((task) =>
    readProcess(pid, `task/${task}/children`).split(' ').filter(Boolean),
  );
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // The process has ended in the meantime.
    return '';
  }
}
