import {
  BrowserWindow,
  dialog,
  type OpenDialogOptions,
  type SaveDialogOptions,
  shell,
} from 'electron';
import type { DeskUpdate, InstallMoment } from '#shared/desk/setup/update.ts';
import type { PathQuestion } from '#shared/desk/setup/work-package.ts';
import type { Answer, Asked } from './engine-messages.ts';

const packages = [{ name: 'Appraiser Desk', extensions: ['desk'] }];
const archives = [{ name: 'ZIP', extensions: ['zip'] }];

/** What the answers need of the shell. */
export interface AnswerParts {
  /** The image file that is shown during a drag. */
  readonly icon: string;
  readonly update: {
    found(): DeskUpdate | null;
    install(when: InstallMoment): void;
  };
}

/**
 * Answers a question of the engine that a call of a window caused. If the window is closed in the
 * meantime, the question ends.
 * @returns the answer; of a question to a window that is closed null
 */
export async function answerQuestion(asked: Asked, { icon, update }: AnswerParts): Promise<Answer> {
  if (asked.about === 'update') {
    if (asked.install) update.install(asked.install);
    return update.found();
  }
  if (asked.about === 'hand-over' && asked.to === 'program')
    return (await shell.openPath(asked.path)) === '';
  const window = BrowserWindow.getAllWindows().find(
    ({ webContents }) => webContents.id === asked.window,
  );
  if (!window) return null;
  if (asked.about === 'choose-path') return await choosePath(window, asked.question);
  window.webContents.startDrag({ file: asked.path, icon });
  return true;
}

/** The full path that the user chooses in the system's dialog; null if none is chosen. */
async function choosePath(
  window: BrowserWindow,
  { purpose, suggested }: PathQuestion,
): Promise<string | null> {
  const defaultPath = suggested === '' ? {} : { defaultPath: suggested };
  if (purpose === 'backup' || purpose === 'bundle') {
    const filters = purpose === 'backup' ? packages : archives;
    const options: SaveDialogOptions = { ...defaultPath, filters, properties: ['createDirectory'] };
    const { canceled, filePath } = await dialog.showSaveDialog(window, options);
    return canceled ? null : filePath;
  }
  const options: OpenDialogOptions =
    purpose === 'folder'
      ? { ...defaultPath, properties: ['openDirectory', 'createDirectory'] }
      : { ...defaultPath, filters: packages, properties: ['openFile'] };
  const { canceled, filePaths } = await dialog.showOpenDialog(window, options);
  return canceled ? null : (filePaths[0] ?? null);
}
