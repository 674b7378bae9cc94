import type { Language } from '../language.ts';
import { deDetails } from './de.ts';
import type { Detail } from './details.ts';
import { frDetails } from './fr.ts';
import { itDetails } from './it.ts';

const translations = { de: deDetails, fr: frDetails, it: itDetails };

/** What stands for the `{names}` of a detail: words of the API and numbers, never personal data. */
export type DetailValues = Readonly<Record<string, string | number>>;

/** A detail in a language, with its values. */
export function sayDetail(detail: Detail, language: Language, values: DetailValues = {}): string {
  const sentence = language === 'en' ? detail : translations[language][detail];
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
