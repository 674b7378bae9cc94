import { PDFDocument, PDFName, StandardFontEmbedder, StandardFonts } from 'pdf-lib';

/** A4 in points; the origin is at the top left, as one reads. */
const width = 595;
const height = 842;
export const margin = 56;
export const contentWidth = width - 2 * margin;
export const pageBottom = height - 80;

const regular = metrics(StandardFonts.Helvetica);
const bold = metrics(StandardFonts.HelveticaBold);

/** Two declarations of one list of names: pdf-lib's own and the one of the package behind it. */
function metrics(font: StandardFonts): StandardFontEmbedder {
  return StandardFontEmbedder.for(
    font as unknown as Parameters<typeof StandardFontEmbedder.for>[0],
  );
}

export interface TextStyle {
  readonly size?: number;
  readonly bold?: boolean;
  /** `x` is the text's right end. */
  readonly alignRight?: boolean;
  /** 0 is black, 1 is white. */
  readonly gray?: number;
}

/**
 * One page as PDF operators (ISO 32000-1, 8 and 9). Written by hand onto pdf-lib's documents,
 * because its own drawing calls take ten times as long and a demo writes thousands of pages.
 */
export class Page {
  readonly #operators: string[] = [];

  text(x: number, y: number, text: string, style: TextStyle = {}): void {
    const { size = 10, gray = 0 } = style;
    const font = style.bold === true ? bold : regular;
    const printable = text.replaceAll(/[^\u0020-\u007e\u00a0-\u00ff’–]/g, '?');
    const left = style.alignRight === true ? x - font.widthOfTextAtSize(printable, size) : x;
    const name = style.bold === true ? 'F2' : 'F1';
    this.#operators.push(
      `${gray} g BT /${name} ${size} Tf ${number(left)} ${number(height - y)} Td (${escape(printable)}) Tj ET`,
    );
  }

  /**
   * Sets a paragraph and gives back where the next line goes.
   * @returns the y of the line below the paragraph
   */
  paragraph(x: number, y: number, text: string, maxWidth: number, size = 10): number {
    let line = '';
    let at = y;
    const set = () => {
      this.text(x, at, line, { size });
      at += size * 1.45;
    };
    for (const word of text.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && regular.widthOfTextAtSize(longer, size) > maxWidth) {
        set();
        line = word;
      } else {
        line = longer;
      }
    }
    set();
    return at;
  }

  line(x1: number, y1: number, x2: number, y2: number, lineWidth = 0.7): void {
    const [a, b, c, d] = [x1, height - y1, x2, height - y2].map(number);
    this.#operators.push(`0.55 G ${lineWidth} w ${a} ${b} m ${c} ${d} l S`);
  }

  box(x: number, y: number, boxWidth: number, boxHeight: number, gray: number): void {
    this.#operators.push(
      `${gray} g ${number(x)} ${number(height - y - boxHeight)} ${number(boxWidth)} ${number(boxHeight)} re f`,
    );
  }

  /** The operators in WinAnsi, which Helvetica is addressed in here. */
  bytes(): Uint8Array {
    return Buffer.from(this.#operators.join('\n'), 'latin1');
  }
}

/**
 * Makes a PDF file of the pages; the same pages and moment give the same bytes.
 * @param madeAt milliseconds since 1970, for the file's own dates
 */
export async function renderPdf(
  title: string,
  pages: readonly Page[],
  madeAt: number,
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const { context } = pdf;
  pdf.setTitle(title);
  pdf.setCreationDate(new Date(madeAt));
  const fonts = (
    [
      ['F1', 'Helvetica'],
      ['F2', 'Helvetica-Bold'],
    ] as const
  ).map(([name, baseFont]) => {
    const font = { Type: 'Font', Subtype: 'Type1', BaseFont: baseFont };
    return [name, context.register(context.obj({ ...font, Encoding: 'WinAnsiEncoding' }))] as const;
  });
  for (const page of pages) {
    const { node } = pdf.addPage([width, height]);
    node.set(PDFName.of('Contents'), context.register(context.stream(page.bytes())));
    for (const [name, font] of fonts) node.setFontDictionary(PDFName.of(name), font);
  }
  return pdf.save({
    useObjectStreams: false,
    addDefaultPage: false,
    updateFieldAppearances: false,
    objectsPerTick: Infinity,
  });
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Two typographic characters lie elsewhere in WinAnsi than in Unicode. */
function escape(text: string): string {
  return text
    .replaceAll(/[\\()]/g, '\\$&')
    .replaceAll('’', '\u0092')
    .replaceAll('–', '\u0096');
}

/** `CHF 12’345.60`. */
export function formatChf(rappen: number): string {
  const francs = String(Math.floor(rappen / 100)).replaceAll(/\B(?=(?:\d{3})+$)/g, '’');
  return `CHF ${francs}.${String(rappen % 100).padStart(2, '0')}`;
}

/** `14.03.2026` from `2026-03-14`. */
export function formatDay(day: string): string {
  return day.split('-').reverse().join('.');
}
