import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  MessageChannelMain,
  screen,
  session,
  type Session,
  type WebContents,
} from 'electron';
import { createByteLine } from './byte-line.ts';
import { beside, keepPlace, reachable, readPlace } from './window-place.ts';
import { createWindow, reloadDeadPage, setContextMenu } from './window.ts';
import type { EngineHost } from './engine-host.ts';
import { serveFiles } from './files.ts';
import { guardSession, isOwnPage, setSpellChecker } from './guards.ts';
import { appOrigin, servePage } from './pages.ts';
import type { QuitGuard } from './quit-guard.ts';
import { shellTexts } from '#shared/i18n/catalogue.ts';
import type { Language } from '#shared/i18n/language.ts';

/** The windows' session lives in memory: Chromium leaves no trace of a case on the disk. */
const sessionName = 'desk';

export interface WindowsOptions {
  readonly engine: EngineHost;
  readonly guard: QuitGuard;
  /** Folder of the shell's own built files. */
  readonly distDir: string;
  /** Folder of the built window. */
  readonly pagesDir: string;
  /** Where the place of the window that was closed last is stored. */
  readonly placeFile: string;
  readonly language: () => Language;
  /** The page of a window cannot be loaded. */
  readonly onNotLoaded: (error: unknown) => void;
  /** A window's page died and was loaded again. */
  readonly onReloaded: (reason: string) => void;
}

/** The windows of one desk, which all look at the same engine. */
export interface Windows {
  /** @param onShown the window is before the user */
  open(onShown?: () => void): void;
  /** Brings the desk before the user: its first window, or a new one if all are closed. */
  show(): void;
  /** Gives every window a line to an engine that was started again. */
  giveLines(): void;
}

/** To be made once, when the engine is open; opens nothing yet. */
export function createWindows(options: WindowsOptions): Windows {
  const { engine, guard, distDir, placeFile } = options;
  const { language, onNotLoaded, onReloaded } = options;
  const texts = () => shellTexts[language()];
  const shared = prepareSession(options);
  const windows: Windows = {
    open(onShown) {
      const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
      const [before] = BrowserWindow.getAllWindows();
      const place = before ? beside(before.getNormalBounds()) : readPlace(placeFile);
      const preload = join(distDir, 'preload.cjs');
      const window = createWindow(shared, preload, reachable(place, areas), onShown);
      keepPlace(window, placeFile);
      guard.watch(window);
      setContextMenu(window.webContents, texts);
      reloadDeadPage(window.webContents, onReloaded);
      window.webContents.on('did-finish-load', () => giveLine(engine, window.webContents));
      window.loadURL(`${appOrigin}/`).catch((error: unknown) => {
        // A window that was closed in the meantime, or loaded again, wants nothing any more.
        const isAborted = error instanceof Error && error.message.includes('ERR_ABORTED');
        if (!window.isDestroyed() && !isAborted) onNotLoaded(error);
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
    // The pages stay as they are, with what is typed in them.
    giveLines() {
      for (const { webContents } of BrowserWindow.getAllWindows()) giveLine(engine, webContents);
    },
  };
  return windows;
}

function prepareSession({ engine, pagesDir, language }: WindowsOptions): Session {
  const windowSession = session.fromPartition(sessionName, { cache: false });
  guardSession(windowSession);
  setSpellChecker(windowSession, process.platform);
  const openFileLine = () => {
    const { port1, port2 } = new MessageChannelMain();
    engine.tell({ type: 'file' }, port2);
    return createByteLine(port1);
  };
  windowSession.protocol.handle('desk', (request) => {
    if (isOwnPage(request.url)) return servePage(pagesDir, request.url, language());
    if (new URL(request.url).host === 'files') return serveFiles(request, openFileLine);
    return new Response(null, { status: 404 });
  });
  windowSession.on('will-download', (_event, item) => {
    const defaultPath = join(app.getPath('downloads'), item.getFilename());
    item.setSaveDialogOptions({ title: shellTexts[language()].saveCopy, defaultPath });
  });
  return windowSession;
}

/** Gives the desk's own page in the top frame a line to the engine, and no other (checklist 17). */
function giveLine(engine: EngineHost, { id, mainFrame }: WebContents): void {
  if (!isOwnPage(mainFrame.url)) return;
  const { port1, port2 } = new MessageChannelMain();
  engine.tell({ type: 'window', window: id }, port1);
  mainFrame.postMessage('desk-port', null, [port2]);
}
