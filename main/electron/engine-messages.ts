import type { DocumentTaker } from '#shared/desk/reports/documents.ts';
import type { DeskProblem } from '#shared/desk/contract/errors.ts';
import type { OpenAtEnd, SyncStatus } from '#shared/desk/delivery/sync.ts';
import type { DeskUpdate, InstallMoment } from '#shared/desk/setup/update.ts';
import type { PathQuestion } from '#shared/desk/setup/work-package.ts';
import type { Language } from '#shared/i18n/language.ts';
import type { ShellLanguages } from '#main/engine/home/settings.ts';

/** Messages from the main process to the engine's process. */
export type ToEngine =
  | {
      readonly type: 'open';
      readonly home: string;
      readonly languages: ShellLanguages;
      readonly passphraseVault: boolean;
      /** The value of DESK_VAULT_PASSPHRASE, which was removed from the environment. */
      readonly passphrase: string | null;
    }
  /**
   * The message has one port: a window's connection for the contract. `window` is the id of its
   * page.
   */
  | { readonly type: 'window'; readonly window: number }
  /** The message has one port for one file request. */
  | { readonly type: 'file' }
  /** The laptop woke up: the network may have changed, and the clock has jumped. */
  | { readonly type: 'resumed' }
  /**
   * Chromium's network process ended and was started again; the engine's connection to it may be
   * broken.
   */
  | { readonly type: 'network-died' }
  /** A newer version was found, or who installs it has changed. */
  | { readonly type: 'update-changed' }
  | { readonly type: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly type: 'close' };

/** The status that the tray and the guard on quitting show. */
export type EngineStatus = Pick<SyncStatus, 'network' | 'clock'> &
  OpenAtEnd & {
    /**
     * Whether the workspace stays; false for a practice workspace that is removed when the process
     * ends.
     */
    readonly kept: boolean;
  };

/** Messages from the engine's process to the main process. */
export type FromEngine =
  /** The engine is open. `language` is that of the menu, the tray and the boxes. */
  | { readonly type: 'opened'; readonly hasKeychain: boolean; readonly language: Language }
  /** The language has changed. */
  | { readonly type: 'language'; readonly language: Language }
  | { readonly type: 'failed'; readonly problem: DeskProblem }
  /** The keychain prevents the engine from opening. Another process may try again. */
  | { readonly type: 'blocked'; readonly problem: DeskProblem }
  /** The keychain no longer prevents it. */
  | { readonly type: 'unlocked' }
  | { readonly type: 'status'; readonly status: EngineStatus }
  /** Requests of this process no longer reach the network, so another process is needed. */
  | { readonly type: 'network-lost' }
  | Asked;

/** A question that a call of a window caused. */
export type Asked = Question & {
  readonly type: 'ask';
  readonly id: number;
  /** The id of the window's page. */
  readonly window: number;
};

export type Question = HandOver | ChoosePath | AskForUpdate;

/**
 * The answer: whether a program took the file, the path that the user chose, or the newer version;
 * null if there is none.
 */
export type Answer = boolean | string | DeskUpdate | null;

/** A decrypted copy is to be given to another program. */
export interface HandOver {
  readonly about: 'hand-over';
  readonly path: string;
  readonly to: DocumentTaker;
}

/** The user is to choose a file or a folder. */
export interface ChoosePath {
  readonly about: 'choose-path';
  readonly question: PathQuestion;
}

/** The newer version is asked for, and installed if a time is given. */
export interface AskForUpdate {
  readonly about: 'update';
  readonly install: InstallMoment | null;
}
