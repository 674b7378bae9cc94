import { dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron';
import type { Asked, ChoosePath } from './engine-messages.ts';
import { askingWindow } from './hand-over.ts';

const packages = [{ name: 'Appraiser Desk', extensions: ['desk'] }];
const archives = [{ name: 'ZIP', extensions: ['zip'] }];

/**
 * Lets the person choose a file or a folder in the system's own dialog, over the window that asks.
 * @returns its full path; null if the person chose none
 */
export async function choosePath({
  window: id,
  question: { purpose, suggested },
}: Pick<ChoosePath, 'question'> & Pick<Asked, 'window'>): Promise<string | null> {
  const window = askingWindow(id);
  const defaultPath = suggested === '' ? {} : { defaultPath: suggested };
  if (purpose === 'backup' || purpose === 'bundle') {
    const filters = purpose === 'backup' ? packages : archives;
    const options: SaveDialogOptions = { ...defaultPath, filters, properties: ['createDirectory'] };
    const chosen = window
      ? await dialog.showSaveDialog(window, options)
      : await dialog.showSaveDialog(options);
    return chosen.canceled ? null : chosen.filePath;
  }
  const options: OpenDialogOptions =
    purpose === 'folder'
      ? { ...defaultPath, properties: ['openDirectory', 'createDirectory'] }
      : { ...defaultPath, filters: packages, properties: ['openFile'] };
  const chosen = window
    ? await dialog.showOpenDialog(window, options)
    : await dialog.showOpenDialog(options);
  return chosen.canceled ? null : (chosen.filePaths[0] ?? null);
}
