import { imageSizeOf } from '#shared/photos/photo-bytes.ts';
import { readExif } from '#shared/photos/read-exif.ts';
import { drawnPng } from '#shared/photos/strip-png.ts';
import { strippedWebp } from '#shared/photos/strip-webp.ts';
import { PhotoError } from './photo-tasks.ts';
import { assertPixels, upright } from './upright.ts';

/**
 * Decodes a JPEG, PNG or WebP, upright.
 * @throws {PhotoError}
 */
export async function decodeByBrowser(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
): Promise<ImageBitmap> {
  const size = imageSizeOf(bytes);
  if (size === null) throw new PhotoError('unreadable');
  assertPixels(size.width, size.height);
  if (type === 'image/jpeg')
    return await createImageBitmap(new Blob([bytes], { type }), { imageOrientation: 'from-image' });
  // Browsers disagree about the orientation of a PNG or a WebP, so it is removed before they decode
  // it.
  const { orientation } = readExif(bytes.buffer);
  const plain = orientation === 1 ? bytes : withoutOrientation(bytes, type);
  return upright(await createImageBitmap(new Blob([plain], { type })), orientation);
}

function withoutOrientation(bytes: Uint8Array, type: string): Uint8Array<ArrayBuffer> {
  const stripped = type === 'image/png' ? drawnPng(bytes) : strippedWebp(bytes, null);
  if (!stripped) throw new PhotoError('unreadable');
  return stripped;
}
