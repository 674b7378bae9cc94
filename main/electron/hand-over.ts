import { BrowserWindow, shell } from 'electron';
import type { DocumentTaker } from '#shared/desk/documents.ts';

/**
 * Gives a file to the system's program for it, or to where the person lets go of the mouse.
 *
 * @param path a copy of the engine's own (main/engine/home/opened-copies.ts)
 * @param icon what is dragged, as a file of an image
 * @returns whether somebody takes it
 */
export async function handOver(path: string, to: DocumentTaker, icon: string): Promise<boolean> {
  if (to === 'program') return (await shell.openPath(path)) === '';
  const window = BrowserWindow.getFocusedWindow();
  window?.webContents.startDrag({ file: path, icon });
  return window !== null;
}
