import { fileNameMaxLength } from '#shared/api/limits.ts';
import { imageSizeOf } from '#shared/lib/image-size.ts';
import { headBytes } from './document-head.ts';
import { drawUpright } from './draw-upright.ts';
import { cutText } from './name-template.ts';

/** Pixels that are decoded to be redrawn: 240 MB while one photo is worked on. */
const decodedPixelsMax = 60_000_000;

export interface ReworkedPhoto {
  readonly content: Blob;
  readonly width: number;
  readonly height: number;
}

/**
 * Draws a photo anew as JPEG: upright, as the camera was held (EXIF), and no larger than asked.
 * Nothing but the pixels comes along: place (GPS), time and camera are gone.
 * @param longEdge longer side in pixels at most; null keeps the size
 * @param quality 0 to 1
 * @throws where it is no picture that can be drawn, or one of too many pixels.
 */
export async function reworkPhoto(
  content: Blob,
  { longEdge, quality }: { readonly longEdge: number | null; readonly quality: number },
): Promise<ReworkedPhoto> {
  const head = new Uint8Array(await content.slice(0, headBytes).arrayBuffer());
  const stored = imageSizeOf(head);
  if (stored === null || stored.width * stored.height > decodedPixelsMax)
    throw new Error('not a picture to be drawn');
  const canvas = await drawUpright(content, longEdge);
  const drawn = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, 'image/jpeg', quality),
  );
  if (!drawn) throw new Error('not drawn');
  return { content: drawn, width: canvas.width, height: canvas.height };
}

const redrawnEnd = '.jpg';

/** The name of the redrawn file: a JPEG whatever it was before. */
export function reworkedName(fileName: string): string {
  const stem = fileName.replace(/\.(?:jpe?g|png|webp)$/i, '');
  return cutText(stem, fileNameMaxLength - redrawnEnd.length) + redrawnEnd;
}
