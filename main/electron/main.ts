import { join, resolve } from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  MessageChannelMain,
  Notification,
  powerMonitor,
  protocol,
  screen,
  session,
  utilityProcess,
  type WebContents,
} from 'electron';
import electronUpdater from 'electron-updater';
import { DeskError } from '#shared/desk/errors.ts';
import { sayProblem } from '#shared/desk/error-text.ts';
import type { Language } from '#shared/desk/workspace.ts';
import { languageOfEnvironment } from '#main/shell/choose-language.ts';
import { defaultHome } from '#main/shell/default-home.ts';
import { exitCodeOf } from '#main/shell/exit-codes.ts';
import { createLog } from '#main/shell/log.ts';
import { readPolicy } from '#main/shell/policy.ts';
import type { DeskPolicy } from '#main/shell/policy-schema.ts';
import { parseStartOptions, type StartOptions } from '#main/start/start-options.ts';
import { startTexts } from '#main/start/start-texts.ts';
import { createByteLine } from './byte-line.ts';
import { type EngineHost, startEngineHost } from './engine-host.ts';
import type { EngineStatus } from './engine-messages.ts';
import { serveFiles } from './files.ts';
import { guardApp, guardSession, isOwnPage } from './guards.ts';
import { setMenu } from './menu.ts';
import { servePage } from './pages.ts';
import { framePort } from './ports.ts';
import { guardQuit, type QuitGuard } from './quit-guard.ts';
import { shellTexts } from './shell-texts.ts';
import { setSpellChecker } from './spell-checker.ts';
import { createTray } from './tray.ts';
import { lookForUpdates } from './updates.ts';
import { keepPlace, reachable, readPlace } from './window-place.ts';
import { createWindow } from './window.ts';

// The entry of the desktop shell: it opens the window and brokers ports; the engine has a process
// of its own.

const distDir = import.meta.dirname;
const pagesDir = resolve(distDir, '../renderer');
const trayIcon = app.isPackaged
  ? join(process.resourcesPath, 'tray.png')
  : resolve(distDir, '../../build/icons/32x32.png');
/** The window's session lives in memory: Chromium leaves no trace of a case on the disk. */
const sessionName = 'desk';
/** A desk that was asked to end does so within 5 s; what it had begun is safe on the disk. */
const closeWithinMs = 4500;

const say = (line: string) => void process.stderr.write(`${line.trimEnd()}\n`);
const options = parseStartOptions(process.argv.slice(app.isPackaged ? 1 : 2), say);
if (typeof options === 'number') app.exit(options);
else start(options);

function start(options: StartOptions): void {
  const home = resolve(options.home ?? defaultHome());
  app.setPath('userData', join(home, 'electron'));
  const wished = options.lang ?? languageOfEnvironment(process.env);
  let policy: DeskPolicy;
  try {
    policy = readPolicy(process.env);
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    fail(error, wished);
    return;
  }
  // One desk for one home: a second start shows the first one's window.
  if (!app.requestSingleInstanceLock()) {
    app.exit(0);
    return;
  }
  app.on('second-instance', showWindow);
  guardApp(app);
  protocol.registerSchemesAsPrivileged([
    {
      scheme: 'desk',
      privileges: { standard: true, secure: true, supportFetchAPI: true, corsEnabled: true },
    },
  ]);
  app.on('window-all-closed', () => app.quit());
  const language = policy.language ?? wished;
  void app.whenReady().then(() => openDesk({ options, home, policy, language }));
}

/** A problem that leaves no desk to open: on the console, and where nobody sees that, in a box. */
function fail(error: DeskError, language: Language): void {
  const sentence = sayProblem(error.toProblem(), language);
  say(sentence);
  if (app.isPackaged) dialog.showErrorBox('Appraiser Desk', sentence);
  app.exit(exitCodeOf(error.code));
}

function showWindow(): void {
  const [window] = BrowserWindow.getAllWindows();
  if (window?.isMinimized()) window.restore();
  window?.show();
  window?.focus();
}

