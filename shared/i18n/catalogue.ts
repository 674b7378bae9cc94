import * as errorsDe from './de/errors.ts';
import * as errorsFr from './fr/errors.ts';
import * as errorsIt from './it/errors.ts';
import * as errorsEn from './en/errors.ts';
import * as shellDe from './de/shell.ts';
import * as shellFr from './fr/shell.ts';
import * as shellIt from './it/shell.ts';
import * as shellEn from './en/shell.ts';
import { statementTexts as statementsDe } from './de/statements.ts';
import { statementTexts as statementsFr } from './fr/statements.ts';
import { statementTexts as statementsIt } from './it/statements.ts';
import { statementTexts as statementsEn } from './en/statements.ts';
import { words as wordsDe } from './de/words.ts';
import { words as wordsFr } from './fr/words.ts';
import { words as wordsIt } from './it/words.ts';
import { words as wordsEn } from './en/words.ts';
import type { Language } from './language.ts';
import type {
  CommandLineHints,
  DispatchTexts,
  ErrorSentences,
  ErrorWords,
  PolicyTexts,
  ReadRefusals,
  ShellTexts,
  StartTexts,
  StatementTexts,
  WindowTexts,
  Words,
} from './texts.ts';

/*
 * All texts, by language. A new language is a folder beside `de/` and a line in each of these
 * tables and in `language.ts`; the types name what is missing.
 */

/** Names of the partner's statuses, categories and values. */
export const words: Readonly<Record<Language, Words>> = {
  de: wordsDe,
  fr: wordsFr,
  it: wordsIt,
  en: wordsEn,
};

/** Sentences about the outbox, about closing and about leaving. */
export const statementTexts: Readonly<Record<Language, StatementTexts>> = {
  de: statementsDe,
  fr: statementsFr,
  it: statementsIt,
  en: statementsEn,
};

/** The sentence of each problem. */
export const errorSentences: Readonly<Record<Language, ErrorSentences>> = {
  de: errorsDe.errorSentences,
  fr: errorsFr.errorSentences,
  it: errorsIt.errorSentences,
  en: errorsEn.errorSentences,
};

/** The sentences of a request that reads and is refused. */
export const readRefusals: Readonly<Record<Language, ReadRefusals>> = {
  de: errorsDe.readRefusals,
  fr: errorsFr.readRefusals,
  it: errorsIt.readRefusals,
  en: errorsEn.readRefusals,
};

/** What the command line adds to them. */
export const commandLineHints: Readonly<Record<Language, CommandLineHints>> = {
  de: errorsDe.commandLineHints,
  fr: errorsFr.commandLineHints,
  it: errorsIt.commandLineHints,
  en: errorsEn.commandLineHints,
};

/** What a command that ends adds to a sentence with a promise of the window. */
export const retryHints: Readonly<Record<Language, string>> = {
  de: errorsDe.retryHint,
  fr: errorsFr.retryHint,
  it: errorsIt.retryHint,
  en: errorsEn.retryHint,
};

/** What fills the sentences in place of raw values. */
export const errorWords: Readonly<Record<Language, ErrorWords>> = {
  de: errorsDe.errorWords,
  fr: errorsFr.errorWords,
  it: errorsIt.errorWords,
  en: errorsEn.errorWords,
};

/** Menus, dialogs and notices of the desktop. */
export const shellTexts: Readonly<Record<Language, ShellTexts>> = {
  de: shellDe.shellTexts,
  fr: shellFr.shellTexts,
  it: shellIt.shellTexts,
  en: shellEn.shellTexts,
};

/** What the start writes to stderr. */
export const startTexts: Readonly<Record<Language, StartTexts>> = {
  de: shellDe.startTexts,
  fr: shellFr.startTexts,
  it: shellIt.startTexts,
  en: shellEn.startTexts,
};

/** The dispatcher's page of the office gateway. */
export const dispatchTexts: Readonly<Record<Language, DispatchTexts>> = {
  de: shellDe.dispatchTexts,
  fr: shellFr.dispatchTexts,
  it: shellIt.dispatchTexts,
  en: shellEn.dispatchTexts,
};

/** What IT reads above all values. */
export const policyHelp: Readonly<Record<Language, string>> = {
  de: shellDe.policyHelp,
  fr: shellFr.policyHelp,
  it: shellIt.policyHelp,
  en: shellEn.policyHelp,
};

/** What IT reads about each value of a policy. */
export const policyTexts: Readonly<Record<Language, PolicyTexts>> = {
  de: shellDe.policyTexts,
  fr: shellFr.policyTexts,
  it: shellIt.policyTexts,
  en: shellEn.policyTexts,
};

/** The window's texts; each language is a chunk of its own. */
export const loadWindowTexts: Readonly<Record<Language, () => Promise<WindowTexts>>> = {
  de: async () => (await import('./de/window.ts')).windowTexts,
  fr: async () => (await import('./fr/window.ts')).windowTexts,
  it: async () => (await import('./it/window.ts')).windowTexts,
  en: async () => (await import('./en/window.ts')).windowTexts,
};

/** A partner's value in the person's language; one that no table has is shown as it came. */
export function wordFor(
  language: Language,
  group: 'caseStatus' | 'category' | 'estimates' | 'reportStatus' | 'values',
  value: string,
): string {
  const table: Readonly<Record<string, string>> = words[language][group];
  return Object.hasOwn(table, value) ? (table[value] ?? value) : value;
}
