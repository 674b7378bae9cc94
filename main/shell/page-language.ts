import type { Language } from '#shared/i18n/language.ts';

/** The built page with the desk's language in it: the window is drawn in it before the engine answers. */
export function pageInLanguage(html: string, language: Language): string {
  return html.replace(/<html lang="[^"]*"/, `<html lang="${language}-CH"`);
}
