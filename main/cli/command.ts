import type { Engine } from '#main/engine/engine.ts';
import type { ExitCode } from '#main/shell/exit-codes.ts';
import type { Language } from '#shared/desk/workspace.ts';
import type { Output } from './output.ts';

/** What every command is given. */
export interface CommandContext {
  readonly engine: Engine;
  readonly output: Output;
  /** Of the sentences of problems and of an exported sheet; everything else is in English. */
  readonly language: Language;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the user types without echo; null if no terminal is there to ask at. */
  readonly askSecret: (question: string) => Promise<string | null>;
  /** Fires at Ctrl+C and SIGTERM. */
  readonly signal: AbortSignal;
  /** For a command that did something and yet is not simply done. */
  readonly endWith: (code: ExitCode) => void;
}

/** A command with its arguments read; rejects with DeskError or UsageError. */
export type Command = (context: CommandContext) => Promise<void>;
