import type { InjectionKey } from 'vue';
import { createI18n, type Composer } from 'vue-i18n';
import type { Language } from '#shared/desk/workspace.ts';
import { rememberLanguage } from './first-language.ts';
import { localeOf } from './format.ts';
import { textsDe } from './texts-de.ts';
import type { Texts } from './texts.ts';

/** Languages other than German come as chunks of their own. */
async function loadTexts(language: Exclude<Language, 'de'>): Promise<Texts> {
  switch (language) {
    case 'en':
      return (await import('./texts-en.ts')).textsEn;
    case 'fr':
      return (await import('./texts-fr.ts')).textsFr;
    case 'it':
      return (await import('./texts-it.ts')).textsIt;
  }
}

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
