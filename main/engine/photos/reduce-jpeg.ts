import { joinBytes } from '#shared/photos/bytes.ts';
import { imageSizeOf, isCutOff } from '#shared/photos/photo-bytes.ts';
import { readExif } from '#shared/photos/read-exif.ts';
import { colourProfileOf } from '#shared/photos/strip-jpeg.ts';
import type { PictureBox } from './picture-reducer.ts';
import { decodeJpeg, encodeJpeg } from './jpeg-codec.ts';
import { averaged, upright } from './raster.ts';

/** Three bytes each: a telephone has up to 50 million. */
const pixelsMax = 50_000_000;
/** A smaller one is small enough, and the room that the codec has for its file may be too. */
const sideMin = 64;
/** A picture that is hardly larger than its box loses more than it saves. */
const worthIt = 1.15;
const quality = 84;

/**
 * A JPEG the right way up, with no more pixels than the box needs, and with its colour profile.
 * @returns null if it stays: it fits and is upright, or is no whole JPEG in grey or RGB
 */
export async function reduceJpeg(
  bytes: Uint8Array<ArrayBuffer>,
  box: PictureBox,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const size = bytes[0] === 0xff && !isCutOff(bytes) ? imageSizeOf(bytes) : null;
  if (!size || size.width * size.height > pixelsMax) return null;
  const { orientation } = readExif(bytes.buffer);
  const isTurned = orientation > 4;
  const [across, down] = isTurned ? [box.height, box.width] : [box.width, box.height];
  const scale = Math.min(across / size.width, down / size.height);
  const isFitting = scale * worthIt >= 1;
  if (isFitting && orientation === 1) return null;
  const side = (length: number) => Math.max(1, Math.round(length * (isFitting ? 1 : scale)));
  const raster = await decodeJpeg(bytes, (stored) =>
    averaged(stored, side(stored.width), side(stored.height)),
  );
  if (!raster || Math.min(raster.width, raster.height) < sideMin) return null;
  const encoded = await encodeJpeg(upright(raster, orientation), quality);
  const reduced = joinBytes([
    encoded.subarray(0, 2),
    ...colourProfileOf(bytes),
    encoded.subarray(2),
  ]);
  return orientation === 1 && reduced.length >= bytes.length ? null : reduced;
}
