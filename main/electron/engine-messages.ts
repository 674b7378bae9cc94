import type { DeskProblem } from '#shared/desk/errors.ts';
import type { Language } from '#shared/desk/workspace.ts';

/** What the main process tells the engine's process. */
export type ToEngine =
  | {
      readonly type: 'open';
      readonly home: string;
      readonly language: Language | null;
      readonly passphraseVault: boolean;
    }
  /** With one port: a window's line for the contract. */
  | { readonly type: 'window' }
  /** With one port: one file request. */
  | { readonly type: 'file' }
  | { readonly type: 'close' };

/** What it answers. */
export type FromEngine =
  | { readonly type: 'opened'; readonly hasKeychain: boolean }
  | { readonly type: 'failed'; readonly problem: DeskProblem };
