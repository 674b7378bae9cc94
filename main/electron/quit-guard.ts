import { app, type BrowserWindow, dialog, powerMonitor } from 'electron';
import type { EngineStatus } from './engine-messages.ts';
import type { ShellTexts } from '#shared/i18n/texts.ts';

export interface QuitGuard {
  /** Asks before this window's page goes with something typed in it and not saved. */
  watch(window: BrowserWindow): void;
}

/**
 * Asks before the desk ends with something undelivered, and before a page goes with something
 * unsaved: without an answer Electron would keep that page silently, and nobody would know why.
 * A shutdown of the system is not held up: what waits is safe on the disk.
 */
export function guardQuit(options: {
  readonly status: () => EngineStatus | null;
  readonly texts: ShellTexts;
  /** The person was asked by the quitting, and keeps working. */
  readonly onStayed: () => void;
}): QuitGuard {
  const { texts } = options;
  let isShutdown = false;
  let isAgreed = false;

  const goes = (message: string, detail: string, go: string): boolean =>
    dialog.showMessageBoxSync({
      ...{ type: 'question', message, detail },
      ...{ buttons: [texts.stay, go], defaultId: 0, cancelId: 0 },
    }) === 1;

  powerMonitor.on('shutdown', () => (isShutdown = true));
  // A window that gets the focus again says that the shutdown was stopped.
  app.on('browser-window-focus', () => (isShutdown = false));
  app.on('before-quit', (event) => {
    const waiting = options.status()?.waiting ?? 0;
    if (isShutdown || isAgreed || waiting === 0) return;
    isAgreed = goes(texts.quitQuestion, texts.quitDetail(waiting), texts.quit);
    if (isAgreed) return;
    event.preventDefault();
    options.onStayed();
  });
  return {
    watch(window) {
      // The system's event on Windows; powerMonitor has none there.
      window.on('session-end', () => (isShutdown = true));
      window.webContents.on('will-prevent-unload', (event) => {
        if (isShutdown || goes(texts.leaveQuestion, texts.leaveDetail, texts.leave))
          event.preventDefault();
        // Staying ends this quitting, and the next one asks again.
        else isAgreed = false;
      });
    },
  };
}
