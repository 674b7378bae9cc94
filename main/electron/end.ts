import { app, powerMonitor } from 'electron';

/**
 * The time within which the desk ends after a request of the system. Work that it began is safe on
 * the disk.
 */
const endWithinMs = 4500;

/** The one owner of the desk's end: what the system asks for, and the deadline. */
export interface End {
  /** It is aborted when the system ends the desk, so that every box gives way. */
  readonly signal: AbortSignal;
  /** Sets what closes the desk from now on. Without it the desk exits at once. */
  closeBy(close: () => void): void;
  /** Sets what remains to be closed once all windows are closed; it has to exit. */
  lastCloseBy(close: () => void): void;
  /** Everything is closed: whoever quits the desk now is not held back. */
  letGo(): void;
}

/**
 * Takes over the end of the desk: signals from the first line on, and the end of the session. When
 * the system ends the desk, nothing is asked and nothing is installed, and the deadline holds
 * whatever the engine and the pages do. It holds only while nothing blocks the main thread, so the
 * shell shows no box that waits (`showMessageBoxSync`) and starts no program that it waits for.
 */
export function ownEnd(): End {
  const ending = new AbortController();
  let close = () => app.exit(0);
  let isClosed = false;
  let lastDeadline: NodeJS.Timeout | undefined;
  function begin(): void {
    if (ending.signal.aborted) return;
    setTimeout(() => app.exit(0), endWithinMs);
    ending.abort();
    close();
  }
  const listen = () => {
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.off(name, begin).on(name, begin);
  };
  listen();
  // Electron posts its reaction to a signal that came before `ready`, and quits after it. Until
  // there is a window, nobody but the system can ask for that.
  const onEarlyQuit = (event: Electron.Event) => {
    if (ending.signal.aborted) return;
    event.preventDefault();
    begin();
  };
  app.on('before-quit', onEarlyQuit);
  app.once('browser-window-created', () => app.off('before-quit', onEarlyQuit));
  // On Linux and macOS the system waits for a program that prevents the event.
  const onShutdown = (event?: Electron.Event) => {
    event?.preventDefault();
    begin();
  };
  app.once('ready', () => {
    // Until then Electron sets handlers of its own, which quit as a user does: with questions
    // (shell/browser/electron_browser_main_parts_posix.cc).
    listen();
    powerMonitor.on('shutdown', onShutdown);
  });
  // On Windows powerMonitor has no such event.
  app.on('browser-window-created', (_event, window) => window.on('session-end', begin));
  return {
    signal: ending.signal,
    closeBy(next) {
      close = next;
    },
    lastCloseBy(closeLast) {
      let isClosing = false;
      app.on('will-quit', (event) => {
        if (!isClosed) event.preventDefault();
        if (isClosing) return;
        isClosing = true;
        lastDeadline = setTimeout(() => app.exit(0), endWithinMs);
        closeLast();
      });
    },
    letGo() {
      isClosed = true;
      // Comparing a downloaded update may take longer; the system's own deadline still holds.
      clearTimeout(lastDeadline);
    },
  };
}
