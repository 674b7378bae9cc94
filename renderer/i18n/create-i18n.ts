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
import { isOne } from '#shared/i18n/plural.ts';
import { localeOf } from '#shared/i18n/format.ts';

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
    pluralRules: Object.fromEntries(
      languages.map((language) => [language, (count: number) => (isOne(count, language) ? 0 : 1)]),
    ),
  });
}
export type DeskI18n = ReturnType<typeof createDeskI18n>;
export const i18nKey: InjectionKey<DeskI18n> = Symbol('i18n');

let lastWish: symbol | undefined;

/**
 * Loads a language and shows the window in it. The last call wins, regardless of how long the texts
 * of an earlier one take to load.
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
}

/** The language that the shell wrote into the page: the window's until the engine answers. */
export function firstLanguage(): Language {
  const { lang } = document.documentElement;
  return languages.find((known) => lang.startsWith(known)) ?? 'de';
}
