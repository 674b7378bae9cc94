import { toNormalForm } from '../lib/normal-form.ts';
import type { PDFDocument, PDFFont, PDFPage } from '@cantoo/pdf-lib';

/** The place for words. All lengths have the same unit. */
export interface TextPlace {
  readonly width: number;
  readonly height: number;
  /** The largest and the smallest size of the letters. The largest that fits is used. */
  readonly largest: number;
  readonly smallest: number;
}

export interface FittedText {
  readonly lines: readonly string[];
  readonly size: number;
}

/** The height of a line as a multiple of the size of its letters. */
export const lineHeight = 1.25;

const sizeStep = 0.5;
const graphemes = new Intl.Segmenter();

/**
 * Breaks words into lines that fit their place, in smaller letters if necessary. If they do not fit
 * in the smallest letters, they end with an ellipsis, so that the cut is visible.
 * @param measure the width of a text in letters of a size
 */
export function fitText(
  text: string,
  place: TextPlace,
  measure: (words: string, size: number) => number,
): FittedText {
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

/**
 * Breaks a text into lines that fit. A word that is wider than a line is broken between visible
 * characters.
 */
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
  const shortened = Array.from(graphemes.segment(line), ({ segment }) => segment);
  while (shortened.length > 0 && !fits(`${shortened.join('')}…`)) shortened.pop();
  return `${shortened.join('').trimEnd()}…`;
}

/** Draws words. Lengths are in points. */
export interface TextDrawing {
  readonly measure: (words: string, sizePt: number) => number;
  /** Draws the lines as a PNG that is not wider than the given width. */
  readonly draw: (words: FittedText, widthPt: number) => Promise<Uint8Array>;
}

/** Writes words into a PDF: in the PDF's fonts if they contain the letters, else as pictures. */
export interface PdfWriter {
  readonly font: PDFFont;
  readonly bold: PDFFont;
  /** The width of a text in points. */
  readonly measure: (words: string, size: number) => number;
  /** Writes words from the top `y` downwards. */
  readonly write: (
    on: PDFPage,
    words: string,
    at: TextPlace & { readonly x: number; readonly y: number; readonly font: PDFFont },
  ) => Promise<void>;
}

/**
 * @param drawing null where nothing draws: letters that the PDF's fonts do not have are then
 *   without their accents, or question marks
 */
export async function createPdfWriter(
  pdf: PDFDocument,
  drawing: TextDrawing | null,
): Promise<PdfWriter> {
  const font = await pdf.embedFont('Helvetica');
  const bold = await pdf.embedFont('Helvetica-Bold');
  const known = new Set(font.getCharacterSet());
  const has = (character: string) => known.has(character.codePointAt(0) ?? 0);
  const isKnown = (text: string) => Array.from(text).every(has);
  const readable = (text: string) => Array.from(text, readableLetter).join('');
  function readableLetter(letter: string): string {
    if (has(letter)) return letter;
    const [base = ''] = toNormalForm(letter, 'NFD');
    return has(base) ? base : '?';
  }
  return {
    font,
    bold,
    measure: (words, size) =>
      drawing && !isKnown(words)
        ? drawing.measure(words, size)
        : font.widthOfTextAtSize(readable(words), size),
    async write(on, words, at) {
      const given = toNormalForm(words, 'NFC').replaceAll(/\s+/g, ' ').trim();
      const text = drawing ? given : readable(given);
      if (text === '') return;
      if (!drawing || isKnown(text)) {
        const { lines, size } = fitText(text, at, (part, size) =>
          at.font.widthOfTextAtSize(part, size),
        );
        for (const [index, line] of lines.entries()) {
          const y = at.y - size - index * size * lineHeight;
          on.drawText(line, { x: at.x, y, size, font: at.font });
        }
        return;
      }
      const fitted = fitText(text, at, drawing.measure);
      const png = await pdf.embedPng(await drawing.draw(fitted, at.width));
      const height = fitted.lines.length * fitted.size * lineHeight;
      const width = Math.min(at.width, (png.width / png.height) * height);
      on.drawImage(png, { x: at.x, y: at.y - height, width, height });
    },
  };
}
