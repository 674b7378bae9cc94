/** What the desk speaks. Apart from the schemas, so that the window starts without them. */
export const languages = ['de', 'fr', 'it', 'en'] as const;
export type Language = (typeof languages)[number];

/** Each language by its own name. */
export const languageNames: Readonly<Record<Language, string>> = {
  de: 'Deutsch',
  fr: 'Français',
  it: 'Italiano',
  en: 'English',
};

/** Names of the folders in which Windows looks for the policy templates' languages. */
export const windowsLanguages: Readonly<Record<Language, string>> = {
  de: 'de-DE',
  fr: 'fr-FR',
  it: 'it-IT',
  en: 'en-US',
};
