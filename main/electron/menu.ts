import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  app,
  type BaseWindow,
  BrowserWindow,
  dialog,
  Menu,
  type MenuItemConstructorOptions,
  type WebContents,
} from 'electron';
import { completeForPaper } from '#shared/desk/paper.ts';
import type { ShellTexts } from '#shared/i18n/texts.ts';
import { safeFileName } from '#shared/lib/safe-file-name.ts';
import { zurichDay } from '#shared/lib/zurich-day.ts';
import { showError } from './error-box.ts';
import { appName } from './identity.ts';

/** The menus of the system's own kind; shortcuts inside the desk are the window's. */
export function setMenu(
  platform: NodeJS.Platform,
  texts: ShellTexts,
  openWindow: () => void,
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
          click: (_item, window) => void savePdf(texts, window),
        },
        { type: 'separator' },
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

/** As the role `appMenu` of macOS, whose own labels are English (lib/browser/api/menu-item-roles.ts). */
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

/** As the role `windowMenu` of macOS; the system lists the open windows below. */
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

/** Saves what the window whose menu it was shows, as a PDF in the place that the user chooses. */
async function savePdf(texts: ShellTexts, window: BaseWindow | undefined): Promise<void> {
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
      // A page that is being loaded has nothing to complete yet.
      .catch(() => undefined);
    const pdf = await window.webContents.printToPDF({ printBackground: true, pageSize: 'A4' });
    await writeFile(filePath, pdf, { mode: 0o600 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    showError(reason);
  }
}

/** No world of the page's own scripts, nor of the preload's. */
const askingWorld = 900;
const askForName = `document.querySelector('[data-file-name]')?.dataset.fileName ??
  document.querySelector('h1')?.textContent ?? ''`;

/** What the view is about, and the day: a case by its key and name, else the heading. */
async function viewFileName(contents: WebContents): Promise<string> {
  const asked: unknown = await contents
    .executeJavaScriptInIsolatedWorld(askingWorld, [{ code: askForName }])
    // A page that is being loaded has no name yet.
    .catch(() => '');
  const name = typeof asked === 'string' ? asked.replaceAll(/\s+/g, ' ').trim() : '';
  return safeFileName(`${name || appName} ${zurichDay(Date.now())}.pdf`);
}
