import fc from 'fast-check';
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, test } from 'vitest';
import { fitText, lineHeight } from '#shared/pdf/sheet-text.ts';
import {
  makePhotoSheet,
  sheetCaptionMax,
  sheetTitleMax,
  type PhotoSheet,
} from '#shared/pdf/photo-sheet.ts';
import { makeJpeg } from '../../support/sample-files.ts';

/** A transparent PNG of one pixel. */
const png = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
    'base64',
  ),
);

/** The words of a sheet's first page without its gaps, and what was drawn as a picture. */
async function wordsOn({
  caption,
  group = '',
  ...sheet
}: Pick<PhotoSheet, 'title' | 'perPage'> & { caption: string; group?: string }) {
  const drawn: string[] = [];
  const filled = {
    ...sheet,
    about: 'Muster AG · ZH 12',
    footer: 'SF-2026-000048',
    logo: `data:image/jpeg;base64,${Buffer.from(makeJpeg()).toString('base64')}`,
    photos: [{ bytes: Uint8Array.from(makeJpeg()), width: 64, height: 48, caption, group }],
  };
  const pdf = await makePhotoSheet(filled, {
    measure: (words, sizePt) => words.length * sizePt * 0.6,
    draw: ({ lines }) => {
      drawn.push(lines.join(' '));
      return Promise.resolve(png);
    },
  });
  const opened = await getDocument({ data: pdf, verbosity: 0 }).promise;
  const first = await opened.getPage(1);
  const content = await first.getTextContent();
  const { fnArray } = await first.getOperatorList();
  const pictures = fnArray.filter((one) => one === OPS.paintImageXObject).length;
  await opened.loadingTask.destroy();
  const text = content.items.map((item) => ('str' in item ? item.str : '')).join('');
  return { text: text.replaceAll(/\s/g, ''), drawn, pictures };
}

const words = (length: number) =>
  'Stossfänger vorne links gerissen, Halterung gebrochen; '.repeat(9).slice(0, length);
const dense = (text: string) => text.replaceAll(/\s/g, '');

test.each([1, 2, 4, 6] as const)(
  'with %i photos on a page, all that may be written is on the sheet',
  async (perPage) => {
    const title = words(sheetTitleMax);
    const caption = words(sheetCaptionMax);
    const { text } = await wordsOn({ title, caption, perPage });
    expect(text).toContain(dense(title));
    expect(text).toContain(dense(caption));
  },
);

test('the case, the office’s logo and the photo’s group stand on the sheet', async () => {
  const { text, pictures } = await wordsOn({
    title: 'Fotos',
    caption: 'Kotflügel',
    group: 'Schaden',
    perPage: 4,
  });
  expect(text).toContain('MusterAG·ZH12');
  expect(text).toContain('SchadenKotflügel');
  expect(pictures, 'the logo beside the photo').toBe(2);
});

test('what has no room even in small letters ends with an ellipsis', async () => {
  const { text } = await wordsOn({ title: 'T', caption: 'W'.repeat(sheetCaptionMax), perPage: 6 });
  expect(text).toMatch(/W{100,}…/);
});

test('words of another script run over several lines too', async () => {
  const caption = 'الباب الأيسر مخدوش '.repeat(8).trim();
  const { drawn } = await wordsOn({ title: 'T', caption, perPage: 6 });
  expect(drawn).toEqual([caption]);
});

test('words fit their place, and are whole or end with an ellipsis', () => {
  const place = fc.record({
    width: fc.integer({ min: 20, max: 300 }),
    height: fc.integer({ min: 5, max: 80 }),
    largest: fc.integer({ min: 8, max: 15 }),
    smallest: fc.integer({ min: 4, max: 8 }),
  });
  const measure = (text: string, size: number) => text.length * size * 0.5;
  const outcomes = new Set<boolean>();
  fc.assert(
    fc.property(fc.lorem({ maxCount: 30 }), place, (text, box) => {
      const { lines, size } = fitText(text, box, measure);
      expect(size).toBeLessThanOrEqual(box.largest);
      expect(size).toBeGreaterThanOrEqual(box.smallest);
      for (const line of lines) expect(measure(line, size)).toBeLessThanOrEqual(box.width);
      const fits = lines.length * size * lineHeight <= box.height;
      expect(fits || lines.length <= 1).toBe(true);
      const [whole, drawn] = [dense(text), dense(lines.join(''))];
      const isCut = drawn.endsWith('…');
      outcomes.add(isCut);
      expect(drawn).toBe(isCut ? `${whole.slice(0, drawn.length - 1)}…` : whole);
    }),
    { numRuns: 200 },
  );
  expect(outcomes.size).toBe(2);
});
