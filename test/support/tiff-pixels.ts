import { type TiffBand, tiffBands } from '#renderer/lib/photos/tiff-pixels.ts';
import type { TiffPage } from '#shared/photos/tiff.ts';

/**
 * Returns the pixels of a page, four bytes each.
 * @param pixels the number of pixels that are decompressed at once
 */
export function tiffPixels(page: TiffPage, pixels?: number): Uint8ClampedArray {
  const rgba = new Uint8ClampedArray(page.width * page.height * 4);
  for (const band of bandsOf(page, pixels)) rgba.set(band.rgba, band.top * page.width * 4);
  return rgba;
}

export const bandsOf = (page: TiffPage, pixels?: number): TiffBand[] => [
  ...tiffBands(page, pixels),
];
