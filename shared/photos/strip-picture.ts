import { areEqual } from './bytes.ts';
import { exifBody, exifSegment } from './exif.ts';
import { isCutOff, isDrawnJpeg } from './photo-bytes.ts';
import type { PictureType } from './picture-kinds.ts';
import { looksDamagedHeic } from './heic-damage.ts';
import { looksDamagedJpeg, looksDamagedPage } from './jpeg-damage.ts';
import { readExif } from './read-exif.ts';
import { strippedJpeg } from './strip-jpeg.ts';
import { strippedPng } from './strip-png.ts';
import { strippedWebp } from './strip-webp.ts';
import { strippedTiff } from './tiff-file.ts';
import { TiffError, tiffPages } from './tiff.ts';

/** What is sent of a picture that no window makes ready. */
export interface StrippedPicture {
  /** Null if it cannot be stripped: a HEIC, or a file that is damaged. */
  readonly bytes: Uint8Array | null;
  /** The bytes are those of the file: there was nothing to remove. */
  readonly isSame: boolean;
  /** By the camera's clock: YYYY-MM-DDTHH:MM:SS. */
  readonly takenAt: string | null;
  /** It is likely to show wrong pixels; of a JPEG, a TIFF of JPEGs, or a HEIC. */
  readonly looksDamaged: boolean;
}

/**
 * A picture with its pixels unchanged, and next to them its orientation, its colour profile and the
 * time of capture: no place, no device, no names, no comments, no small copy, and nothing behind its
 * end. A TIFF has no time of capture then.
 */
export function strippedPicture(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: PictureType,
): StrippedPicture {
  const { takenAt, orientation } = readExif(bytes.buffer);
  const preserved = { takenAt, orientation, place: null, device: null };
  const stripped = strip(bytes, contentType, preserved);
  const isSame = stripped !== null && areEqual(stripped, bytes);
  const looksDamaged =
    contentType === 'image/heic'
      ? looksDamagedHeic(bytes)
      : stripped !== null && looksDamagedPicture(stripped, contentType);
  return { bytes: stripped, isSame, takenAt, looksDamaged };
}

/** What could not be stripped is refused, or looked at by the window that decodes it. */
function looksDamagedPicture(bytes: Uint8Array, contentType: PictureType): boolean {
  if (contentType === 'image/jpeg') return looksDamagedJpeg(bytes);
  return contentType === 'image/tiff' && tiffPages(bytes).some(looksDamagedPage);
}

function strip(
  bytes: Uint8Array,
  contentType: PictureType,
  preserved: Parameters<typeof exifBody>[0],
): Uint8Array | null {
  switch (contentType) {
    case 'image/jpeg':
      // Without its end, pixels may be missing: only a window sees whether they are.
      return isCutOff(bytes) || !isDrawnJpeg(bytes)
        ? null
        : strippedJpeg(bytes, exifSegment(preserved));
    case 'image/png':
      return strippedPng(bytes, exifBody(preserved));
    case 'image/webp':
      return strippedWebp(bytes, exifBody(preserved));
    case 'image/tiff':
      try {
        return strippedTiff(bytes);
      } catch (error) {
        if (error instanceof TiffError) return null;
        throw error;
      }
    // `pictureKinds`: it is made a JPEG.
    case 'image/heic':
      return null;
  }
}
