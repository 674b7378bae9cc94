import { app, dialog, type MessageBoxOptions } from 'electron';
import type { DeskProblem } from '#shared/desk/errors.ts';
import { sayProblem } from '#shared/desk/error-text.ts';
import { shellTexts } from '#shared/i18n/catalogue.ts';
import type { Language } from '#shared/i18n/language.ts';
import { appName } from './identity.ts';

/** A keychain that asks for its password lets the desk wait, without a window to be seen. */
const patienceMs = 6_000;

export interface OpeningOptions {
  readonly language: () => Language;
  /** The user asks to try again what was blocked. */
  readonly retry: () => void;
}

/** The boxes that the user sees until the desk is open. */
export interface Opening {
  blocked(problem: DeskProblem): void;
  /** Open, or given up: no box is left. */
  ended(): void;
}

/**
 * Shows that the desk is still being opened, or what keeps it from that, in one box at a time, which
 * closes by itself. The user may give it up.
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

  /** A box whose second button gives up the desk. */
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
      // The attempts that nobody asked for leave the box as it is.
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
