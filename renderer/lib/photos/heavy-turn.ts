import { isUnderway, isWaiting } from '../asked-worker.ts';

/**
 * Pictures with more pixels wait for each other. One of 100 million takes some 600 MB while it is
 * decoded and drawn, so two at once would take more than the 1 GB that the window may. The
 * photographs of most telephones have fewer pixels, and two of them at once take 400 MB.
 */
const lightPixels = 30_000_000;

/** The name of the lock that all workers of all windows share. It ends with its worker. */
const heavyTurn = 'heavy picture';

/**
 * Decodes and draws a picture. Of the large ones, only one at a time is in work, in whichever window.
 * @param pixels the number of the picture's pixels
 * @param post tells the window that the worker waits, and then that it works
 */
export async function inTurn<Made>(
  pixels: number,
  work: () => Promise<Made>,
  post: (message: object) => void,
): Promise<Made> {
  if (pixels <= lightPixels) return await work();
  post(isWaiting);
  return await navigator.locks.request(heavyTurn, async () => {
    post(isUnderway);
    return await work();
  });
}
