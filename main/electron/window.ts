import { BrowserWindow, type Session } from 'electron';
import { appOrigin } from './pages.ts';
import type { WindowPlace } from './window-place.ts';

/**
 * The desk's window: sandboxed, isolated, without Node (Electron checklist 2 to 4, 6, 8).
 *
 * @param place where it was, null for the middle of the screen
 */
export function createWindow(
  session: Session,
  preload: string,
  place: WindowPlace | null = null,
): BrowserWindow {
  const { isMaximized = false, ...bounds } = place ?? { width: 1440, height: 900 };
  const window = new BrowserWindow({
    ...bounds,
    minWidth: 900,
    minHeight: 600,
    show: false,
    title: 'Appraiser Desk',
    webPreferences: {
      session,
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      // Windows and macOS bring dictionaries; Chromium's own would be fetched (spell-checker.ts).
      spellcheck: true,
    },
  });
  if (isMaximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  void window.loadURL(`${appOrigin}/`);
  return window;
}
