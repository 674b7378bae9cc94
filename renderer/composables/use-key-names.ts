import { useTexts } from './use-texts.ts';

/** Whether the keys have the names of a Mac. */
const isMac = navigator.platform.startsWith('Mac');
const signs: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  ...(isMac && { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' }),
};

/** Returns a function that names keys as on the keyboard of the user's language and system. */
export function useKeyNames(): (keys: string) => string {
  const { t } = useTexts();
  const nameOf = (key: string): string => {
    if (key in signs) return signs[key] ?? key;
    if (key === ' ') return t('shortcuts.space');
    if (key === 'Enter') return t('shortcuts.keyNames.enter');
    if (key === 'Delete') return t('shortcuts.keyNames.delete');
    if (key === 'Shift') return t('shortcuts.keyNames.shift');
    return /^[a-z]$/.test(key) ? key.toUpperCase() : key;
  };
  // `Alt+ArrowUp` becomes `Alt ↑`.
  return (keys) => (keys === '+' ? keys : keys.split('+').map(nameOf).join(' '));
}
