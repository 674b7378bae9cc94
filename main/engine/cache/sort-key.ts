import { caseStatuses, categories } from '#shared/api/case.ts';
import { foldText } from '#shared/lib/words.ts';

/** Longer beginnings than this tell no two cases apart that stand beside each other. */
const keyMaxLength = 60;

/**
 * What a text is sorted by: without accents and case, so that `Élodie` stands beside `Eliane` and
 * not behind `Zoé` (DIN 5007-1); null, which sorts last, where the text says nothing.
 */
export function sortKey(text: string): string | null {
  const folded = foldText(text).trim();
  return folded === '' ? null : folded.slice(0, keyMaxLength);
}

/** Statuses are sorted by the course of the work, unknown ones last. */
export const statusRank = (status: string): number => rankIn(caseStatuses, status);
export const categoryRank = (category: string): number => rankIn(categories, category);

function rankIn(words: readonly string[], word: string): number {
  const index = words.indexOf(word);
  return index < 0 ? words.length : index;
}
