import { isThemeChoice, type ThemeChoice } from './themes.ts';

const storageKey = 'theme';

/** The colours that the person chose on this laptop; the system's until then. */
export function storedTheme(): ThemeChoice {
  const stored = localStorage.getItem(storageKey);
  return isThemeChoice(stored) ? stored : 'system';
}

export function storeTheme(choice: ThemeChoice): void {
  localStorage.setItem(storageKey, choice);
}
