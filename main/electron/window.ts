import {
  BrowserWindow,
  type Session,
  Menu,
  type MenuItemConstructorOptions,
  type WebContents,
  type Rectangle,
} from 'electron';
import type { ShellTexts } from '#shared/i18n/texts.ts';
import { languages } from '#shared/desk/workspace.ts';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

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
      // Windows and macOS bring dictionaries; Chromium's own would be fetched.
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

/** What a right click offers on text: spellings of a word in doubt, and the clipboard. */
export function setContextMenu(contents: WebContents, texts: ShellTexts): void {
  contents.on('context-menu', (_event, { dictionarySuggestions, isEditable, editFlags }) => {
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

/** A page that dies again so soon would do so for ever. */
const againWithinMs = 10_000;

/**
 * Loads the page of a window anew when its process died, which would leave the window white. What
 * was saved is the engine's; what was only typed is gone, and the person is told.
 */
export function reloadDeadPage(
  contents: Pick<WebContents, 'on' | 'reload'>,
  options: { readonly now: () => number; readonly onReloaded: (reason: string) => void },
): void {
  let lastDeath = -Infinity;
  contents.on('render-process-gone', (_event, { reason }) => {
    const now = options.now();
    const isAgain = now - lastDeath < againWithinMs;
    lastDeath = now;
    if (reason === 'clean-exit' || isAgain) return;
    contents.reload();
    options.onReloaded(reason);
  });
}

/**
 * Spelling is checked by the operating system, if it brings dictionaries. Chromium's own would be
 * fetched from outside, which the desk never does: its address is one that does not exist, and on
 * Linux, which brings none, checking is off (decision 22).
 */
export function setSpellChecker(session: Session, platform: NodeJS.Platform): void {
  session.setSpellCheckerDictionaryDownloadURL('desk://none/');
  session.setSpellCheckerEnabled(platform !== 'linux');
  // macOS finds the language by itself and knows no list.
  if (platform !== 'win32') return;
  const wanted = session.availableSpellCheckerLanguages.filter((name) =>
    languages.some((language) => name === language || name.startsWith(`${language}-`)),
  );
  session.setSpellCheckerLanguages(wanted);
}

const placeSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(900).max(20_000),
  height: z.int().min(600).max(20_000),
  isMaximized: z.boolean(),
});
/** Where a window was, in the screen's own pixels. */
export type WindowPlace = z.infer<typeof placeSchema>;

/** The place that was kept; null if there is none, or none that can be read. */
export function readPlace(file: string): WindowPlace | null {
  try {
    return placeSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // A window in the middle of the screen is no loss.
    return null;
  }
}

/**
 * The kept place if a person can reach it: enough of the window's upper edge has to be on a
 * screen that is there now, because screens are unplugged.
 *
 * @param areas work areas of the screens
 */
export function reachable(
  place: WindowPlace | null,
  areas: readonly Rectangle[],
): WindowPlace | null {
  if (!place) return null;
  const isReachable = areas.some(
    (area) =>
      Math.min(place.x + place.width, area.x + area.width) - Math.max(place.x, area.x) >= 200 &&
      place.y >= area.y &&
      place.y <= area.y + area.height - 100,
  );
  return isReachable ? place : null;
}

/** Where a further window comes: as large as the one before, and a little beside it. */
export function beside({ x, y, width, height }: Rectangle): WindowPlace {
  return { x: x + 32, y: y + 32, width, height, isMaximized: false };
}

/** Keeps the window's place whenever it closes. */
export function keepPlace(window: BrowserWindow, file: string): void {
  window.on('close', () => {
    const place = { ...window.getNormalBounds(), isMaximized: window.isMaximized() };
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, JSON.stringify(place), { mode: 0o600 });
    } catch {
      // A full disk must not keep a window open.
    }
  });
}
