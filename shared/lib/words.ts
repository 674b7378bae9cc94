import { toNormalForm } from './normal-form.ts';

/**
 * The words of a text for the search: runs of letters and digits. Accents stay with their letter,
 * because the index folds them.
 */
export function wordsOf(text: string): string[] {
  return toNormalForm(text, 'NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

const wordsMax = 20;

/** The words of a typed search. A very long text is cut off. */
export function searchWords(q: string): string[] {
  return wordsOf(q).slice(0, wordsMax);
}

const withoutMarks = (text: string): string => toNormalForm(text, 'NFD').replaceAll(/\p{M}/gu, '');

/**
 * Removes accents and folds case completely (Unicode, section 5.18): `Élodie` and `elodie`, or
 * `Straße` and `STRASSE`, are the same for every search.
 */
export function foldText(text: string): string {
  // The text is put into lower case first, because the capital ß has no longer form, and then into
  // upper case, which has `SS`.
  const folded = withoutMarks(text).toLowerCase().toUpperCase().toLowerCase();
  return withoutMarks(folded).replaceAll('ς', 'σ');
}

/**
 * Folds a text as the search of the desk does, for the index and for typed words. `œ` becomes `oe`,
 * full-width letters become usual ones, and soft hyphens are removed.
 */
export function foldForSearch(text: string): string {
  return foldText(toNormalForm(text.replaceAll('\u00ad', ''), 'NFKC'))
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae');
}

/** The place where a word is cut at the end of a line. */
const cutPlace = /(?<=\p{L}{2})[-\u2010\u00ad]\s+(?=\p{Ll}\p{L})/gu;
/** The longest part of a cut word, in letters. A longer run of letters is not a word. */
const partMax = 40;
const partBefore = /\p{L}{2,40}$/u;
const partAfter = /^\p{L}{2,40}/u;

/** The words that are cut at the end of a line, joined. */
function wholeWords(text: string): string[] {
  return [...text.matchAll(cutPlace)].map(({ 0: gap, index }) => {
    const end = index + gap.length;
    const [start = ''] = partBefore.exec(text.slice(Math.max(0, index - partMax), index)) ?? [];
    const [rest = ''] = partAfter.exec(text.slice(end, end + partMax)) ?? [];
    return start + rest;
  });
}

/**
 * The form in which a text enters the index of the search. A word that is cut at the end of a line
 * enters it both cut and joined, because the hyphen may belong to the word.
 */
export const indexedText = (text: string): string =>
  foldForSearch([text, ...wholeWords(text)].join(' '));

/** The most different words of one record in the index. A book of 300 pages has fewer. */
const indexedWordsMax = 12_000;

/**
 * The different words of a text, as the index of the search stores them. The index knows neither
 * their order nor their number, and words cost more in it than letters.
 */
export const wordsToIndex = (text: string): string =>
  [...new Set(wordsOf(indexedText(text)))].slice(0, indexedWordsMax).join(' ');

/** The words of a typed search as the index has them. */
export const indexedWords = (q: string): string[] => searchWords(foldForSearch(q));

/**
 * Folds like `foldText`, but each UTF-16 unit stays one unit, so that a position in the folded text
 * is the same position in the text. Therefore a separate accent stays, and `ß` stays one letter.
 */
export function foldInPlace(text: string): string {
  const plain = text.replaceAll(/[\u0080-\uffff]/g, (unit) => {
    const folded = unit.normalize('NFD').charAt(0).toLowerCase();
    return folded.length === 1 ? folded : unit;
  });
  return plain.toLowerCase();
}

/** An identifier without its gaps: `ZH 123 456` and `zh-123456` are the same plate. */
const joined = (text: string): string => foldText(wordsOf(text).join(''));

/** The index of the first word of a folded text that begins with these letters, or -1. */
function wordAt(folded: string, beginning: string): number {
  let at = folded.indexOf(beginning);
  while (at >= 0 && /[\p{L}\p{N}\p{M}]$/u.test(folded.slice(Math.max(0, at - 2), at))) {
    at = folded.indexOf(beginning, at + 1);
  }
  return at;
}

/**
 * The index of the first word of a composed (NFC) text that begins with one of the folded words. It
 * is -1 if no word does, or if the letters of the match fold into several letters each (Hangul, ß).
 */
export function firstWordAt(text: string, folded: readonly string[]): number {
  const flat = foldInPlace(text);
  const found = folded.map((word) => wordAt(flat, word)).filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

/**
 * The folded words that begin a word of the text, or the text as a whole without gaps. The text is
 * folded only once, which is ten times as fast for a page as folding each word.
 */
export function wordsFoundIn(text: string, folded: readonly string[]): string[] {
  const flat = foldText(text);
  const first = /[\p{L}\p{N}]/u.exec(flat)?.[0] ?? '';
  let whole: string | null = null;
  return folded.filter(
    (word) =>
      wordAt(flat, word) >= 0 ||
      (word.startsWith(first) && (whole ??= joined(text)).startsWith(word)),
  );
}

/**
 * A filter of texts that contain all words of a typed search. An empty search matches every text.
 */
export function wordsFilter(q: string): (text: string) => boolean {
  const words = searchWords(q).map(foldText);
  return (text) => wordsFoundIn(text, words).length === words.length;
}

interface TextPart {
  readonly text: string;
  readonly hit: boolean;
}

/** A text cut before and after a search's words, so that they can be marked. */
export function markHits(text: string, q: string): TextPart[] {
  const words = searchWords(q).map(foldText);
  const normal = toNormalForm(text, 'NFC');
  const parts: TextPart[] = [];
  let shown = 0;
  const mark = (from: number, to: number) => {
    if (from > shown) parts.push({ text: normal.slice(shown, from), hit: false });
    parts.push({ text: normal.slice(from, to), hit: true });
    shown = to;
  };
  for (const match of normal.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const folded = foldText(match[0]);
    const longest = words
      .filter((word) => folded.startsWith(word))
      .reduce((most, word) => Math.max(most, word.length), 0);
    if (longest > 0) mark(match.index, match.index + Math.min(longest, match[0].length));
  }
  if (parts.length === 0 && normal !== '') {
    const whole = joined(normal);
    if (words.some((word) => whole.startsWith(word))) mark(0, normal.length);
  }
  if (shown < normal.length) parts.push({ text: normal.slice(shown), hit: false });
  return parts;
}
