import { app, BrowserWindow, dialog, powerMonitor } from 'electron';
import { closingStatement, quitStatements } from '#shared/desk/statements.ts';
import { shellTexts } from '#shared/i18n/catalogue.ts';
import type { Language } from '#shared/i18n/language.ts';
import { sayQuit } from '#shared/i18n/say-statement.ts';
import type { EngineStatus } from './engine-messages.ts';
import { appName } from './identity.ts';

/** A desk that is asked to end does so within 5 s; what it began is safe on the disk. */
export const endWithinMs = 4500;
/** Typed text is stored well within a second; a page that still has some after this is closed. */
const storedWithinMs = 2000;
const lookAgainMs = 100;

/**
 * After the event that was answered: within it Electron takes the quitting that was prevented for the
 * last word, and the window stays.
 */
const afterTheEvent = (act: () => void) => void setImmediate(act);

export interface QuitGuard {
  /** Asks before this window closes with work undelivered, or with text in it that is not saved. */
  watch(window: BrowserWindow): void;
  /** Ends the desk without a question, because the system asks for it. */
  end(): void;
}

/**
 * Asks before the desk ends with something undelivered, and before a page closes with something
 * unsaved: without an answer Electron would leave that page open silently, and nobody would know
 * why. The system is not asked back: what waits and what is typed is safe on the disk.
 */
// oxlint-disable-next-line max-lines-per-function -- the events of one end, which share how far it is
export function guardQuit(options: {
  readonly status: () => EngineStatus | null;
  readonly language: () => Language;
}): QuitGuard {
  /** When the pages were asked to close because the system ends; null as long as it does not. */
  let endingSince: number | null = null;
  const texts = () => shellTexts[options.language()];
  let isAgreed = false;
  let isQuitting = false;
  const standing = new AbortController();
  let isAsking = false;
  const needsNoQuestion = () => endingSince !== null || isAgreed || !isOpen(options.status());

  /** Asks as a child of a window, one question at a time; resolves with whether the user goes. */
  async function asks(window: BrowserWindow | undefined, question: Question): Promise<boolean> {
    if (isAsking) return false;
    isAsking = true;
    const { message, detail, go } = question;
    const box = {
      ...{ type: 'question' as const, title: appName, message, detail, signal: standing.signal },
      ...{ buttons: [texts().stay, go], defaultId: 0, cancelId: 0 },
    };
    try {
      const asked = window ? dialog.showMessageBox(window, box) : dialog.showMessageBox(box);
      return (await asked).response === 1;
    } finally {
      isAsking = false;
    }
  }

  async function askToQuit(window: BrowserWindow | undefined): Promise<void> {
    const status = options.status();
    if (!status) return;
    const { quitQuestion, quit } = texts();
    const detail = quitStatements(status)
      .map((statement) => sayQuit(statement, options.language()))
      .join('\n');
    if (!(await asks(window, { message: quitQuestion, detail, go: quit }))) return;
    isAgreed = true;
    afterTheEvent(() => app.quit());
  }

  /**
   * Asks for a page that stays until then; what the user began, quitting or closing, goes on. The
   * window is not closed again: until its page has heard that it stays, Electron takes a second
   * closing for the first one, which the page refused.
   */
  async function askToLeave(window: BrowserWindow): Promise<void> {
    const wasQuitting = isQuitting;
    isQuitting = false;
    const { leaveQuestion, leaveDetail, leave } = texts();
    if (!(await asks(window, { message: leaveQuestion, detail: leaveDetail, go: leave }))) {
      // Staying ends this quitting, and the next one asks again.
      isAgreed = false;
      return;
    }
    afterTheEvent(() => {
      if (!window.isDestroyed()) window.destroy();
      if (wasQuitting) app.quit();
    });
  }

  function end(): void {
    if (endingSince !== null) return;
    endingSince = performance.now();
    standing.abort();
    setTimeout(() => app.exit(0), endWithinMs);
    app.quit();
  }

  app.on('before-quit', (event) => {
    if (needsNoQuestion()) {
      isQuitting = true;
      return;
    }
    event.preventDefault();
    void askToQuit(BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]);
  });
  // Linux and macOS: the system waits for a program that says so.
  powerMonitor.on('shutdown', (event?: Electron.Event) => {
    event?.preventDefault();
    end();
  });
  return {
    end,
    watch(window) {
      // Windows, where powerMonitor has no such event.
      window.on('session-end', end);
      window.on('close', (event) => {
        // Closing the last window quits the desk.
        if (needsNoQuestion() || BrowserWindow.getAllWindows().length > 1) return;
        event.preventDefault();
        void askToQuit(window);
      });
      window.webContents.on('will-prevent-unload', (event) => {
        const isOver = endingSince !== null && performance.now() - endingSince > storedWithinMs;
        if (isOver) event.preventDefault();
        else if (endingSince !== null) setTimeout(() => app.quit(), lookAgainMs);
        else void askToLeave(window);
      });
    },
  };
}

/** Something waits to be sent, or would be lost with a workspace that ends with the process. */
function isOpen(status: EngineStatus | null): boolean {
  if (status === null) return false;
  const windows = { unsaved: false, adding: false };
  return (
    status.waiting > 0 || !closingStatement({ ...status, ...windows, isStored: status.kept }).isSafe
  );
}

interface Question {
  readonly message: string;
  readonly detail: string;
  /** The text of the button that does not stay. */
  readonly go: string;
}
