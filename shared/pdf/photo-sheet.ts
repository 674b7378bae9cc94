import { createPdfWriter, type TextDrawing } from './sheet-text.ts';

export interface SheetPhoto {
  /** A JPEG or PNG. */
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly caption: string;
  /** Above the photo; empty if it has none. */
  readonly group: string;
}

export interface PhotoSheet {
  readonly title: string;
  /** Of the case, beneath the title. */
  readonly about: string;
  /** Of the office: a JPEG as a data address; null without one. */
  readonly logo: string | null;
  /** Next to the page's number. */
  readonly footer: string;
  readonly perPage: 1 | 2 | 4 | 6;
  readonly photos: readonly SheetPhoto[];
}

/** What the user may write; all of it fits in each layout, unless it has wide letters. */
export const sheetTitleMax = 120;
export const sheetCaptionMax = 300;

/** A4 in points. */
const page = { width: 595, height: 842, margin: 42, head: 48, foot: 26 };
const columns = { 1: 1, 2: 1, 4: 2, 6: 2 };
const gap = 14;
const captionGap = 4;
const caption = { height: 50, largest: 10, smallest: 7 };
const title = { height: 23, largest: 15, smallest: 8 };
const about = { height: 12, largest: 9, smallest: 6 };
/** Room of the logo, at the right of the title. */
const logo = { width: 110, height: 34 };
const group = { height: 15, largest: 10, smallest: 7 };
const footer = { height: 12, largest: 9, smallest: 6 };

/**
 * Photos with captions as a PDF. Runs in a worker.
 * @param drawing null where nothing draws; for words that the PDF's own fonts do not have (other scripts, emoji)
 */
export async function makePhotoSheet(
  sheet: PhotoSheet,
  drawing: TextDrawing | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const { PDFDocument, rgb } = await import('@cantoo/pdf-lib');
  const pdf = await PDFDocument.create();
  pdf.setTitle(sheet.title);
  const { font, bold, write } = await createPdfWriter(pdf, drawing);
  const grey = rgb(0.3, 0.34, 0.37);
  const mark = sheet.logo && (await pdf.embedJpg(sheet.logo));
  const groupHeight = sheet.photos.some((photo) => photo.group !== '') ? group.height : 0;

  const across = columns[sheet.perPage];
  const down = sheet.perPage / across;
  const cell = {
    width: (page.width - 2 * page.margin - (across - 1) * gap) / across,
    height: (page.height - 2 * page.margin - page.head - page.foot - (down - 1) * gap) / down,
  };
  const pages = Math.max(1, Math.ceil(sheet.photos.length / sheet.perPage));
  for (let number = 0; number < pages; number += 1) {
    const on = pdf.addPage([page.width, page.height]);
    const top = page.height - page.margin;
    const width = page.width - 2 * page.margin;
    const left = { x: page.margin, width: mark ? width - logo.width - gap : width };
    await write(on, sheet.title, { ...title, ...left, y: top, font: bold });
    await write(on, sheet.about, { ...about, ...left, y: top - title.height, font });
    if (mark) {
      const size = mark.scaleToFit(logo.width, logo.height);
      on.drawImage(mark, {
        x: page.width - page.margin - size.width,
        y: top - size.height,
        width: size.width,
        height: size.height,
      });
    }
    await write(on, `${sheet.footer} · ${number + 1} / ${pages}`, {
      ...footer,
      x: page.margin,
      y: page.margin + 4,
      width,
      font,
    });
    on.drawLine({
      start: { x: page.margin, y: top - 38 },
      end: { x: page.width - page.margin, y: top - 38 },
      thickness: 0.6,
      color: grey,
    });
    const here = sheet.photos.slice(number * sheet.perPage, (number + 1) * sheet.perPage);
    for (const [index, photo] of here.entries()) {
      const x = page.margin + (index % across) * (cell.width + gap);
      const start = top - page.head - Math.floor(index / across) * (cell.height + gap);
      await write(on, photo.group, { ...group, x, y: start, width: cell.width, font: bold });
      const y = start - groupHeight;
      const isPng = photo.bytes[0] === 0x89;
      const image = await (isPng ? pdf.embedPng(photo.bytes) : pdf.embedJpg(photo.bytes));
      const scale = Math.min(
        cell.width / photo.width,
        (cell.height - groupHeight - captionGap - caption.height) / photo.height,
      );
      const size = { width: photo.width * scale, height: photo.height * scale };
      on.drawImage(image, { x, y: y - size.height, ...size });
      await write(on, photo.caption, {
        ...caption,
        x,
        y: y - size.height - captionGap,
        width: cell.width,
        font,
      });
    }
  }
  return Uint8Array.from(await pdf.save());
}
