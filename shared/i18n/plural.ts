import type { Language } from './language.ts';

/** Whether a count takes the singular: in French 0 does too (CLDR plural rules). */
export const isOne = (count: number, language: Language): boolean =>
  new Intl.PluralRules(language).select(count) === 'one';
