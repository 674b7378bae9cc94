import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type TiffPage, tiffPages } from '#shared/photos/tiff.ts';
import { faultOf } from '../../../support/tiff-fault.ts';
import { bandsOf, tiffPixels } from '../../../support/tiff-pixels.ts';

const fixtures = join(import.meta.dirname, '../../../support/fixtures');
const jpegs = [6, 7];
const pages = [fixtures, join(fixtures, 'pictures')].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.tif') && name !== 'tiff-loop.tif')
    .flatMap((name) => {
      const found = tiffPages(new Uint8Array(readFileSync(join(folder, name))));
      return found.map((page, index) => [`${name}, page ${index + 1}`, page] as const);
    })
    .filter(([, page]) => !jpegs.includes(page.numbers(259)[0] ?? 1))
    .filter(([, page]) => faultOf(() => tiffPixels(page)) !== 'unsupported'),
);

test.each(pages)('the bands of %s together are the whole page', (_, page) => {
  const whole = tiffPixels(page, page.width * page.height * 2);
  expect(tiffPixels(page, 1)).toEqual(whole);
  expect(tiffPixels(page, page.width * 5)).toEqual(whole);
});

/** A grey page in strips of three rows, of which each has its number as its grey. */
function stripedPage(rows: number): TiffPage {
  const [width, rowsPerStrip] = [16, 3];
  const numbers: Readonly<Record<number, number>> = {
    256: width,
    257: rows,
    258: 8,
    259: 1,
    262: 1,
    277: 1,
    278: rowsPerStrip,
  };
  const fields = Object.entries(numbers).map(([tag, number]) => {
    const value = new Uint8Array(4);
    new DataView(value.buffer).setUint32(0, number, true);
    return { tag: Number(tag), type: 4, count: 1, value };
  });
  const parts = Array.from({ length: Math.ceil(rows / rowsPerStrip) }, (_, part) => {
    const own = Math.min(rowsPerStrip, rows - part * rowsPerStrip);
    return new Uint8Array(width * own).map((_, at) => part * rowsPerStrip + Math.floor(at / width));
  });
  return {
    width,
    height: rows,
    orientation: 1,
    isLittle: true,
    fields,
    parts,
    isTiled: false,
    numbers: (tag) => (tag in numbers ? [numbers[tag] ?? 0] : []),
  };
}

test('a page in strips is decoded in bands of as many strips as the pixels allow', () => {
  const bands = bandsOf(stripedPage(20), 16 * 7);
  expect(bands.map(({ top, height }) => [top, height])).toEqual([
    [0, 6],
    [6, 6],
    [12, 6],
    [18, 2],
  ]);
  for (const { top, rgba } of bands) expect([rgba[0], rgba.length % (16 * 4)]).toEqual([top, 0]);
});

test('a page in one strip is drawn in bands', () => {
  const whole = stripedPage(3);
  expect(bandsOf(whole, 16).map(({ top, rgba }) => [top, rgba[0]])).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
});
