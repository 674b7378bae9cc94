import { isCodeSafe } from './desk-code.ts';

/**
 * Loads the window again because a chunk did not load. Either the desk was updated and only the new
 * build has the chunk, or the desk did not answer for a moment. The window is not loaded again
 * while it has unsaved data. It is also not loaded again while the engine has not proved who it is,
 * because another server could provide its code. The window is loaded again only once for each
 * chunk, so that a missing chunk does not cause it at every page. The chunk is then requested again
 * (`askAgainMs`).
 * @param message the message of the failure, which contains the chunk's name
 */
export function loadWindowAgain(page: Window, message: string): void {
  const mark = `loaded again: ${message}`;
  if (page.sessionStorage.getItem(mark) !== null) return;
  const leaving = new Event('beforeunload', { cancelable: true });
  if (!isCodeSafe() || !page.dispatchEvent(leaving)) return;
  page.sessionStorage.setItem(mark, '');
  page.location.reload();
}
