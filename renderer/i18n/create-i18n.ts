import type { InjectionKey } from 'vue';
import { createI18n, type Composer } from 'vue-i18n';
import type { Language } from '#shared/desk/language.ts';
import { rememberLanguage } from './first-language.ts';
import { localeOf } from './format.ts';
import { loadTexts } from './load-texts.ts';
import { textsDe } from './texts-de.ts';

/** The texts of the window, German until another language is loaded. */
export function createDeskI18n() {
  return createI18n({
    legacy: false,
    locale: 'de',
    fallbackLocale: 'de',
    missingWarn: import.meta.env.DEV,
    fallbackWarn: import.meta.env.DEV,
    messages: { de: { ...textsDe } },
  });
}
export type DeskI18n = ReturnType<typeof createDeskI18n>;
export const i18nKey: InjectionKey<DeskI18n> = Symbol('i18n');

/** Loads a language and shows the window in it. */
export async function showLanguage(i18n: DeskI18n, language: Language): Promise<void> {
  // The composer is typed by the languages that it was made with; others come later.
  const composer = i18n.global as unknown as Composer;
  if (language !== 'de' && !composer.availableLocales.includes(language)) {
    composer.setLocaleMessage(language, { ...(await loadTexts(language)) });
  }
  composer.locale.value = language;
  document.documentElement.lang = localeOf(language);
  rememberLanguage(language);
}
