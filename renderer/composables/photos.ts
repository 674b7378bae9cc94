import { fileNameMaxLength } from '#shared/api/limits.ts';
import { imageSizeOf } from '#shared/lib/image-size.ts';
import { headBytes } from './document-head.ts';
import { cutText } from './name-template.ts';

/**
 * Draws a picture upright, as the camera was held (EXIF), and no larger than asked. Nothing but
 * the pixels comes along. Whoever calls has looked at how many pixels it claims.
 * @param longEdge longer side in pixels at most; null keeps the size
 * @throws where the content is no picture that can be drawn.
 */
export async function drawUpright(
  content: Blob,
  longEdge: number | null,
): Promise<HTMLCanvasElement> {
  const bitmap = await createImageBitmap(content, { imageOrientation: 'from-image' });
  try {
    const scale = Math.min(1, (longEdge ?? Infinity) / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    const context = canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('no canvas');
    // What is transparent would come out black.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return canvas;
  } finally {
    bitmap.close();
  }
}

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
