import type { ThemeChoice } from '#shared/desk/setup/appearance.ts';
import type { Language } from '#shared/i18n/language.ts';

/** The look of a page until the engine answers. */
export interface PageAtStart {
  readonly language: Language;
  readonly theme: ThemeChoice;
}

/**
 * Sets the desk's language and theme in the built page, because the window is drawn before the
 * engine answers.
 */
export function pageAtStart(html: string, { language, theme }: PageAtStart): string {
  return html.replace(/<html lang="[^"]*"/, `<html lang="${language}-CH" data-theme="${theme}"`);
}
