import { isCodeSafe } from './desk-code.ts';

/**
 * Loads the window again because a chunk did not load: the desk was updated, and only the new build
 * has the chunk. A desk that ends or does not answer has no page to load, and the browser would show
 * its own error in place of the window; the chunk is then requested again (`askAgainMs`). The window
 * is not loaded again while it has unsaved data. It is also not loaded again while the engine has not
 * proved who it is, because another server could provide its code. The window is loaded again only
 * once for each chunk, so that a missing chunk does not cause it at every page.
 * @param message the message of the failure, which contains the chunk's name
 */
export async function loadWindowAgain(page: Window, message: string): Promise<void> {
  const mark = `loaded again: ${message}`;
  if (page.sessionStorage.getItem(mark) !== null || !(await answers(page))) return;
  const leaving = new Event('beforeunload', { cancelable: true });
  if (!isCodeSafe() || !page.dispatchEvent(leaving)) return;
  page.sessionStorage.setItem(mark, '');
  page.location.reload();
}

/** Whether the desk has the page now. */
async function answers(page: Window): Promise<boolean> {
  try {
    const { ok } = await page.fetch(page.location.pathname, { cache: 'no-store' });
    return ok;
  } catch {
    return false;
  }
}
