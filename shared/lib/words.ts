/**
 * The words of a text for the search: runs of letters and digits. Marks stay with their letter,
 * because the index folds accents itself.
 */
export function wordsOf(text: string): string[] {
  return text.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

const wordsMax = 20;

/** The words of a typed search; a very long text is cut off. */
export function searchWords(q: string): string[] {
  return wordsOf(q).slice(0, wordsMax);
}

const withoutMarks = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

/**
 * Removes accents and folds case in full (Unicode, section 5.18): `Élodie` and `elodie`, `Straße`
 * and `STRASSE` are the same to every search.
 */
export function foldText(text: string): string {
  // Lower case first, because the capital ß has no longer form; then upper case, which has `SS`.
  const folded = withoutMarks(text).toLowerCase().toUpperCase().toLowerCase();
  return withoutMarks(folded).replaceAll('ς', 'σ');
}

/**
 * Folds as the search of the desk does, for its index and for what is typed: `œ` is `oe`, letters of
 * full width are those of the usual one, and soft hyphens are left out.
 */
export function foldForSearch(text: string): string {
  return foldText(text.replaceAll('\u00ad', '').normalize('NFKC'))
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae');
}

/** Words that are cut at a line's end; one more is made of each, because its hyphen may be its own. */
const cutWord = /(\p{L}{2,})[-\u2010\u00ad]\s+(\p{Ll}\p{L}+)/gu;

/** A text as it is entered into the index of the search. */
export function indexedText(text: string): string {
  const whole = [...text.matchAll(cutWord)].map(([, start = '', end = '']) => start + end);
  return foldForSearch([text, ...whole].join(' '));
}

/** The words of a typed search as the index has them. */
export const indexedWords = (q: string): string[] => searchWords(foldForSearch(q));

/**
 * Folds like `foldText`, but unit by unit to the same length, so that a position in the folded text
 * is the same position in the text. So a separate mark stays, and `ß` stays one letter.
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

/** Index of the first word of a folded text with this beginning, or -1. */
function wordAt(folded: string, beginning: string): number {
  let at = folded.indexOf(beginning);
  while (at >= 0 && /[\p{L}\p{N}\p{M}]$/u.test(folded.slice(Math.max(0, at - 2), at))) {
    at = folded.indexOf(beginning, at + 1);
  }
  return at;
}

/**
 * Index of the first word of a composed (NFC) text that begins with one of the folded words. -1 if
 * no word does, or if its letters fold into several each (Hangul, ß).
 */
export function firstWordAt(text: string, folded: readonly string[]): number {
  const flat = foldInPlace(text);
  const found = folded.map((word) => wordAt(flat, word)).filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

/**
 * Which of some folded words begin a word of the text, or the text as a whole without its gaps. The
 * text is folded once, not word by word, which is ten times as fast for a page.
 */
export function wordsFoundIn(text: string, folded: readonly string[]): string[] {
  const flat = foldText(text);
  const first = /[\p{L}\p{N}]/u.exec(flat)?.[0] ?? '';
  return folded.filter(
    (word) => wordAt(flat, word) >= 0 || (word.startsWith(first) && joined(text).startsWith(word)),
  );
}

/** A filter of texts that contain all words of a typed search. An empty search matches every text. */
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
  const normal = text.normalize('NFC');
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
  if (parts.length === 0 && words.some((word) => joined(normal).startsWith(word)) && normal !== '')
    mark(0, normal.length);
  if (shown < normal.length) parts.push({ text: normal.slice(shown), hit: false });
  return parts;
}
