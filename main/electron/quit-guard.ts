import type { App, Dialog, PowerMonitor, WebContents } from 'electron';
import type { EngineStatus } from './engine-messages.ts';
import type { ShellTexts } from './shell-texts.ts';

/**
 * Asks before the desk ends with something undelivered. A shutdown of the system is not held up:
 * what waits is safe on the disk.
 */
export function guardQuit(options: {
  readonly app: Pick<App, 'on'>;
  readonly dialog: Pick<Dialog, 'showMessageBoxSync'>;
  readonly powerMonitor: Pick<PowerMonitor, 'on'>;
  readonly status: () => EngineStatus | null;
  readonly texts: ShellTexts;
}): void {
  const { app, dialog, powerMonitor, texts } = options;
  let mayQuit = false;
  powerMonitor.on('shutdown', () => (mayQuit = true));
  app.on('before-quit', (event) => {
    const waiting = options.status()?.waiting ?? 0;
    if (mayQuit || waiting === 0) return;
    const answer = dialog.showMessageBoxSync({
      type: 'question',
      message: texts.quitQuestion,
      detail: texts.quitDetail(waiting),
      buttons: [texts.stay, texts.quit],
      defaultId: 0,
      cancelId: 0,
    });
    if (answer === 1) mayQuit = true;
    else event.preventDefault();
  });
}

/**
 * Asks before a page goes that has something typed in it and not saved. Without an answer Electron
 * would keep it silently: the window would not close, and nobody would know why.
 */
export function guardUnsaved(options: {
  readonly contents: Pick<WebContents, 'on'>;
  readonly dialog: Pick<Dialog, 'showMessageBoxSync'>;
  readonly texts: ShellTexts;
}): void {
  const { contents, dialog, texts } = options;
  contents.on('will-prevent-unload', (event) => {
    const answer = dialog.showMessageBoxSync({
      type: 'question',
      message: texts.leaveQuestion,
      detail: texts.leaveDetail,
      buttons: [texts.stay, texts.leave],
      defaultId: 0,
      cancelId: 0,
    });
    if (answer === 1) event.preventDefault();
  });
}
