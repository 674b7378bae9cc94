import { typeByContent } from '#shared/lib/file-signature.ts';
import { imageSizeOf } from '#shared/lib/image-size.ts';
import { readHead } from './document-head.ts';
import { drawUpright } from './draw-upright.ts';
import { previewOf } from './file-look.ts';
import type { ThumbnailSource } from './thumbnails.ts';

/** Longer side in pixels: twice what is shown, for dense screens. */
const thumbnailEdge = 112;
/** Pixels that are decoded for a small picture: 200 MB, and never two at once. */
const decodedPixelsMax = 50_000_000;

/**
 * A small picture of a document as a data address; null where its content allows none.
 * @throws where the content was not given, or the signal fired.
 */
export async function drawThumbnail(
  { url, contentType }: ThumbnailSource,
  signal: AbortSignal,
): Promise<string | null> {
  const preview = previewOf(contentType);
  if (preview === 'pdf') {
    const { drawFirstPage } = await import('./pdf-thumbnail.ts');
    return drawFirstPage(url, thumbnailEdge, signal);
  }
  return preview === 'image' ? drawPicture(url, signal) : null;
}

async function drawPicture(url: string, signal: AbortSignal): Promise<string | null> {
  const read = await readHead(url, signal);
  if ('problem' in read) throw new Error('the document was not given');
  const type = typeByContent(read.head);
  const size = imageSizeOf(read.head);
  if (type === null || size === null || size.width * size.height > decodedPixelsMax) return null;
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error('the document was not given');
  const content = new Blob([await response.arrayBuffer()], { type });
  // Its content is here: what cannot be drawn now never can.
  const canvas = await drawUpright(content, thumbnailEdge).catch(() => null);
  return canvas?.toDataURL('image/jpeg', 0.8) ?? null;
}
