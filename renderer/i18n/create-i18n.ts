import type { InjectionKey } from 'vue';
import { createI18n, type Composer } from 'vue-i18n';
import type { Language } from '#shared/desk/workspace.ts';
import { de } from './de.ts';
import { localeOf } from './format.ts';
import type { Messages } from './messages.ts';
import type { PayloadLabels } from './payload-labels.ts';
import { payloadDe } from './payload-de.ts';

/** All texts of one language. */
interface Texts {
  readonly messages: Messages;
  readonly labels: PayloadLabels;
}

/** Languages other than German come as chunks of their own. */
async function loadTexts(language: Language): Promise<Texts> {
  switch (language) {
    case 'de':
      return { messages: de, labels: payloadDe };
    case 'en': {
      const [messages, labels] = await Promise.all([import('./en.ts'), import('./payload-en.ts')]);
      return { messages: messages.en, labels: labels.payloadEn };
    }
    case 'fr': {
      const [messages, labels] = await Promise.all([import('./fr.ts'), import('./payload-fr.ts')]);
      return { messages: messages.fr, labels: labels.payloadFr };
    }
    case 'it': {
      const [messages, labels] = await Promise.all([import('./it.ts'), import('./payload-it.ts')]);
      return { messages: messages.it, labels: labels.payloadIt };
    }
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
    messages: { de: { ...de, labels: payloadDe } },
  });
}
export type DeskI18n = ReturnType<typeof createDeskI18n>;
export const i18nKey: InjectionKey<DeskI18n> = Symbol('i18n');

/** Loads a language and shows the window in it. */
export async function showLanguage(i18n: DeskI18n, language: Language): Promise<void> {
  // The composer is typed by the languages that it was made with; others come later.
  const composer = i18n.global as unknown as Composer;
  if (!composer.availableLocales.includes(language)) {
    const { messages, labels } = await loadTexts(language);
    composer.setLocaleMessage(language, { ...messages, labels });
  }
  composer.locale.value = language;
  document.documentElement.lang = localeOf(language);
}
