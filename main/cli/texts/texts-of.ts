import type { Language } from '#shared/desk/workspace.ts';
import { cliTextsDe } from './de.ts';
import { cliTextsEn } from './en.ts';
import { cliTextsFr } from './fr.ts';
import { cliTextsIt } from './it.ts';
import type { CliTexts } from './texts.ts';

const texts: Record<Language, CliTexts> = {
  de: cliTextsDe,
  fr: cliTextsFr,
  it: cliTextsIt,
  en: cliTextsEn,
};

/** What the command line says in a language. */
export function textsOf(language: Language): CliTexts {
  return texts[language];
}
