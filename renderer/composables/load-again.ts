/**
 * Loads the window again because a chunk did not load: the desk was updated under it, so that the
 * chunk is in the new build only, or did not answer for a moment. Not while the desk is gone or
 * something is in this window only; and once for each chunk, because one that fails for good would
 * load the window again with every page that is opened. What failed is then asked for again
 * (`askAgainMs`).
 *
 * @param message of the failure, which names the chunk
 */
export async function loadWindowAgain(page: Window, message: string): Promise<void> {
  const mark = `loaded again: ${message}`;
  if (page.sessionStorage.getItem(mark) !== null) return;
  const isThere = await page
    .fetch(page.location.pathname)
    .then(({ ok }) => ok)
    .catch(() => false);
  const leaving = new Event('beforeunload', { cancelable: true });
  if (!isThere || !page.dispatchEvent(leaving)) return;
  page.sessionStorage.setItem(mark, '');
  page.location.reload();
}
