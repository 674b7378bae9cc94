import { BrowserWindow, shell } from 'electron';
import type { Asked, HandOver } from './engine-messages.ts';

/** The window whose call led to a question; null if it is closed. */
export function askingWindow(id: number): BrowserWindow | null {
  return BrowserWindow.getAllWindows().find(({ webContents }) => webContents.id === id) ?? null;
}

/**
 * Gives a file to the system's program for it, or to where the person lets go of the mouse.
 *
 * @param asked with the path of a copy of the engine's own (main/engine/home/opened-copies.ts)
 * @param icon what is dragged, as a file of an image
 * @returns whether somebody takes it
 */
export async function handOver(
  { path, to, window: id }: Pick<HandOver, 'path' | 'to'> & Pick<Asked, 'window'>,
  icon: string,
): Promise<boolean> {
  if (to === 'program') return (await shell.openPath(path)) === '';
  const window = askingWindow(id);
  window?.webContents.startDrag({ file: path, icon });
  return window !== null;
}
