import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  app,
  type BaseWindow,
  BrowserWindow,
  dialog,
  Menu,
  type MenuItemConstructorOptions,
  type WebContents,
} from 'electron';
import { sayProblem } from '#shared/desk/contract/error-text.ts';
import { DeskError, isDiskFull } from '#shared/desk/contract/errors.ts';
import { completeForPaper } from '#shared/desk/setup/paper.ts';
import type { Language } from '#shared/i18n/language.ts';
import type { ShellTexts } from '#shared/i18n/texts.ts';
import { safeFileName } from '#shared/lib/safe-file-name.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import { showError } from './error-box.ts';
import { appName } from './identity.ts';

export interface MenuActs {
  readonly openWindow: () => void;
  readonly language: Language;
  /** The version that waits to be installed, and what installs it; null without one. */
  readonly update: { readonly version: string; readonly install: () => void } | null;
}

/** Sets the menus of the system. Shortcuts within the desk belong to the window. */
export function setMenu(
  platform: NodeJS.Platform,
  texts: ShellTexts,
  { openWindow, language, update }: MenuActs,
): void {
  const template: MenuItemConstructorOptions[] = [
    ...(platform === 'darwin' ? [appMenu(texts)] : []),
    {
      label: texts.file,
      submenu: [
        {
          id: 'new-window',
          label: texts.newWindow,
          accelerator: 'CmdOrCtrl+N',
          click: () => openWindow(),
        },
        {
          id: 'save-pdf',
          label: texts.savePdf,
          accelerator: 'CmdOrCtrl+Shift+P',
          click: (_item, window) => void savePdf(texts, language, window),
        },
        { type: 'separator' },
        ...(update
          ? [
              {
                id: 'install-update',
                label: texts.installUpdate(update.version),
                click: () => update.install(),
              },
            ]
          : []),
        platform === 'darwin'
          ? { role: 'close', label: texts.leave }
          : { role: 'quit', label: texts.quit },
      ],
    },
    {
      label: texts.edit,
      submenu: [
        { role: 'undo', label: texts.undo },
        { role: 'redo', label: texts.redo },
        { type: 'separator' },
        { role: 'cut', label: texts.cut },
        { role: 'copy', label: texts.copy },
        { role: 'paste', label: texts.paste },
        { role: 'selectAll', label: texts.selectAll },
      ],
    },
    {
      label: texts.view,
      submenu: [
        { id: 'reload', role: 'reload', label: texts.reload },
        { type: 'separator' },
        { role: 'resetZoom', label: texts.resetZoom },
        { role: 'zoomIn', label: texts.zoomIn },
        { role: 'zoomOut', label: texts.zoomOut },
        { type: 'separator' },
        { role: 'togglefullscreen', label: texts.fullscreen },
      ],
    },
    ...(platform === 'darwin' ? [windowMenu(texts)] : []),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

/**
 * The menu replaces the role `appMenu` of macOS, whose labels are English
 * (lib/browser/api/menu-item-roles.ts).
 */
const appMenu = (texts: ShellTexts): MenuItemConstructorOptions => ({
  label: appName,
  submenu: [
    { role: 'about', label: texts.about },
    { type: 'separator' },
    { role: 'services', label: texts.services },
    { type: 'separator' },
    { role: 'hide', label: texts.hide },
    { role: 'hideOthers', label: texts.hideOthers },
    { role: 'unhide', label: texts.showAll },
    { type: 'separator' },
    { role: 'quit', label: texts.quit },
  ],
});

/** The menu replaces the role `windowMenu` of macOS. The system lists the open windows below it. */
const windowMenu = (texts: ShellTexts): MenuItemConstructorOptions => ({
  role: 'window',
  label: texts.window,
  submenu: [
    { role: 'minimize', label: texts.minimize },
    { role: 'zoom', label: texts.zoom },
    { type: 'separator' },
    { role: 'front', label: texts.front },
  ],
});

/** Saves the view of the window as a PDF in a place that the user chooses. */
async function savePdf(
  texts: ShellTexts,
  language: Language,
  window: BaseWindow | undefined,
): Promise<void> {
  if (!(window instanceof BrowserWindow)) return;
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: texts.savePdf.replace(/ …$/, ''),
    defaultPath: join(app.getPath('documents'), await viewFileName(window.webContents)),
    filters: [{ name: 'PDF', extensions: ['pdf'] }],
  });
  if (canceled) return;
  try {
    await window.webContents
      .executeJavaScriptInIsolatedWorld(askingWorld, [{ code: completeForPaper }])
      // A page that is still loading has nothing to complete.
      .catch(() => undefined);
    const pdf = await window.webContents.printToPDF({ printBackground: true, pageSize: 'A4' });
    await writeFile(filePath, pdf, { mode: 0o600 });
  } catch (error) {
    await showError(sayProblem(unsaved(basename(filePath), error).problem, language));
  }
}

/** Why a file was not saved, in the desk's words; the system's text is English and has its path. */
function unsaved(fileName: string, error: unknown): DeskError {
  if (isDiskFull(error)) return new DeskError('disk_full');
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return new DeskError('file_unwritable', { fileName, reason });
}

/** A separate world, which is not that of the page's scripts or of the preload. */
const askingWorld = 900;
const askForName = `document.querySelector('[data-file-name]')?.dataset.fileName ??
  document.querySelector('h1')?.textContent ?? ''`;

/**
 * The name of a file for the view, with the day: a case by its key and name, otherwise the heading.
 */
async function viewFileName(contents: WebContents): Promise<string> {
  const asked: unknown = await contents
    .executeJavaScriptInIsolatedWorld(askingWorld, [{ code: askForName }])
    // A page that is still loading has no name.
    .catch(() => '');
  const name = typeof asked === 'string' ? asked.replaceAll(/\s+/g, ' ').trim() : '';
  return safeFileName(`${name || appName} ${zurichDay(Date.now())}.pdf`);
}
