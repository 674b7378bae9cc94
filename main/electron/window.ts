import {
  BrowserWindow,
  clipboard,
  dialog,
  Menu,
  type MenuItemConstructorOptions,
  type RenderProcessGoneDetails,
  type Session,
  type WebContents,
} from 'electron';
import type { ShellTexts } from '#shared/i18n/texts.ts';
import { appName } from './identity.ts';
import type { WindowPlace } from './window-place.ts';

/** The time after which a window that has not reported that it is ready is shown nevertheless. */
const shownWithinMs = 2000;
/**
 * The time within which a page that crashes again is not loaded again, because it would crash
 * without end.
 */
const againWithinMs = 10_000;

/**
 * Creates the desk's window: sandboxed, isolated, without Node (Electron checklist 2 to 4, 6, 8).
 * @param ground its colour until the page is drawn
 * @param place the last place; null for the middle of the screen
 * @param onShown called when the window is visible
 */
export function createWindow(
  {
    session,
    preload,
    ground,
  }: { readonly session: Session; readonly preload: string; readonly ground: string },
  place: WindowPlace | null,
  onShown: () => void = () => undefined,
): BrowserWindow {
  const { isMaximized = false, ...bounds } = place ?? { width: 1440, height: 900 };
  const window = new BrowserWindow({
    ...bounds,
    minWidth: 900,
    minHeight: 600,
    show: false,
    backgroundColor: ground,
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
      // Windows and macOS have dictionaries; Chromium would download its own (guards.ts).
      spellcheck: true,
    },
  });
  let isShown = false;
  const show = () => {
    if (isShown || window.isDestroyed()) return;
    isShown = true;
    // Maximizing also shows the window, so it happens only now.
    if (isMaximized) window.maximize();
    window.show();
    onShown();
  };
  // Under Wayland a hidden window may never report that it is ready (electron#48859).
  window.once('ready-to-show', show);
  window.webContents.once('did-finish-load', show);
  window.webContents.once('did-fail-load', show);
  const patience = setTimeout(show, shownWithinMs);
  window.once('closed', () => clearTimeout(patience));
  return window;
}

/** Sets the menu of a right click on text: spellings of a doubtful word, and the clipboard. */
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
 * Whether the window is closing: it was asked to close, and neither the desk nor its page wants to
 * stay. Ask it last of all listeners of `close`.
 */
export function watchClosing(window: BrowserWindow): () => boolean {
  let isClosing = false;
  window.on('close', ({ defaultPrevented }) => (isClosing = !defaultPrevented));
  window.webContents.on('will-prevent-unload', () => setImmediate(() => (isClosing = false)));
  return () => isClosing;
}

/** The end of a page's process, as Chromium reports it. */
export type PageDeath = Pick<RenderProcessGoneDetails, 'reason' | 'exitCode'>;

export interface DeadPageOptions {
  readonly texts: () => ShellTexts;
  /** It closes the box when the desk ends. */
  readonly signal: AbortSignal;
  /** What a report of the death needs, for IT. */
  readonly describe: (death: PageDeath) => string;
  readonly onDied: (death: PageDeath, isReloaded: boolean) => void;
}

/**
 * Loads the page of a window again after its process ended, because the window would stay grey.
 * Saved data are in the engine. A page that ends again within ten seconds would end without end, so
 * the user is told and decides.
 */
export function reloadDeadPage(
  window: BrowserWindow,
  { texts, signal, describe, onDied }: DeadPageOptions,
): void {
  let lastDeath = -Infinity;
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || signal.aborted) return;
    const now = performance.now();
    const isAgain = now - lastDeath < againWithinMs;
    lastDeath = now;
    onDied({ reason, exitCode }, !isAgain);
    if (isAgain) void askToReload({ reason, exitCode });
    else window.webContents.reload();
  });

  async function askToReload(death: PageDeath): Promise<void> {
    const { windowDied: message, windowDiedDetail: detail, reload, copyReport, leave } = texts();
    const { response } = await dialog.showMessageBox(window, {
      type: 'error',
      title: appName,
      message,
      detail,
      signal,
      buttons: [reload, copyReport, leave],
      defaultId: 0,
      cancelId: 2,
    });
    if (signal.aborted || window.isDestroyed()) return;
    if (response === 0) window.webContents.reload();
    else if (response === 2) window.destroy();
    else {
      await clipboard.writeText(describe(death));
      await askToReload(death);
    }
  }
}
