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

/** Everything that may name the language of the desk, in the order in which it counts. */
export interface LanguageSources {
  /** `--lang`. */
  readonly argument?: Language | undefined;
  /** What IT set for this machine. */
  readonly policy?: Language | undefined;
  /** What the user chose in the settings. */
  readonly setting?: Language | null | undefined;
  /** The languages that the system prefers, best first: `de-CH`, `it_CH.UTF-8`. */
  readonly system: readonly string[];
}

/** The language of every part of the desk: window, menu, tray, boxes, command line. */
export function decideLanguage({ argument, policy, setting, system }: LanguageSources): Language {
  const preferred = system.map((locale) => locale.slice(0, 2).toLowerCase()).find(isLanguage);
  return argument ?? policy ?? setting ?? preferred ?? 'de';
}

/** The language that the environment asks for (LC_ALL, LC_MESSAGES, LANG), as a list of at most one. */
export function languagesOfEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  // The first that is not empty counts (POSIX, "Environment Variables").
  const locale = ['LC_ALL', 'LC_MESSAGES', 'LANG'].map((name) => env[name]).find(Boolean);
  return locale === undefined ? [] : [locale];
}
