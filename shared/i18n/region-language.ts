import type { Language } from './language.ts';

/** First and last postal codes, both inclusive, of the regions in which French is spoken. */
const french: readonly (readonly [number, number])[] = [
  [1000, 1655],
  [1658, 1711],
  [1720, 1733],
  [1739, 1791],
  [1796, 1796],
  [2000, 2499],
  [2515, 2525],
  [2533, 2538],
  [2600, 2813],
  [2815, 2999],
  [3960, 3969],
  [3971, 3979],
];
const italian: readonly (readonly [number, number])[] = [
  [6500, 6999],
  [7600, 7610],
  [7710, 7710],
  [7741, 7748],
];

/**
 * The language that most people speak where a Swiss postal code is. It is a guess about a person, so
 * who uses it lets the user choose another.
 * @returns null if the code is not Swiss
 */
export function languageOfRegion(postalCode: string): Language | null {
  if (!/^[1-9]\d{3}$/.test(postalCode.trim())) return null;
  const code = Number(postalCode);
  const isIn = (ranges: typeof french) =>
    ranges.some(([first, last]) => code >= first && code <= last);
  if (isIn(french)) return 'fr';
  return isIn(italian) ? 'it' : 'de';
}
