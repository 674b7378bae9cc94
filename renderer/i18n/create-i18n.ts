import type { InjectionKey } from 'vue';
import { createI18n } from 'vue-i18n';
import {
  de as componentsDe,
  en as componentsEn,
  fr as componentsFr,
  it as componentsIt,
} from 'vuetify/locale';
import { loadWindowTexts } from '#shared/i18n/catalogue.ts';
import { languages, type Language } from '#shared/i18n/language.ts';
import { localeOf } from './format.ts';

const storageKey = 'language';

/** Texts of Vuetify's components; its German has ß, but Switzerland writes ss. */
const componentTexts: Readonly<Record<Language, object>> = {
  de: { ...componentsDe, close: 'Schliessen' },
  fr: componentsFr,
  it: componentsIt,
  en: componentsEn,
};

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

let lastWish: symbol | undefined;

/**
 * Loads a language, shows the window in it, and remembers it for the next window. The last call
 * wins, however long the texts of an earlier one take to load.
 */
export async function showLanguage({ global }: DeskI18n, language: Language): Promise<void> {
  const wish = (lastWish = Symbol(language));
  if (!global.availableLocales.includes(language))
    global.setLocaleMessage(language, {
      ...(await loadWindowTexts[language]()),
      $vuetify: componentTexts[language],
    });
  if (wish !== lastWish) return;
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
