import type { InjectionKey } from 'vue';
import { createI18n } from 'vue-i18n';
import { languages, type Language } from '#shared/desk/language.ts';
import { localeOf } from './format.ts';
import type { Texts } from './texts.ts';

const storageKey = 'language';

/** Each language is a chunk of its own. */
export async function loadTexts(language: Language): Promise<Texts> {
  switch (language) {
    case 'de':
      return (await import('./texts-de.ts')).textsDe;
    case 'en':
      return (await import('./texts-en.ts')).textsEn;
    case 'fr':
      return (await import('./texts-fr.ts')).textsFr;
    case 'it':
      return (await import('./texts-it.ts')).textsIt;
  }
}

/** The texts of the window, of which none are there before `showLanguage`. */
export function createDeskI18n() {
  return createI18n({
    legacy: false,
    locale: 'de',
    fallbackLocale: [],
    missingWarn: import.meta.env.DEV,
    fallbackWarn: import.meta.env.DEV,
    messages: {},
  });
}
export type DeskI18n = ReturnType<typeof createDeskI18n>;
export const i18nKey: InjectionKey<DeskI18n> = Symbol('i18n');

/** Loads a language, shows the window in it, and remembers it for the next window. */
export async function showLanguage({ global }: DeskI18n, language: Language): Promise<void> {
  if (!global.availableLocales.includes(language))
    global.setLocaleMessage(language, { ...(await loadTexts(language)) });
  global.locale.value = language;
  document.documentElement.lang = localeOf(language);
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // The next window begins in the browser's language.
  }
}

/** The first language of the browser that the desk speaks. */
export function spokenLanguage(): Language {
  const spoken = navigator.languages.map((tag) => tag.slice(0, 2));
  return languages.find((known) => spoken.includes(known)) ?? 'de';
}

/** The language to begin in, until the desk reports which one the person set: the last one seen. */
export function firstLanguage(): Language {
  try {
    const stored = localStorage.getItem(storageKey);
    return languages.find((known) => known === stored) ?? spokenLanguage();
  } catch {
    // A browser that keeps nothing refuses even to be asked.
    return spokenLanguage();
  }
}
