import {
  BrowserWindow,
  Menu,
  type MenuItemConstructorOptions,
  type Session,
  type WebContents,
} from 'electron';
import type { ShellTexts } from '#shared/i18n/texts.ts';
import type { WindowPlace } from './window-place.ts';

/** A window that has not reported by now that it is ready is shown as it is. */
const shownWithinMs = 2000;
/** A page that dies again so soon would do so without end. */
const againWithinMs = 10_000;

/**
 * The desk's window: sandboxed, isolated, without Node (Electron checklist 2 to 4, 6, 8).
 *
 * @param place where it was, null for the middle of the screen
 * @param onShown it is before the user
 */
export function createWindow(
  session: Session,
  preload: string,
  place: WindowPlace | null,
  onShown: () => void = () => undefined,
): BrowserWindow {
  const { isMaximized = false, ...bounds } = place ?? { width: 1440, height: 900 };
  const window = new BrowserWindow({
    ...bounds,
    minWidth: 900,
    minHeight: 600,
    show: false,
    // Shown until the page is painted; between its light and its dark background.
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
      // Windows and macOS bring dictionaries; Chromium's own would be fetched (guards.ts).
      spellcheck: true,
    },
  });
  let isShown = false;
  const show = () => {
    if (isShown || window.isDestroyed()) return;
    isShown = true;
    // Maximizing shows the window too, so not earlier.
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

/** What a right click offers on text: spellings of a word in doubt, and the clipboard. */
export function setContextMenu(contents: WebContents, textsNow: () => ShellTexts): void {
  contents.on('context-menu', (_event, { dictionarySuggestions, isEditable, editFlags }) => {
    const texts = textsNow();
    const items: MenuItemConstructorOptions[] = dictionarySuggestions.map((word) => ({
      label: word,
      click: () => contents.replaceMisspelling(word),
    }));
    if (items.length > 0) items.push({ type: 'separator' });
    const { canCut, canCopy, canPaste, canSelectAll } = editFlags;
    if (isEditable) items.push({ role: 'cut', label: texts.cut, enabled: canCut });
    if (isEditable || canCopy) items.push({ role: 'copy', label: texts.copy, enabled: canCopy });
    if (isEditable)
      items.push(
        { role: 'paste', label: texts.paste, enabled: canPaste },
        { role: 'selectAll', label: texts.selectAll, enabled: canSelectAll },
      );
    if (items.length > 0) Menu.buildFromTemplate(items).popup();
  });
}

/**
 * Loads the page of a window again when its process died, which would leave the window white. What
 * was saved is the engine's; what was only typed is lost, and the user sees that.
 */
export function reloadDeadPage(contents: WebContents, onReloaded: (reason: string) => void): void {
  let lastDeath = -Infinity;
  contents.on('render-process-gone', (_event, { reason }) => {
    const now = performance.now();
    const isAgain = now - lastDeath < againWithinMs;
    lastDeath = now;
    if (reason === 'clean-exit' || isAgain) return;
    contents.reload();
    onReloaded(reason);
  });
}
