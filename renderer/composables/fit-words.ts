/** Where words go; lengths in any one unit. */
export interface WordPlace {
  readonly width: number;
  readonly height: number;
  /** Sizes of the letters: as large as possible, and never smaller than still reads. */
  readonly largest: number;
  readonly smallest: number;
}

export interface FittedWords {
  readonly lines: readonly string[];
  readonly size: number;
}

/** Of a line, in sizes of its letters. */
export const lineHeight = 1.25;

const sizeStep = 0.5;
const graphemes = new Intl.Segmenter();

/**
 * Words in lines that fit their place, in smaller letters where they must be. What does not fit
 * in the smallest either ends with an ellipsis, so that nothing is cut unseen.
 * @param measure the width of a text in letters of a size
 */
export function fitWords(
  text: string,
  place: WordPlace,
  measure: (words: string, size: number) => number,
): FittedWords {
  for (let size = place.largest; ; size = Math.max(place.smallest, size - sizeStep)) {
    const fits = (words: string) => measure(words, size) <= place.width;
    const lines = wrap(text, fits);
    const room = Math.max(1, Math.floor(place.height / (size * lineHeight)));
    if (lines.length <= room) return { lines, size };
    if (size > place.smallest) continue;
    const last = shorten(lines[room - 1] ?? '', fits);
    return { lines: [...lines.slice(0, room - 1), last], size };
  }
}

/** Lines that fit; a word that is wider than a line is broken between characters as one sees them. */
function wrap(text: string, fits: (words: string) => boolean): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const { segment } of graphemes.segment(word)) {
      if (line !== '' && !fits(line + segment)) {
        lines.push(line);
        line = '';
      }
      line += segment;
    }
  }
  return line === '' ? lines : [...lines, line];
}

function shorten(line: string, fits: (words: string) => boolean): string {
  const kept = Array.from(graphemes.segment(line), ({ segment }) => segment);
  while (kept.length > 0 && !fits(`${kept.join('')}…`)) kept.pop();
  return `${kept.join('').trimEnd()}…`;
}
