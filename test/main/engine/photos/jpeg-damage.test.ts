import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isDamagedJpeg } from '#main/engine/photos/jpeg-damage.ts';
import { tiffPages, tiffTag, type TiffPage } from '#shared/photos/tiff.ts';

const fixtures = join(import.meta.dirname, '../../../support/fixtures/pictures');
const tiles = new Uint8Array(readFileSync(join(fixtures, 'tiledjpeg.tif')));
const [page] = tiffPages(tiles);
const tables = (one: TiffPage | undefined) =>
  one?.fields.find(({ tag }) => tag === tiffTag.jpegTables)?.value ?? new Uint8Array(0);

/** Changes a part of a copy; the part is given as it lies in the whole file. */
function spoiled(part: Uint8Array, change: (own: Uint8Array) => unknown): Uint8Array {
  const copy = tiles.slice();
  change(copy.subarray(part.byteOffset, part.byteOffset + part.length));
  return copy;
}

it('finds a tile of a TIFF that breaks off, whichever it is', async () => {
  expect(await isDamagedJpeg(tiles, 'image/tiff')).toBe(false);
  expect(page?.parts).toHaveLength(6);
  for (const part of page?.parts ?? []) {
    const half = spoiled(part, (own) => own.fill(0, Math.floor(own.length / 2)));
    expect(await isDamagedJpeg(half, 'image/tiff')).toBe(true);
  }
});

it('finds tables of a TIFF that break off or go on, and takes those without their end mark', async () => {
  const broken = spoiled(tables(page), (own) => own.fill(0, -15));
  expect(await isDamagedJpeg(broken, 'image/tiff')).toBe(true);
  const longer = spoiled(tables(page), (own) => own.copyWithin(-16, 221));
  expect(await isDamagedJpeg(longer, 'image/tiff')).toBe(true);
  const filled = spoiled(tables(page), (own) => own.fill(0xff, -2));
  expect(await isDamagedJpeg(filled, 'image/tiff')).toBe(false);
});
