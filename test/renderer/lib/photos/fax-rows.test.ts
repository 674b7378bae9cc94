import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faxRows } from '#shared/photos/fax-rows.ts';
import { type TiffPage, tiffPages } from '#shared/photos/tiff.ts';
import { faultOf } from '../../../support/tiff-fault.ts';
import { tiffPixels } from '../../../support/tiff-pixels.ts';

const pictures = join(import.meta.dirname, '../../../support/fixtures/pictures');
function pageOf(name: string): TiffPage {
  const [page] = tiffPages(new Uint8Array(readFileSync(join(pictures, name))));
  if (!page) throw new Error('no page');
  return page;
}
/** Codes as bytes, filled up with zeros. */
const packed = (codes: string) =>
  Uint8Array.from(codes.match(/.{1,8}/g) ?? [], (bits) => Number.parseInt(bits.padEnd(8, '0'), 2));
const places = [0, 1, 2, 3, 4, 5, 6, 7];
const reversed = (bytes: Uint8Array) =>
  bytes.map((byte) => places.reduce((all, bit) => all | (((byte >> bit) & 1) << (7 - bit)), 0));

test('a Group 4 page has the pixels of the same page in Group 3', () => {
  expect(tiffPixels(pageOf('g4.tif'))).toEqual(tiffPixels(pageOf('g3.tif')));
});

test('every mode of Group 4 is read, with either bit first', () => {
  const codes =
    // Two runs (3 white, 2 black), and no change up to the end.
    '001' +
    '1000' +
    '11' +
    '1' +
    // One to the left, one to the right, and the end.
    '010' +
    '011' +
    '1' +
    // What is above is passed, and the end.
    '0001' +
    '1' +
    // A run of no pixels, as some programs write it, and the end.
    '001' +
    '1000' +
    '0000110111' +
    '1';
  const shape = { width: 8, rows: 4, isLowBitFirst: false };
  const rows = [0b00011000, 0b00111100, 0, 0];
  expect([...faxRows(packed(codes), shape)]).toEqual(rows);
  expect([...faxRows(reversed(packed(codes)), { ...shape, isLowBitFirst: true })]).toEqual(rows);
});

test('a damaged or incomplete Group 4 page is refused, and not shown with white rows', () => {
  const page = pageOf('g4.tif');
  const withPart = (change: (part: Uint8Array) => Uint8Array) => ({
    ...page,
    parts: page.parts.map((part) => change(part.slice())),
  });
  const damaged = withPart((part) => part.fill(0, 4, 8));
  expect(faultOf(() => tiffPixels(damaged))).toBe('unreadable');
  const short = withPart((part) => part.subarray(0, part.length / 2));
  expect(faultOf(() => tiffPixels(short))).toBe('cut_off');
  // The mark of the end comes before the last row.
  const ended = packed('1' + '000000000001' + '000000000001');
  expect(faultOf(() => faxRows(ended, { width: 8, rows: 2, isLowBitFirst: false }))).toBe(
    'cut_off',
  );
});

test('a page in the LZW of before TIFF 5.0 is called unsupported, and takes no time', () => {
  const page = pageOf('orient6.tif');
  expect(page.numbers(259)).toEqual([5]);
  const old = { ...page, parts: page.parts.map(() => Uint8Array.of(0, 1, 0x23, 0x45)) };
  expect(faultOf(() => tiffPixels(old))).toBe('unsupported');
});

/** The same page in PackBits, of literal bytes alone. */
function packedBits(page: TiffPage): TiffPage {
  const parts = page.parts.map((part) => {
    const runs = Array.from({ length: Math.ceil(part.length / 128) }, (_, run) => {
      const bytes = part.subarray(run * 128, (run + 1) * 128);
      return [bytes.length - 1, ...bytes];
    });
    return Uint8Array.from(runs.flat());
  });
  const [low, high] = [32_773 & 0xff, 32_773 >> 8];
  const value = Uint8Array.from(page.isLittle ? [low, high] : [high, low]);
  return {
    ...page,
    parts,
    fields: page.fields.map((field) => (field.tag === 259 ? { ...field, value } : field)),
    numbers: (tag) => (tag === 259 ? [32_773] : page.numbers(tag)),
  };
}

test.each([
  ['uncompressed', pageOf('rgb8.tif')],
  ['PackBits', packedBits(pageOf('rgb8.tif'))],
])('a page with too few pixels, %s, is refused, and not shown black', (_, whole) => {
  expect(tiffPixels(whole)).toEqual(tiffPixels(pageOf('rgb8.tif')));
  const parts = whole.parts.map((part) => part.subarray(0, -3));
  expect(faultOf(() => tiffPixels({ ...whole, parts }))).toBe('cut_off');
});

test('runs of no pixels end with a fault, not with the memory', () => {
  // White and black of 0 pixels, again and again: the row never gets on.
  const codes = ['001', '00110101', '0000110111'].join('').repeat(4000);
  expect(faultOf(() => faxRows(packed(codes), { width: 40, rows: 1, isLowBitFirst: false }))).toBe(
    'unreadable',
  );
});

test.each(['zip.tif', 'orient6.tif', 'packbits.tif', 'g3.tif'])(
  'a page whose compressed pixels are damaged, %s, is refused, and not shown wrong',
  (name) => {
    const whole = pageOf(name);
    expect(faultOf(() => tiffPixels(whole))).toBeNull();
    const parts = whole.parts.map((part) => {
      const middle = part.length >> 1;
      return part.slice().fill(0, middle - 8, middle + 8);
    });
    expect(faultOf(() => tiffPixels({ ...whole, parts }))).not.toBeNull();
  },
);
