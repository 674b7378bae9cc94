import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { decode, decodeImage, toRGBA8 } from 'utif2';
import { expect, test } from 'vitest';
import { tiffFile } from '#shared/photos/tiff-file.ts';
import { tiffPages } from '#shared/photos/tiff.ts';
import { makeScan } from '../../support/sample-files.ts';
import { faultOf } from '../../support/tiff-fault.ts';

const fixture = (name: string) =>
  new Uint8Array(readFileSync(join(import.meta.dirname, '../../support/fixtures', name)));

test('a chain of pages that returns to one of them is refused', () => {
  expect(faultOf(() => tiffPages(fixture('tiff-loop.tif')))).toBe('unreadable');
});

test('a BigTIFF is written again as a TIFF, which every decoder reads', () => {
  const [page] = tiffPages(fixture('tiff-bigtiff.tif'));
  if (!page) throw new Error('no page');
  const [only] = decode(tiffFile([page]).buffer);
  expect([only?.['t256'], only?.['t257']]).toEqual([[page.width], [page.height]]);
});

test('a scan of several pages is whole only with the last byte of each page', () => {
  const scan = makeScan([200, 120, 40]);
  const faultAt = (length: number) => faultOf(() => tiffPages(scan.subarray(0, length)));
  expect([tiffPages(scan).length, faultAt(scan.length)]).toEqual([3, null]);
  fc.assert(
    fc.property(fc.integer({ min: 8, max: scan.length - 1 }), (length) => {
      expect(faultAt(length)).toBe('cut_off');
    }),
  );
});

test('a reduced copy of a page is none', () => {
  expect(tiffPages(fixture('tiff-thumb.tif'))).toHaveLength(1);
});

test('the orientation of a page is read', () => {
  expect(tiffPages(fixture('tiff-orient-6.tif'))[0]?.orientation).toBe(6);
});

test('a fax whose strips have no lengths is decoded: neither blank nor black', () => {
  const file = tiffFile(tiffPages(fixture('tiff-g4-stripbytecounts0.tif'))).buffer;
  const [only] = decode(file);
  if (!only) throw new Error('no page');
  decodeImage(file, only);
  const levels = new Set(toRGBA8(only).filter((_, index) => index % 4 === 0));
  expect(levels.size).toBeGreaterThan(1);
});

test('whatever is changed in a TIFF, it is read or refused, within its own size', () => {
  const whole = fixture('tiff-thumb.tif');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      fc.nat(whole.length),
      (changes, length) => {
        const bytes = whole.slice(0, Math.max(8, length));
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        expect([null, 'unreadable', 'cut_off', 'too_many_pages']).toContain(
          faultOf(() => {
            for (const page of tiffPages(bytes))
              expect(tiffFile([page]).length).toBeLessThan(4 * bytes.length + 4096);
          }),
        );
      },
    ),
  );
});
