/**
 * The words of a text as the search cuts it: runs of letters and digits. Marks stay with their
 * letter, because the index folds accents itself.
 */
export function wordsOf(text: string): string[] {
  return text.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

const wordsMax = 20;

/** The words of what a person typed; a text beyond reason is cut off. */
export function searchWords(q: string): string[] {
  return wordsOf(q).slice(0, wordsMax);
}

/** Without accents and case: `Élodie` and `elodie` are the same word to the search. */
export function foldText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/**
 * Without accents and case like `foldText`, but unit by unit and of the same length, so that a
 * place in the folded text is the same place in the text: a mark that stands by itself stays, which
 * `foldText` leaves out.
 */
export function foldInPlace(text: string): string {
  let folded = '';
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charAt(at);
    if (unit < '\x80') {
      folded += unit.toLowerCase();
      continue;
    }
    const plain = unit.normalize('NFD').charAt(0).toLowerCase();
    folded += plain.length === 1 ? plain : unit;
  }
  return folded;
}

/** An identifier without its gaps: `ZH 123 456` and `zh-123456` are the same plate. */
const joined = (text: string): string => foldText(wordsOf(text).join(''));

/** Which of some folded words begin a word of the text, or the text as a whole without its gaps. */
export function wordsFoundIn(text: string, folded: readonly string[]): string[] {
  const found = wordsOf(text).map(foldText);
  const whole = joined(text);
  return folded.filter(
    (word) => found.some((one) => one.startsWith(word)) || whole.startsWith(word),
  );
}

interface TextPart {
  readonly text: string;
  readonly hit: boolean;
}

/** A text cut where a search's words begin one of its own, so that they can be marked. */
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
