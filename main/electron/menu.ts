import { writeFile } from 'node:fs/promises';
import { BrowserWindow, dialog, Menu, type MenuItemConstructorOptions } from 'electron';
import type { ShellTexts } from '#shared/i18n/texts.ts';

/** The menus of the system's own kind; shortcuts inside the desk are the window's. */
export function setMenu(
  platform: NodeJS.Platform,
  texts: ShellTexts,
  openWindow: () => void,
): void {
  const template: MenuItemConstructorOptions[] = [
    ...(platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    {
      label: texts.file,
      submenu: [
        {
          id: 'new-window',
          label: texts.newWindow,
          accelerator: 'CmdOrCtrl+N',
          click: () => openWindow(),
        },
        { label: texts.savePdf, accelerator: 'CmdOrCtrl+Shift+P', click: () => void savePdf() },
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
    ...(platform === 'darwin' ? [{ role: 'windowMenu', label: texts.window } as const] : []),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

/** Saves what the window shows as a PDF in the place that the person chooses. */
async function savePdf(): Promise<void> {
  const window = BrowserWindow.getFocusedWindow();
  if (!window) return;
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    defaultPath: 'Appraiser Desk.pdf',
    filters: [{ name: 'PDF', extensions: ['pdf'] }],
  });
  if (canceled) return;
  try {
    const pdf = await window.webContents.printToPDF({ printBackground: true, pageSize: 'A4' });
    await writeFile(filePath, pdf, { mode: 0o600 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    dialog.showErrorBox('Appraiser Desk', reason);
  }
}
