import { wordsOf } from '#shared/lib/words.ts';

/**
 * The word as the index keeps it; null where we cannot tell without its own tables, which is
 * anything beyond the Latin letters of western and central Europe.
 */
export function foldedWord(word: string): string | null {
  if (!/^[0-9A-Za-z\u00c0-\u017e]+$/.test(word)) return null;
  const folded = word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return /^[0-9a-z]+$/.test(folded) ? folded : null;
}

/**
 * Identifiers again without their gaps, so that `ZH 123 456`, `ZH123456` and `zh-123456` all find
 * the same car.
 */
export function joinedForms(...identifiers: readonly string[]): string {
  return identifiers
    .map((identifier) => wordsOf(identifier))
    .filter((words) => words.length > 1)
    .map((words) => words.join(''))
    .join(' ');
}
