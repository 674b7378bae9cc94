import type { Language } from '#shared/desk/language.ts';
import type { Texts } from './texts.ts';

/** Languages other than German come as chunks of their own, each loaded once. */
export async function loadTexts(language: Exclude<Language, 'de'>): Promise<Texts> {
  switch (language) {
    case 'en':
      return (await import('./texts-en.ts')).textsEn;
    case 'fr':
      return (await import('./texts-fr.ts')).textsFr;
    case 'it':
      return (await import('./texts-it.ts')).textsIt;
  }
}
