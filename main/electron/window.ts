import { BrowserWindow, type Session } from 'electron';
import type { WindowPlace } from './window-place.ts';

/** A window that has not said by now that it is ready is shown as it is. */
const shownWithinMs = 2000;

/**
 * The desk's window: sandboxed, isolated, without Node (Electron checklist 2 to 4, 6, 8).
 *
 * @param place where it was, null for the middle of the screen
 * @param onShown it is before the person
 */
export function createWindow(
  session: Session,
  preload: string,
  place: WindowPlace | null = null,
  onShown: () => void = () => undefined,
): BrowserWindow {
  const { isMaximized = false, ...bounds } = place ?? { width: 1440, height: 900 };
  const window = new BrowserWindow({
    ...bounds,
    minWidth: 900,
    minHeight: 600,
    show: false,
    // Until the page is painted; between its light and its dark ground.
    backgroundColor: '#808080',
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
  let isShown = false;
  const show = () => {
    if (isShown || window.isDestroyed()) return;
    isShown = true;
    // This shows it too, so not before.
    if (isMaximized) window.maximize();
    window.show();
    onShown();
  };
  // Under Wayland a hidden window may never be ready to be shown (electron#48859).
  window.once('ready-to-show', show);
  window.webContents.once('did-finish-load', show);
  window.webContents.once('did-fail-load', show);
  const patience = setTimeout(show, shownWithinMs);
  window.once('closed', () => clearTimeout(patience));
  return window;
}
