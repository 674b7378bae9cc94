import { app, dialog, type MessageBoxOptions } from 'electron';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import { sayProblem } from '#shared/desk/contract/error-text.ts';
import { shellTexts } from '#shared/i18n/catalogue.ts';
import type { Language } from '#shared/i18n/language.ts';
import { appName } from './identity.ts';

/**
 * The time after which a box is shown. While a keychain asks for its password, the window is empty.
 */
const patienceMs = 6_000;

export interface OpeningOptions {
  readonly language: () => Language;
  /** Called if the user wants to try again what was blocked. */
  readonly retry: () => void;
}

/** The boxes that the user sees until the desk is open. */
export interface Opening {
  blocked(problem: DeskProblem): void;
  /** Called when the desk is open or the user gave up; it closes the box. */
  ended(): void;
}

/**
 * Shows in one box at a time that the desk is still opening, or what prevents this. The box closes
 * automatically. The user may give up.
 */
export function tellOfOpening({ language, retry }: OpeningOptions): Opening {
  let box = new AbortController();
  let later: NodeJS.Timeout | undefined;
  let shown: DeskProblem['code'] | null = null;
  const texts = () => shellTexts[language()];

  function close(): void {
    clearTimeout(later);
    box.abort();
    box = new AbortController();
    shown = null;
  }

  /** Shows a box whose second button gives up. */
  function show(options: MessageBoxOptions, onFirst: () => void): void {
    const { signal } = box;
    dialog
      .showMessageBox({ title: appName, defaultId: 0, signal, ...options })
      .then(({ response }) => {
        if (signal.aborted) return;
        if (response === 1) app.quit();
        else onFirst();
      })
      .catch(() => undefined);
  }

  function wait(): void {
    close();
    later = setTimeout(() => {
      const { opening: message, openingDetail: detail, keepWaiting, quit } = texts();
      const buttons = [keepWaiting, quit];
      show({ type: 'info', message, detail, buttons, cancelId: 0 }, () => undefined);
    }, patienceMs);
  }

  wait();
  return {
    blocked(problem) {
      // Automatic attempts leave the box unchanged.
      if (shown === problem.code) return;
      close();
      shown = problem.code;
      const message = sayProblem(problem, language());
      const buttons = [texts().tryAgain, texts().quit];
      show({ type: 'warning', message, buttons, cancelId: 1 }, () => {
        wait();
        retry();
      });
    },
    ended: close,
  };
}
