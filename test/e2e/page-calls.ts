import type { Page } from '@playwright/test';

/**
 * Holds up what a page of the browser asks the engine, from the first call to a path on. That call
 * itself arrives. The page must not be opened yet.
 */
export async function holdCallsAfter(page: Page, path: string) {
  const later: (() => void)[] = [];
  let isReached = false;
  let isReleased = false;
  const reached = Promise.withResolvers<undefined>();
  await page.routeWebSocket(/\/contract$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const send = () => {
        server.send(message);
      };
      if (isReached && !isReleased) later.push(send);
      else send();
      if (!String(message).includes(path)) return;
      isReached = true;
      reached.resolve(undefined);
    });
  });
  return {
    /** Resolves when the page has made the call. */
    reached: reached.promise,
    /** Lets everything arrive. */
    release() {
      isReleased = true;
      for (const send of later) send();
    },
  };
}
