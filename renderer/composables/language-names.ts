import type { Language } from '#shared/desk/workspace.ts';

/** Each language by its own name. */
export const languageNames: Readonly<Record<Language, string>> = {
  de: 'Deutsch',
  fr: 'Français',
  it: 'Italiano',
  en: 'English',
};
