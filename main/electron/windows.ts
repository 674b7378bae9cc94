import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  MessageChannelMain,
  nativeTheme,
  screen,
  session,
  type Session,
  type WebContents,
} from 'electron';
import { createByteLine } from './byte-line.ts';
import { beside, keepPlace, reachable, readPlace } from './window-place.ts';
import {
  createWindow,
  type PageDeath,
  reloadDeadPage,
  setContextMenu,
  watchClosing,
} from './window.ts';
import type { EngineHost } from './engine-host.ts';
import { serveFiles } from './files.ts';
import { guardSession, isOwnPage, setSpellChecker } from './guards.ts';
import { appOrigin, servePage } from './pages.ts';
import type { QuitGuard } from './quit-guard.ts';
import { shellTexts } from '#shared/i18n/catalogue.ts';
import { grounds, type ThemeChoice } from '#shared/desk/setup/appearance.ts';
import type { Language } from '#shared/i18n/language.ts';

/**
 * The session of the windows is in memory, so that Chromium leaves no trace of a case on the disk.
 */
const sessionName = 'desk';

export interface WindowsOptions {
  readonly engine: EngineHost;
  readonly guard: QuitGuard;
  /** The folder of the shell's built files. */
  readonly distDir: string;
  /** The folder of the built window. */
  readonly pagesDir: string;
  /** The file with the place of the window that was closed last. */
  readonly placeFile: string;
  readonly language: () => Language;
  readonly theme: () => ThemeChoice;
  /** Called if the page of a window cannot be loaded. */
  readonly onNotLoaded: (error: unknown) => void;
  /** Called if the process of a window's page ended. */
  readonly onDied: (death: PageDeath, isReloaded: boolean) => void;
  /** It closes boxes when the desk ends. */
  readonly signal: AbortSignal;
  /** The shell's log, which a report of a death names. */
  readonly logFile: string;
}

/** The windows of one desk, which all use the same engine. */
export interface Windows {
  /** Opens a window. @param onShown called when the window is visible */
  open(onShown?: () => void): void;
  /** Shows the desk: its first window, or a new one if all are closed. */
  show(): void;
  /** Gives every window a connection to an engine that was started again. */
  giveLines(): void;
}

/** Creates the windows' parts. It is called once, and opens no window yet. */
export function createWindows(options: WindowsOptions): Windows {
  const { engine, guard, distDir, placeFile } = options;
  const { language, theme, onNotLoaded, onDied } = options;
  const describe = (death: PageDeath) => describeDeath(death, options.logFile);
  const texts = () => shellTexts[language()];
  const shared = prepareSession(options);
  const windows: Windows = {
    open(onShown) {
      const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
      const [before] = BrowserWindow.getAllWindows();
      const place = before ? beside(before.getNormalBounds()) : readPlace(placeFile);
      const preload = join(distDir, 'preload.cjs');
      const window = createWindow(
        { session: shared, preload, ground: groundOf(theme()) },
        reachable(place, areas),
        onShown,
      );
      keepPlace(window, placeFile);
      guard.watch(window);
      setContextMenu(window.webContents, texts);
      reloadDeadPage(window, { texts, signal: options.signal, describe, onDied });
      window.webContents.on('did-finish-load', () => giveLine(engine, window.webContents));
      const isClosing = watchClosing(window);
      window.loadURL(`${appOrigin}/`).catch((error: unknown) => {
        // A window that was closed or loaded again in the meantime needs no message. The load of a
        // window that closes fails before the window is destroyed.
        const isAborted = error instanceof Error && error.message.includes('ERR_ABORTED');
        if (!isClosing() && !window.isDestroyed() && !isAborted) onNotLoaded(error);
      });
    },
    show() {
      const [window] = BrowserWindow.getAllWindows();
      if (!window) {
        windows.open();
        return;
      }
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    // The pages stay unchanged, with what is typed in them.
    giveLines() {
      for (const { webContents } of BrowserWindow.getAllWindows()) giveLine(engine, webContents);
    },
  };
  return windows;
}

/** What IT needs to search for the cause of a page's death; it holds nothing of a case. */
const describeDeath = ({ reason, exitCode }: PageDeath, logFile: string) =>
  [
    `Appraiser Desk ${app.getVersion()}, Electron ${process.versions.electron}, Chromium ${process.versions.chrome}`,
    `${process.platform} ${process.getSystemVersion()} ${process.arch}`,
    `${new Date().toISOString()} the page's process ended twice: ${reason} (${String(exitCode)})`,
    logFile,
  ].join('\n');

const groundOf = (theme: ThemeChoice): string =>
  grounds[theme === 'system' ? (nativeTheme.shouldUseDarkColors ? 'dark' : 'light') : theme];

function prepareSession({ engine, pagesDir, language, theme }: WindowsOptions): Session {
  const windowSession = session.fromPartition(sessionName, { cache: false });
  guardSession(windowSession);
  setSpellChecker(windowSession, process.platform);
  const openFileLine = () => {
    const { port1, port2 } = new MessageChannelMain();
    engine.tell({ type: 'file' }, port2);
    return createByteLine(port1);
  };
  windowSession.protocol.handle('desk', (request) => {
    if (isOwnPage(request.url))
      return servePage(pagesDir, request.url, { language: language(), theme: theme() });
    if (new URL(request.url).host === 'files') return serveFiles(request, openFileLine);
    return new Response(null, { status: 404 });
  });
  windowSession.on('will-download', (_event, item) => {
    const defaultPath = join(app.getPath('downloads'), item.getFilename());
    item.setSaveDialogOptions({ title: shellTexts[language()].saveCopy, defaultPath });
  });
  return windowSession;
}

/** Connects the desk's page in the top frame with the engine, and no other page (checklist 17). */
function giveLine(engine: EngineHost, { id, mainFrame }: WebContents): void {
  if (!isOwnPage(mainFrame.url)) return;
  const { port1, port2 } = new MessageChannelMain();
  engine.tell({ type: 'window', window: id }, port1);
  mainFrame.postMessage('desk-port', null, [port2]);
}
