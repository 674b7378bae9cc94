import type { WebContents } from 'electron';

/** A page that dies again so soon would do so for ever. */
const againWithinMs = 10_000;

/**
 * Loads the page of a window anew when its process died, which would leave the window white. What
 * was saved is the engine's; what was only typed is gone, and the person is told.
 */
export function reloadDeadPage(
  contents: Pick<WebContents, 'on' | 'reload'>,
  options: { readonly now: () => number; readonly onReloaded: (reason: string) => void },
): void {
  let lastDeath = -Infinity;
  contents.on('render-process-gone', (_event, { reason }) => {
    const now = options.now();
    const isAgain = now - lastDeath < againWithinMs;
    lastDeath = now;
    if (reason === 'clean-exit' || isAgain) return;
    contents.reload();
    options.onReloaded(reason);
  });
}
