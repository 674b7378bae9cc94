import type { ThemeChoice } from '#shared/desk/look.ts';
import { isThemeChoice } from './themes.ts';

const storageKey = 'theme';

/** The colours that the person chose on this laptop; the system's until then. */
export function storedTheme(): ThemeChoice {
  try {
    const stored = localStorage.getItem(storageKey);
    return isThemeChoice(stored) ? stored : 'system';
  } catch {
    // A browser that keeps nothing refuses even to be asked.
    return 'system';
  }
}

/** Keeps the choice where the browser keeps anything; it holds in this window all the same. */
export function storeTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(storageKey, choice);
  } catch {
    // The next window begins with the system's colours.
  }
}
