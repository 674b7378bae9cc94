import { BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron';
import type { PathQuestion } from '#shared/desk/work-package.ts';

const packages = [{ name: 'Appraiser Desk', extensions: ['desk'] }];
const archives = [{ name: 'ZIP', extensions: ['zip'] }];

/**
 * Lets the person choose a file or a folder in the system's own dialog.
 * @param suggested full path with which the dialog begins; empty for the system's choice
 * @returns its full path; null if the person chose none
 */
export async function choosePath({ purpose, suggested }: PathQuestion): Promise<string | null> {
  const defaultPath = suggested === '' ? {} : { defaultPath: suggested };
  if (purpose === 'backup' || purpose === 'bundle') {
    const filters = purpose === 'backup' ? packages : archives;
    const options: SaveDialogOptions = { ...defaultPath, filters, properties: ['createDirectory'] };
    const window = BrowserWindow.getFocusedWindow();
    const chosen = window
      ? await dialog.showSaveDialog(window, options)
      : await dialog.showSaveDialog(options);
    return chosen.canceled ? null : chosen.filePath;
  }
  const options: OpenDialogOptions =
    purpose === 'folder'
      ? { ...defaultPath, properties: ['openDirectory', 'createDirectory'] }
      : { ...defaultPath, filters: packages, properties: ['openFile'] };
  const window = BrowserWindow.getFocusedWindow();
  const chosen = window
    ? await dialog.showOpenDialog(window, options)
    : await dialog.showOpenDialog(options);
  return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
}
