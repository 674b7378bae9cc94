import { languages, type Language } from '#shared/desk/language.ts';

const storageKey = 'language';

/** The first language of the browser that the desk speaks. */
export function spokenLanguage(): Language {
  const spoken = navigator.languages.map((tag) => tag.slice(0, 2));
  return languages.find((known) => spoken.includes(known)) ?? 'de';
}

/** The language to begin in, until the desk says which one the person set: the last one seen. */
export function firstLanguage(): Language {
  try {
    const stored = localStorage.getItem(storageKey);
    return languages.find((known) => known === stored) ?? spokenLanguage();
  } catch {
    // A browser that keeps nothing refuses even to be asked.
    return spokenLanguage();
  }
}

/** Remembers the language for the next window. */
export function rememberLanguage(language: Language): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // The next window begins in the browser's language.
  }
}
