import type { Language } from '../desk/workspace.ts';

/** Thousands: ’ (U+2019) in German, Italian and English, a narrow space in French. */
const groupMark = (language: Language): string => (language === 'fr' ? '\u202f' : '’');

/** Digits with thousands marks as in Switzerland, the same in every browser: `12’345`. */
export function groupDigits(digits: string, language: Language): string {
  return digits.replaceAll(/\B(?=(?:\d{3})+$)/g, groupMark(language));
}
