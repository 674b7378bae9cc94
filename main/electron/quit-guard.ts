import { app, BrowserWindow, dialog } from 'electron';
import { ledgerSums } from '#shared/desk/delivery/ledger-counts.ts';
import { closingStatement, isEvening, quitStatements } from '#shared/desk/delivery/statements.ts';
import { shellTexts } from '#shared/i18n/catalogue.ts';
import type { Language } from '#shared/i18n/language.ts';
import { sayQuit } from '#shared/i18n/say-statement.ts';
import type { End } from './end.ts';
import type { EngineStatus } from './engine-messages.ts';
import { appName } from './identity.ts';
import { watchClosing } from './window.ts';

/**
 * The time after which a page with unsaved text is closed. Typed text is normally stored within a
 * second.
 */
const storedWithinMs = 2000;
const lookAgainMs = 100;
/** The isolated world in which the page's address is set. */
const showingWorld = 1001;

/**
 * Runs after the current event. During the event, Electron would treat the prevented quitting as
 * final, and the window would stay.
 */
const afterTheEvent = (act: () => void) => void setImmediate(act);

export interface QuitGuard {
  /** Asks before this window closes if work is undelivered or the window has unsaved text. */
  watch(window: BrowserWindow): void;
  /** Asks for the agreement to quit, if a question is needed. @returns whether the user agrees */
  agree(): Promise<boolean>;
  /** Whether the user agreed, and has not stayed since. */
  isAgreed(): boolean;
}

/**
 * Asks before the desk quits with undelivered work, and before a page closes with unsaved text.
 * Without the question, Electron would silently leave that page open. If the system ends the desk,
 * nothing is asked, because waiting work and typed text are safe on the disk.
 */
// oxlint-disable-next-line max-lines-per-function -- the events of one end, which share how far it is
export function guardQuit(options: {
  readonly status: () => EngineStatus | null;
  readonly language: () => Language;
  readonly end: End;
  readonly now: () => number;
}): QuitGuard {
  const { signal } = options.end;
  /** When the pages were asked to close because the system ends the desk. */
  let endingSince = Infinity;
  const texts = () => shellTexts[options.language()];
  let isAgreed = false;
  let isQuitting = false;
  let isAsking = false;
  /** From the afternoon on what is begun is asked about, too, because the day ends with it. */
  const offersClose = () => isEvening(options.now()) && isUnfinished(options.status());
  const needsNoQuestion = () =>
    signal.aborted || isAgreed || !(isOpen(options.status()) || offersClose());

  /** Asks in a box over a window, one question at a time. */
  async function asks(window: BrowserWindow | undefined, question: Question): Promise<Choice> {
    if (isAsking) return 'stay';
    isAsking = true;
    const { message, detail, go, close = [] } = question;
    const box = {
      type: 'question' as const,
      title: appName,
      message,
      detail,
      signal,
      buttons: [texts().stay, go, ...close],
      defaultId: 0,
      cancelId: 0,
    };
    try {
      const asked = window ? dialog.showMessageBox(window, box) : dialog.showMessageBox(box);
      return choices[(await asked).response] ?? 'stay';
    } finally {
      isAsking = false;
    }
  }

  const leaving = (go: string): Question => ({
    message: texts().leaveQuestion,
    detail: texts().leaveDetail,
    go,
  });

  /** Asks what quitting means for the work that waits. @returns whether the user agrees */
  async function agrees(window: BrowserWindow | undefined): Promise<boolean> {
    const status = options.status();
    if (!status) return false;
    const { quitQuestion, quit } = texts();
    const detail = quitStatements(status)
      .map((statement) => sayQuit(statement, options.language()))
      .join('\n');
    const close = offersClose() && window ? [texts().closeOfDay] : [];
    const chosen = await asks(window, { message: quitQuestion, detail, go: quit, close });
    if (chosen === 'close' && window) showClose(window);
    isAgreed = chosen === 'go';
    return isAgreed;
  }

  async function askToQuit(window: BrowserWindow | undefined): Promise<void> {
    if (await agrees(window)) afterTheEvent(() => app.quit());
  }

  /**
   * Asks about a page that stays until the answer. Then the quitting or closing that the user began
   * continues. The window is not closed again before its page has learnt that it stays, because
   * Electron would treat a second closing as the first one, which the page refused.
   */
  async function askToLeave(window: BrowserWindow): Promise<void> {
    const wasQuitting = isQuitting;
    isQuitting = false;
    if ((await asks(window, leaving(texts().leave))) !== 'go') {
      // If the user stays, this quitting ends, and the next one asks again.
      isAgreed = false;
      return;
    }
    afterTheEvent(() => {
      if (!window.isDestroyed()) window.destroy();
      if (wasQuitting) app.quit();
    });
  }

  options.end.closeBy(() => {
    endingSince = performance.now();
    app.quit();
  });

  app.on('before-quit', (event) => {
    if (needsNoQuestion()) {
      isQuitting = true;
      return;
    }
    event.preventDefault();
    void askToQuit(anyWindow());
  });
  return {
    async agree() {
      isAgreed = needsNoQuestion() || (await agrees(anyWindow()));
      return isAgreed;
    },
    isAgreed: () => isAgreed,
    watch(window) {
      window.on('close', (event) => {
        // Closing the last window quits the desk.
        if (needsNoQuestion() || BrowserWindow.getAllWindows().length > 1) return;
        event.preventDefault();
        void askToQuit(window);
      });
      const isClosing = watchClosing(window);
      let mayReload = false;
      window.webContents.on('will-prevent-unload', (event) => {
        if (mayReload || performance.now() - endingSince > storedWithinMs) event.preventDefault();
        else if (signal.aborted) setTimeout(() => app.quit(), lookAgainMs);
        else if (isClosing()) void askToLeave(window);
        else
          void asks(window, leaving(texts().reload)).then((chosen) => {
            if (chosen !== 'go' || window.isDestroyed()) return;
            mayReload = true;
            window.webContents.once('did-navigate', () => (mayReload = false));
            window.webContents.reload();
          });
      });
    },
  };
}

const anyWindow = () => BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];

/** Whether work waits to be sent, or would be lost with a workspace that is removed at the end. */
function isOpen(status: EngineStatus | null): boolean {
  if (status === null) return false;
  const windows = { unsaved: false, adding: false };
  const { waiting } = ledgerSums(status.unfinished);
  return waiting > 0 || !closingStatement({ ...status, ...windows, isStored: status.kept }).isSafe;
}

/** Whether something waits, needs the user, or is begun. Visits are not counted, as in the tray. */
function isUnfinished(status: EngineStatus | null): boolean {
  return status !== null && Object.values(ledgerSums(status.unfinished)).some((n) => n > 0);
}

/** Shows the close of the day in the window. */
function showClose(window: BrowserWindow): void {
  if (window.isDestroyed()) return;
  window.focus();
  window.webContents
    .executeJavaScriptInIsolatedWorld(showingWorld, [{ code: `location.hash = '#/close'` }])
    // A page that is gone in the meantime shows nothing.
    .catch(() => undefined);
}

/** The answers by the place of their button. */
const choices = ['stay', 'go', 'close'] as const;
type Choice = (typeof choices)[number];

interface Question {
  readonly message: string;
  readonly detail: string;
  /** The text of the button that continues the quitting. */
  readonly go: string;
  /** The text of the button that shows the close of the day, if it is offered. */
  readonly close?: readonly string[];
}
