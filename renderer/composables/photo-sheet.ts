import type { PDFFont, PDFPage } from 'pdf-lib';

export interface SheetPhoto {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly caption: string;
}

export interface PhotoSheet {
  readonly title: string;
  /** Beside the page's number. */
  readonly footer: string;
  readonly perPage: 1 | 2 | 4 | 6;
  readonly photos: readonly SheetPhoto[];
  /** Draws words that the PDF's own fonts do not have (other scripts, emoji) as a PNG. */
  readonly drawWords: (words: string, widthPt: number, sizePt: number) => Promise<Uint8Array>;
}

/** A4 in points. */
const page = { width: 595, height: 842, margin: 42, head: 34, foot: 26 };
const columns = { 1: 1, 2: 1, 4: 2, 6: 2 };
const gap = 14;
const captionSize = 10;
const captionLines = 3;
const lineHeight = 1.25;

/** Photos with captions as a PDF; loads the PDF library only now. */
export async function makePhotoSheet(sheet: PhotoSheet): Promise<Uint8Array<ArrayBuffer>> {
  const { PDFDocument, StandardFonts, rgb } = await import('pdf-lib');
  const pdf = await PDFDocument.create();
  pdf.setTitle(sheet.title);
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
  const known = new Set(font.getCharacterSet());
  const grey = rgb(0.3, 0.34, 0.37);

  /** From the top `y` down; as words where the fonts have them, as a picture where not. */
  async function write(
    on: PDFPage,
    words: string,
    at: { x: number; y: number; width: number; size: number; lines: number; font: PDFFont },
  ): Promise<void> {
    const text = words.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
    if (text === '') return;
    if (Array.from(text).every((character) => known.has(character.codePointAt(0) ?? 0))) {
      wrap(text, at.font, at.size, at.width)
        .slice(0, at.lines)
        .forEach((line, index) =>
          on.drawText(line, {
            x: at.x,
            y: at.y - at.size - index * at.size * lineHeight,
            size: at.size,
            font: at.font,
          }),
        );
      return;
    }
    const png = await pdf.embedPng(await sheet.drawWords(text, at.width, at.size));
    const height = at.size * lineHeight;
    const width = Math.min(at.width, (png.width / png.height) * height);
    on.drawImage(png, { x: at.x, y: at.y - height, width, height });
  }

  const across = columns[sheet.perPage];
  const down = sheet.perPage / across;
  const cell = {
    width: (page.width - 2 * page.margin - (across - 1) * gap) / across,
    height: (page.height - 2 * page.margin - page.head - page.foot - (down - 1) * gap) / down,
  };
  const captionHeight = captionLines * captionSize * lineHeight + 4;
  const pages = Math.max(1, Math.ceil(sheet.photos.length / sheet.perPage));
  for (let number = 0; number < pages; number += 1) {
    const on = pdf.addPage([page.width, page.height]);
    const top = page.height - page.margin;
    const width = page.width - 2 * page.margin;
    await write(on, sheet.title, {
      x: page.margin,
      y: top,
      width,
      size: 15,
      lines: 1,
      font: bold,
    });
    await write(on, `${sheet.footer} · ${number + 1} / ${pages}`, {
      x: page.margin,
      y: page.margin + 4,
      width,
      size: 9,
      lines: 1,
      font,
    });
    on.drawLine({
      start: { x: page.margin, y: top - 24 },
      end: { x: page.width - page.margin, y: top - 24 },
      thickness: 0.6,
      color: grey,
    });
    const here = sheet.photos.slice(number * sheet.perPage, (number + 1) * sheet.perPage);
    for (const [index, photo] of here.entries()) {
      const x = page.margin + (index % across) * (cell.width + gap);
      const y = top - page.head - Math.floor(index / across) * (cell.height + gap);
      const image = await pdf.embedJpg(photo.jpeg);
      const scale = Math.min(
        cell.width / photo.width,
        (cell.height - captionHeight) / photo.height,
      );
      const size = { width: photo.width * scale, height: photo.height * scale };
      on.drawImage(image, { x, y: y - size.height, ...size });
      await write(on, photo.caption, {
        x,
        y: y - size.height - 4,
        width: cell.width,
        size: captionSize,
        lines: captionLines,
        font,
      });
    }
  }
  return Uint8Array.from(await pdf.save());
}

/** Lines no wider than the place; a word that is wider is broken. */
function wrap(text: string, font: PDFFont, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  const fits = (words: string) => font.widthOfTextAtSize(words, size) <= width;
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const character of word) {
      if (line !== '' && !fits(line + character)) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  return line === '' ? lines : [...lines, line];
}