interface Desk {
  readonly options: StartOptions;
  readonly home: string;
  readonly policy: DeskPolicy;
  readonly language: Language;
}

function openDesk({ options, home, policy, language }: Desk): void {
  const texts = shellTexts[language];
  const log = createLog(policy.logLevel);
  let status: EngineStatus | null = null;
  const guard = guardQuit({ app, dialog, powerMonitor, status: () => status, texts });

  const engine = startEngineHost({
    fork: () =>
      utilityProcess.fork(join(distDir, 'engine-process.js'), [], {
        serviceName: 'Appraiser Desk Engine',
        stdio: 'inherit',
      }),
    open: {
      type: 'open',
      home,
      language: options.lang ?? null,
      passphraseVault: options.vault === 'passphrase',
    },
    now: () => performance.now(),
    onOpened(hasKeychain) {
      if (!hasKeychain) say(startTexts[language].noKeychain);
      openWindow(engine, join(home, 'electron', 'window.json'), guard);
      const ready = { event: 'ready', shell: 'electron', pid: process.pid };
      process.stdout.write(`${JSON.stringify(ready)}\n`);
    },
    onRestarted() {
      log.warn('the engine died and was started again');
      new Notification({ title: 'Appraiser Desk', body: texts.engineRestarted }).show();
      // The page stays as it is, with what is typed in it.
      for (const { webContents } of BrowserWindow.getAllWindows()) giveLine(engine, webContents);
    },
    onStatus(now) {
      if (now.attention > (status?.attention ?? now.attention) && !BrowserWindow.getFocusedWindow())
        new Notification({ title: 'Appraiser Desk', body: texts.attention(now.attention) }).show();
      status = now;
      tray?.update(now);
    },
    onFailed: (problem) => fail(new DeskError(problem.code, problem.params), language),
    onEnded(wasAsked) {
      if (!wasAsked) dialog.showErrorBox('Appraiser Desk', texts.engineGone);
      app.exit(wasAsked ? 0 : 1);
    },
  });

  const quit = () => app.quit();
  const tray = createTray({ icon: trayIcon, texts, show: showWindow, quit });
  setMenu(process.platform, texts);
  powerMonitor.on('resume', () => engine.tell({ type: 'resumed' }));
  lookForUpdates({
    policy: policy.updates,
    isPackaged: app.isPackaged,
    updater: () => electronUpdater.autoUpdater,
    log,
    every: (ms, task) => void setInterval(task, ms),
  });

  let isEnding = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => app.exit(0), closeWithinMs);
    engine.close();
  });
}

function openWindow(engine: EngineHost, placeFile: string, guard: QuitGuard): void {
  const windowSession = session.fromPartition(sessionName, { cache: false });
  guardSession(windowSession);
  setSpellChecker(windowSession, process.platform);
  const openFileLine = () => {
    const { port1, port2 } = new MessageChannelMain();
    engine.tell({ type: 'file' }, port2);
    return createByteLine(framePort(port1));
  };
  windowSession.protocol.handle('desk', (request) => {
    if (isOwnPage(request.url)) return servePage(pagesDir, request.url);
    if (new URL(request.url).host === 'files') return serveFiles(request, openFileLine);
    return new Response(null, { status: 404 });
  });
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const place = reachable(readPlace(placeFile), areas);
  const window = createWindow(windowSession, join(distDir, 'preload.cjs'), place);
  keepPlace(window, placeFile);
  const { webContents } = window;
  guard.watch(window);
  webContents.on('did-finish-load', () => giveLine(engine, webContents));
}

/** Gives the desk's own page in the top frame a line to the engine, and no other (checklist 17). */
function giveLine(engine: EngineHost, { mainFrame }: WebContents): void {
  if (!isOwnPage(mainFrame.url)) return;
  const { port1, port2 } = new MessageChannelMain();
  engine.tell({ type: 'window' }, port1);
  mainFrame.postMessage('desk-port', null, [port2]);
}
