import { jpegsOf } from '#shared/photos/jpeg-damage.ts';
import { isDrawnJpeg, jpegFrame } from '#shared/photos/photo-bytes.ts';
import type { PictureType } from '#shared/photos/picture-kinds.ts';
import { TiffError, tiffPages } from '#shared/photos/tiff.ts';
import { hasJpegFault } from './jpeg-codec.ts';

/** Three bytes each: a telephone has up to 50 million. */
const pixelsMax = 50_000_000;

/**
 * Whether a JPEG, alone or in a TIFF, is damaged where its pixels are. Nobody sees it there before it
 * is sent if no window is open.
 * @returns false for what this decoder does not know, and for other kinds
 */
export async function isDamagedJpeg(bytes: Uint8Array, contentType: PictureType): Promise<boolean> {
  if (contentType === 'image/jpeg') return await isDamaged(bytes);
  if (contentType !== 'image/tiff') return false;
  for (const part of jpegsIn(bytes)) if (await isDamaged(part)) return true;
  return false;
}

async function isDamaged(bytes: Uint8Array): Promise<boolean> {
  const frame = jpegFrame(bytes);
  // Nobody draws a picture without a frame, or of as many colours.
  if (!frame || ![1, 3, 4].includes(frame.components)) return true;
  if (!isDrawnJpeg(bytes) || frame.width * frame.height > pixelsMax) return false;
  return frame.components !== 4 && (await hasJpegFault(bytes));
}

function jpegsIn(bytes: Uint8Array): Uint8Array[] {
  try {
    return tiffPages(bytes).flatMap(jpegsOf);
  } catch (error) {
    if (error instanceof TiffError) return [];
    throw error;
  }
}
