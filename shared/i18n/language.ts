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

const isLanguage = (text: string): text is Language =>
  (languages as readonly string[]).includes(text);

/** The language of the environment (LC_ALL, LC_MESSAGES, LANG), else German. */
export function languageOfEnvironment(env: Readonly<Record<string, string | undefined>>): Language {
  // The first that is not empty counts (POSIX, "Environment Variables").
  const locale = ['LC_ALL', 'LC_MESSAGES', 'LANG'].map((name) => env[name]).find(Boolean) ?? '';
  const prefix = locale.slice(0, 2).toLowerCase();
  return isLanguage(prefix) ? prefix : 'de';
}
