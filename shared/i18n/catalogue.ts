import { dispatchDe } from './de/dispatch.ts';
import { errorTextsDe, errorWordsDe } from './de/errors.ts';
import { policyHelpDe, policyTextsDe } from './de/policy.ts';
import { shellDe, startDe } from './de/shell.ts';
import { wordsDe } from './de/words.ts';
import { dispatchFr } from './fr/dispatch.ts';
import { errorTextsFr, errorWordsFr } from './fr/errors.ts';
import { policyHelpFr, policyTextsFr } from './fr/policy.ts';
import { shellFr, startFr } from './fr/shell.ts';
import { wordsFr } from './fr/words.ts';
import { dispatchIt } from './it/dispatch.ts';
import { errorTextsIt, errorWordsIt } from './it/errors.ts';
import { policyHelpIt, policyTextsIt } from './it/policy.ts';
import { shellIt, startIt } from './it/shell.ts';
import { wordsIt } from './it/words.ts';
import { dispatchEn } from './en/dispatch.ts';
import { errorTextsEn, errorWordsEn } from './en/errors.ts';
import { policyHelpEn, policyTextsEn } from './en/policy.ts';
import { shellEn, startEn } from './en/shell.ts';
import { wordsEn } from './en/words.ts';
import type { Language } from './language.ts';
import type {
  DispatchTexts,
  ErrorSentences,
  ErrorWords,
  PolicyTexts,
  ShellTexts,
  StartTexts,
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

/** What is said of each problem. */
export const errorSentences: Readonly<Record<Language, ErrorSentences>> = {
  de: errorTextsDe,
  fr: errorTextsFr,
  it: errorTextsIt,
  en: errorTextsEn,
};

/** What fills the sentences in place of raw values. */
export const errorWords: Readonly<Record<Language, ErrorWords>> = {
  de: errorWordsDe,
  fr: errorWordsFr,
  it: errorWordsIt,
  en: errorWordsEn,
};

/** Menus, dialogs and notices of the desktop. */
export const shellTexts: Readonly<Record<Language, ShellTexts>> = {
  de: shellDe,
  fr: shellFr,
  it: shellIt,
  en: shellEn,
};

/** What the start writes to stderr. */
export const startTexts: Readonly<Record<Language, StartTexts>> = {
  de: startDe,
  fr: startFr,
  it: startIt,
  en: startEn,
};

/** The dispatcher's page of the office gateway. */
export const dispatchTexts: Readonly<Record<Language, DispatchTexts>> = {
  de: dispatchDe,
  fr: dispatchFr,
  it: dispatchIt,
  en: dispatchEn,
};

/** What IT reads above all values. */
export const policyHelp: Readonly<Record<Language, string>> = {
  de: policyHelpDe,
  fr: policyHelpFr,
  it: policyHelpIt,
  en: policyHelpEn,
};

/** What IT reads about each value of a policy. */
export const policyTexts: Readonly<Record<Language, PolicyTexts>> = {
  de: policyTextsDe,
  fr: policyTextsFr,
  it: policyTextsIt,
  en: policyTextsEn,
};

/** The window's texts; each language is a chunk of its own. */
export const loadWindowTexts: Readonly<Record<Language, () => Promise<WindowTexts>>> = {
  de: async () => (await import('./de/window.ts')).de,
  fr: async () => (await import('./fr/window.ts')).fr,
  it: async () => (await import('./it/window.ts')).it,
  en: async () => (await import('./en/window.ts')).en,
};

/** A partner's value in the person's language; one that no table has is shown as it came. */
export function wordFor(
  language: Language,
  group: 'caseStatus' | 'category' | 'reportStatus' | 'values',
  value: string,
): string {
  const table: Readonly<Record<string, string>> = words[language][group];
  return Object.hasOwn(table, value) ? (table[value] ?? value) : value;
}
