import type { commandLineHints, errorSentences, errorWords, readRefusals } from './de/errors.ts';
import type { dispatchTexts, policyTexts, shellTexts, startTexts } from './de/shell.ts';
import type { statementTexts } from './de/statements.ts';
import type { windowTexts } from './de/window.ts';
import type { words } from './de/words.ts';

/** The same tree with any text at its leaves. */
export type TextsLike<Tree> = {
  readonly [Key in keyof Tree]: Tree[Key] extends string
    ? string
    : Tree[Key] extends (...params: never) => string
      ? Tree[Key]
      : TextsLike<Tree[Key]>;
};

// The shape of the German texts.
export type WindowTexts = TextsLike<typeof windowTexts>;
export type ErrorSentences = TextsLike<typeof errorSentences>;
export type ReadRefusals = TextsLike<typeof readRefusals>;
export type CommandLineHints = typeof commandLineHints;
export type ErrorWords = TextsLike<typeof errorWords>;
export type Words = TextsLike<typeof words>;
export type ShellTexts = TextsLike<typeof shellTexts>;
export type StatementTexts = TextsLike<typeof statementTexts>;
export type StartTexts = TextsLike<typeof startTexts>;
export type DispatchTexts = TextsLike<typeof dispatchTexts>;
export type PolicyTexts = TextsLike<typeof policyTexts>;

type Path<Tree, Prefix extends string = ''> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? `${Prefix}${Key}`
    : Path<Tree[Key], `${Prefix}${Key}.`>;
}[keyof Tree & string];

/** The dotted key of each text of the window. */
export type MessageKey = Path<typeof windowTexts>;
