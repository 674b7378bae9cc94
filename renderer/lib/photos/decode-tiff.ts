import { bytesOf, joinBytes, latin1 } from '#shared/photos/bytes.ts';
import { jpegTablesOf } from '#shared/photos/jpeg-damage.ts';
import { imageSizeOf } from '#shared/photos/photo-bytes.ts';
import { layoutOf, photometric } from '#shared/photos/tiff-layout.ts';
import { TiffError, tiffTag, type TiffPage } from '#shared/photos/tiff.ts';
import { assertPixels, upright } from './upright.ts';

const compression = { oldJpeg: 6, jpeg: 7 } as const;
const oldJpegLength = 514;
const resolution = { x: 282, y: 283 } as const;

/**
 * Decodes a page of a TIFF. Runs in a worker.
 * @param bytes the bytes of the whole file
 * @throws {TiffError}
 */
export async function decodeTiff(
  page: TiffPage | undefined,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<ImageBitmap> {
  if (!page) throw new TiffError('unreadable');
  assertPixels(page.width, page.height);
  const stored = await drawn(page, bytes);
  return upright(await square(stored, page), page.orientation);
}

async function drawn(page: TiffPage, bytes: Uint8Array<ArrayBuffer>): Promise<ImageBitmap> {
  const [kind = 1] = page.numbers(tiffTag.compression);
  if (kind === compression.oldJpeg) return await oldJpeg(page, bytes);
  if (kind === compression.jpeg) return await jpegParts(page);
  const { tiffBands } = await import('./tiff-pixels.ts');
  const context = emptyDrawing(page);
  for (const { rgba, width, height, top } of tiffBands(page))
    context.putImageData(new ImageData(rgba, width, height), 0, top);
  return context.canvas.transferToImageBitmap();
}

/** Returns a canvas for the whole page. */
function emptyDrawing({ width, height }: TiffPage): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext('2d', { alpha: false });
  if (!context) throw new TiffError('unreadable');
  return context;
}

/** Decodes a JPEG in the form from before 1995, if the file contains it as a whole picture. */
async function oldJpeg(page: TiffPage, bytes: Uint8Array<ArrayBuffer>): Promise<ImageBitmap> {
  const [at = 0] = page.numbers(tiffTag.oldJpeg);
  const [length = bytes.length - at] = page.numbers(oldJpegLength);
  const jpeg = bytes.subarray(at, at + length);
  const size = imageSizeOf(jpeg);
  if (at === 0 || size?.width !== page.width || size.height !== page.height)
    throw new TiffError('unsupported');
  return await createImageBitmap(new Blob([jpeg], { type: 'image/jpeg' }));
}

/**
 * Decodes a page whose strips or tiles are each a JPEG, which the browser decodes (TIFF, Technical
 * Note 2).
 */
async function jpegParts(page: TiffPage): Promise<ImageBitmap> {
  const { width, height, parts, isTiled } = page;
  const one = (tag: number, absent: number) => page.numbers(tag)[0] ?? absent;
  const { kind } = layoutOf(page);
  const partWidth = isTiled ? one(tiffTag.tileWidth, width) : width;
  const partHeight = isTiled ? one(tiffTag.tileHeight, height) : one(tiffTag.rowsPerStrip, height);
  const across = Math.ceil(width / partWidth);
  if (!(partHeight > 0) || parts.length < across * Math.ceil(height / partHeight))
    throw new TiffError('cut_off');
  const tables = jpegTablesOf(page);
  const context = emptyDrawing(page);
  for (const [index, part] of parts.entries()) {
    const jpeg = wholeJpeg(part, tables, kind === photometric.rgb);
    const size = imageSizeOf(jpeg);
    if (!size || size.width > partWidth + 16 || size.height > partHeight + 16)
      throw new TiffError('unreadable');
    const tile = await createImageBitmap(new Blob([jpeg], { type: 'image/jpeg' }));
    const [column, row] = [index % across, Math.floor(index / across)];
    context.drawImage(tile, column * partWidth, row * partHeight);
    tile.close();
  }
  return context.canvas.transferToImageBitmap();
}

/**
 * Returns a part with the tables that all parts share. If the part has neither a JFIF nor an Adobe
 * mark, nothing defines its colours.
 */
function wholeJpeg(part: Uint8Array, tables: Uint8Array, isRgb: boolean): Uint8Array<ArrayBuffer> {
  const adobe = joinBytes([
    Uint8Array.of(0xff, 0xee, 0, 14),
    bytesOf('Adobe\0\x64\0\0\0\0'),
    Uint8Array.of(0),
  ]);
  const isMarked = latin1(part, 6, 4) === 'JFIF' || latin1(part, 6, 5) === 'Adobe';
  const marks = isRgb && !isMarked ? [adobe] : [];
  return joinBytes([part.subarray(0, 2), ...marks, tables, part.subarray(2)]);
}

/** Makes a picture's pixels square if they are not, as in a fax (204 x 98 per inch). */
async function square(picture: ImageBitmap, page: TiffPage): Promise<ImageBitmap> {
  const [x, y] = [rational(page, resolution.x), rational(page, resolution.y)];
  const ratio = x > 0 && y > 0 ? x / y : 1;
  // A smaller difference is the rounding of a scanner, and a larger one is a mistake in the file.
  if (Math.abs(ratio - 1) < 0.05 || ratio > 4 || ratio < 0.25) return picture;
  const width = Math.round(picture.width * Math.max(1, 1 / ratio));
  const height = Math.round(picture.height * Math.max(1, ratio));
  assertPixels(width, height);
  const options = { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' } as const;
  const resized = await createImageBitmap(picture, options);
  picture.close();
  return resized;
}

/** Returns the value of a field, or 0 if the field is absent. */
function rational({ fields, isLittle }: TiffPage, tag: number): number {
  const value = fields.find((field) => field.tag === tag && field.type === 5)?.value;
  if (value?.length !== 8) return 0;
  const view = new DataView(value.buffer, value.byteOffset, 8);
  const divisor = view.getUint32(4, isLittle);
  return divisor === 0 ? 0 : view.getUint32(0, isLittle) / divisor;
}
