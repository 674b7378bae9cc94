import type { Engine } from '#main/engine/engine.ts';
import type { ExitCode } from '#main/shell/exit-codes.ts';
import type { Language } from '#shared/desk/setup/workspace.ts';
import type { Output } from './output.ts';

/** The context of every command. */
export interface CommandContext {
  readonly engine: Engine;
  readonly output: Output;
  /** The language of problems and of exported sheets. Everything else is in English. */
  readonly language: Language;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks for a secret without showing it; null if there is no terminal. */
  readonly askSecret: (question: string) => Promise<string | null>;
  /** Fires at Ctrl+C and SIGTERM. */
  readonly signal: AbortSignal;
  /** Sets the exit code of a command that did its work but is not fully successful. */
  readonly endWith: (code: ExitCode) => void;
}

/** A command with its parsed arguments. It rejects with DeskError or UsageError. */
export type Command = (context: CommandContext) => Promise<void>;
