import { app, dialog } from 'electron';
import type { ShellTexts } from '#shared/i18n/texts.ts';

/** A keychain that asks for its password lets the desk wait, without a window to be seen. */
const patienceMs = 6_000;

/** Says that the desk is still being opened, until it is; the person may give it up. */
export function tellOfSlowOpening(texts: ShellTexts): { opened(): void } {
  const box = new AbortController();
  const later = setTimeout(() => {
    const buttons = [texts.keepWaiting, texts.quit];
    const { signal } = box;
    dialog
      .showMessageBox({
        ...{ type: 'info', message: texts.opening, detail: texts.openingDetail, signal },
        ...{ buttons, defaultId: 0, cancelId: 0 },
      })
      .then(({ response }) => {
        if (response === 1 && !signal.aborted) app.quit();
      })
      .catch(() => undefined);
  }, patienceMs);
  return {
    opened() {
      clearTimeout(later);
      box.abort();
    },
  };
}
