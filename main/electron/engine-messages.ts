import type { DeskProblem } from '#shared/desk/errors.ts';
import type { SyncStatus } from '#shared/desk/sync.ts';
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
  /** The laptop woke up: the network may be another, and the clock has jumped. */
  | { readonly type: 'resumed' }
  | { readonly type: 'close' };

/** What the tray and the guard on quitting say. */
export type EngineStatus = Pick<SyncStatus, 'waiting' | 'attention' | 'network' | 'paused'>;

/** What it answers. */
export type FromEngine =
  | { readonly type: 'opened'; readonly hasKeychain: boolean }
  | { readonly type: 'failed'; readonly problem: DeskProblem }
  | { readonly type: 'status'; readonly status: EngineStatus };
