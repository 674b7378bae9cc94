import { excerptOf } from '#shared/lib/excerpt.ts';
import { toNormalForm } from '#shared/lib/normal-form.ts';
import { visibleText } from '#shared/lib/visible-text.ts';
import { firstWordAt } from '#shared/lib/words.ts';

/** The numbers of characters that are shown before and after the beginning of the word. */
const before = 24;
const after = 72;

/**
 * The text around the first of the words, cut between words.
 * @param folded the words as `indexedWords` returns them
 */
export function excerptAround(text: string, folded: readonly string[]): string {
  const flat = flatten(text);
  return cutAt(flat, Math.max(0, firstWordAt(flat, folded)));
}

/** As `excerptAround`, but '' if the text has none of the words. */
export function placeOf(text: string, folded: readonly string[]): string {
  const flat = flatten(text);
  const at = firstWordAt(flat, folded);
  return at < 0 ? '' : cutAt(flat, at);
}

const flatten = (text: string): string =>
  toNormalForm(visibleText(text), 'NFC')
    .replaceAll(/\s{2,}|[^\S ]/g, ' ')
    .trim();

const cutAt = (flat: string, at: number): string =>
  flat.length <= before + after ? flat : excerptOf(flat, startBefore(flat, at), before + after);

/** The start of an excerpt: after a space shortly before the word, or at the word itself. */
function startBefore(flat: string, at: number): number {
  if (at <= before) return 0;
  const space = flat.indexOf(' ', at - before);
  return space < 0 || space > at ? at : space + 1;
}
