import { type Language, languages } from '#shared/desk/workspace.ts';

const isLanguage = (text: string): text is Language =>
  (languages as readonly string[]).includes(text);

/** The language of the environment (LC_ALL, LC_MESSAGES, LANG), else German. */
export function languageOfEnvironment(env: Readonly<Record<string, string | undefined>>): Language {
  // The first that is not empty counts (POSIX, "Environment Variables").
  const locale = ['LC_ALL', 'LC_MESSAGES', 'LANG'].map((name) => env[name]).find(Boolean) ?? '';
  const prefix = locale.slice(0, 2).toLowerCase();
  return isLanguage(prefix) ? prefix : 'de';
}
