import type { PDFDocument, PDFFont, PDFPage } from '@cantoo/pdf-lib';

/** Where words go; lengths in any one unit. */
export interface TextPlace {
  readonly width: number;
  readonly height: number;
  /** Sizes of the letters: as large as possible, and never smaller than still reads. */
  readonly largest: number;
  readonly smallest: number;
}

export interface FittedText {
  readonly lines: readonly string[];
  readonly size: number;
}

/** Of a line, in sizes of its letters. */
export const lineHeight = 1.25;

const sizeStep = 0.5;
const graphemes = new Intl.Segmenter();

/**
 * Words in lines that fit their place, in smaller letters if they must be. What does not fit
 * in the smallest either ends with an ellipsis, so that nothing is cut unseen.
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
 * Lines that fit; a word that is wider than a line is broken between characters as one sees them.
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

/** Device pixels of a point, so that drawn words stay sharp on paper. */
const pixelsPerPoint = 4;

const fontOf = (sizePt: number) =>
  `${sizePt * pixelsPerPoint}px "Segoe UI", system-ui, "Liberation Sans", Arial, sans-serif`;

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  return context;
}

/** Writes words as pictures in the system's fonts, which know every script and emoji. */
export function createTextDrawing(): TextDrawing {
  const measuring = contextOf(new OffscreenCanvas(1, 1));
  const measure = (words: string, sizePt: number): number => {
    measuring.font = fontOf(sizePt);
    return measuring.measureText(words).width / pixelsPerPoint;
  };

  async function draw({ lines, size }: FittedText, widthPt: number): Promise<Uint8Array> {
    const widest = Math.max(...lines.map((line) => measure(line, size)));
    const lineHeightPx = size * lineHeight * pixelsPerPoint;
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.ceil(Math.min(widthPt, widest) * pixelsPerPoint)),
      Math.max(1, Math.ceil(lines.length * lineHeightPx)),
    );
    const context = contextOf(canvas);
    context.font = fontOf(size);
    context.textBaseline = 'middle';
    // From the end in which their script is written.
    const isRightToLeft = /^[^\p{L}]*[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/u.test(
      lines.join(' '),
    );
    context.direction = isRightToLeft ? 'rtl' : 'ltr';
    for (const [index, line] of lines.entries())
      context.fillText(line, isRightToLeft ? canvas.width : 0, (index + 0.5) * lineHeightPx);
    const png = await canvas.convertToBlob({ type: 'image/png' });
    return new Uint8Array(await png.arrayBuffer());
  }

  return { measure, draw };
}

/** Lengths in points. */
export interface TextDrawing {
  readonly measure: (words: string, sizePt: number) => number;
  /** The lines as a PNG, no wider than asked. */
  readonly draw: (words: FittedText, widthPt: number) => Promise<Uint8Array>;
}

/** Writes any words into a PDF: in its own fonts if they have them, else as pictures. */
export interface PdfWriter {
  readonly font: PDFFont;
  readonly bold: PDFFont;
  /** The width of a text in points. */
  readonly measure: (words: string, size: number) => number;
  /** From the top `y` down. */
  readonly write: (
    on: PDFPage,
    words: string,
    at: TextPlace & { readonly x: number; readonly y: number; readonly font: PDFFont },
  ) => Promise<void>;
}

export async function createPdfWriter(pdf: PDFDocument, drawing: TextDrawing): Promise<PdfWriter> {
  const font = await pdf.embedFont('Helvetica');
  const bold = await pdf.embedFont('Helvetica-Bold');
  const known = new Set(font.getCharacterSet());
  const isKnown = (text: string) =>
    Array.from(text).every((character) => known.has(character.codePointAt(0) ?? 0));
  return {
    font,
    bold,
    measure: (words, size) =>
      isKnown(words) ? font.widthOfTextAtSize(words, size) : drawing.measure(words, size),
    async write(on, words, at) {
      const text = words.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
      if (text === '') return;
      if (isKnown(text)) {
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
