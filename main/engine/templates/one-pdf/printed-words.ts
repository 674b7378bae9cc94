import { toNormalForm } from '#shared/lib/normal-form.ts';

/** The letters and digits of a text alone: lines, hyphens and blanks are where a page has room. */
export const lettersOf = (text: string): string =>
  toNormalForm(text, 'NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Their order on a page is not that of the text. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/**
 * The first word of these values that a document has and its PDF lacks; null if all are there.
 * @param values of the fields, as they are printed
 * @param document the text of the document
 * @param printed the text of its PDF
 */
export function missingWord(
  values: readonly string[],
  document: string,
  printed: string,
): string | null {
  const [written, shown] = [lettersOf(document), lettersOf(printed)];
  for (const value of values) {
    // A value that was changed in another program need not be there.
    if (rightToLeft.test(value) || !written.includes(lettersOf(value))) continue;
    const missing = value.split(/\s+/).find((word) => !isShown(lettersOf(word), shown));
    if (missing !== undefined) return missing;
  }
  return null;
}

/** As a whole, or divided between two pages. */
function isShown(word: string, shown: string): boolean {
  if (shown.includes(word)) return true;
  for (let at = 2; at <= word.length - 2; at += 1)
    if (shown.includes(word.slice(0, at)) && shown.includes(word.slice(at))) return true;
  return false;
}
