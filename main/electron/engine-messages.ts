import type { DocumentTaker } from '#shared/desk/documents.ts';
import type { DeskProblem } from '#shared/desk/errors.ts';
import type { OpenAtEnd, SyncStatus } from '#shared/desk/sync.ts';
import type { PathQuestion } from '#shared/desk/work-package.ts';
import type { Language } from '#shared/i18n/language.ts';
import type { ShellLanguages } from '#main/engine/home/settings.ts';

/** Messages from the main process to the engine's process. */
export type ToEngine =
  | {
      readonly type: 'open';
      readonly home: string;
      readonly languages: ShellLanguages;
      readonly passphraseVault: boolean;
      /** DESK_VAULT_PASSPHRASE, which is in no environment any more. */
      readonly passphrase: string | null;
    }
  /** With one port: a window's line for the contract. `window` is the id of its page. */
  | { readonly type: 'window'; readonly window: number }
  /** With one port: one file request. */
  | { readonly type: 'file' }
  /** The laptop woke up: the network may be another, and the clock has jumped. */
  | { readonly type: 'resumed' }
  /** Chromium's network process died and was started again; the engine's way to it may be broken. */
  | { readonly type: 'network-died' }
  | { readonly type: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly type: 'close' };

/** What the tray and the guard on quitting say. */
export type EngineStatus = Pick<SyncStatus, 'waiting' | 'network'> &
  OpenAtEnd & {
    /** False for a practice workspace that ends with the process. */
    readonly kept: boolean;
  };

/** Messages from the engine's process to the main process. */
export type FromEngine =
  /** `language` is of the menu, the tray and the boxes. */
  | { readonly type: 'opened'; readonly hasKeychain: boolean; readonly language: Language }
  /** It is another since. */
  | { readonly type: 'language'; readonly language: Language }
  | { readonly type: 'failed'; readonly problem: DeskProblem }
  /** The keychain prevents the engine from opening; another process may try again. */
  | { readonly type: 'blocked'; readonly problem: DeskProblem }
  /** It does so no more. */
  | { readonly type: 'unlocked' }
  | { readonly type: 'status'; readonly status: EngineStatus }
  /** No request reaches the network from this process any more; it needs another process. */
  | { readonly type: 'network-lost' }
  | Asked;

/** A question that a call of a window led to. */
export type Asked = (HandOver | ChoosePath) & {
  readonly type: 'ask';
  readonly id: number;
  /** The window's, as in its line. */
  readonly window: number;
};

/** Whether somebody took the file, or the path that the user chose; null if it came to nothing. */
export type Answer = boolean | string | null;

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
