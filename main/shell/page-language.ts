import type { Language } from '#shared/i18n/language.ts';

/**
 * Sets the desk's language in the built page, because the window is drawn before the engine
 * answers.
 */
export function pageInLanguage(html: string, language: Language): string {
  return html.replace(/<html lang="[^"]*"/, `<html lang="${language}-CH"`);
}
