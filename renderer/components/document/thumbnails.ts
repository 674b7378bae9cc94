import { readHead } from '../../composables/document-head.ts';
import { previewOf } from '../../composables/file-look.ts';
import { typeByContent } from '#shared/lib/file-type.ts';
import { imageSizeOf } from '#shared/lib/image-size.ts';

/** Longer side in pixels: twice what is shown, for dense screens. */
const thumbnailEdge = 112;
/** Pixels that are decoded for a small picture: 200 MB, and never two at once. */
const decodedPixelsMax = 50_000_000;
const keptMax = 400;

export interface ThumbnailSource {
  /** Of a document or an attachment, whose content never changes. */
  readonly id: string;
  readonly url: string;
  readonly contentType: string;
}

/** Small pictures by document; null where none can be made. The oldest go first. */
const kept = new Map<string, string | null>();
let last: Promise<unknown> = Promise.resolve();

/**
 * A small picture of a document as a data address, made one after the other; null where there is
 * none to be made. Nobody waits for it: a reader that is gone aborts.
 */
export function makeThumbnail(
  source: ThumbnailSource,
  signal: AbortSignal,
): Promise<string | null> {
  const known = kept.get(source.id);
  if (known !== undefined) return Promise.resolve(known);
  const made = last.then(async () => {
    if (signal.aborted) return null;
    try {
      const picture = await draw(source, signal);
      keep(source.id, picture);
      return picture;
    } catch (error) {
      // One that was given up is tried again when it is next looked at.
      if (!isAbort(error)) keep(source.id, null);
      return null;
    }
  });
  last = made;
  return made;
}

const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError';

function keep(id: string, picture: string | null): void {
  kept.delete(id);
  kept.set(id, picture);
  for (const oldest of kept.keys()) {
    if (kept.size <= keptMax) return;
    kept.delete(oldest);
  }
}

async function draw(source: ThumbnailSource, signal: AbortSignal): Promise<string | null> {
  const preview = previewOf(source.contentType);
  if (preview === 'pdf') {
    const { drawFirstPage } = await import('./pdf-thumbnail.ts');
    return drawFirstPage(source.url, thumbnailEdge, signal);
  }
  return preview === 'image' ? drawPicture(source.url, signal) : null;
}

async function drawPicture(url: string, signal: AbortSignal): Promise<string | null> {
  const read = await readHead(url, signal);
  if (!('head' in read)) return null;
  const type = typeByContent(read.head);
  const size = imageSizeOf(read.head);
  if (type === null || size === null || size.width * size.height > decodedPixelsMax) return null;
  const scale = Math.min(1, thumbnailEdge / Math.max(size.width, size.height));
  const content = await (await fetch(url, { signal })).arrayBuffer();
  // Turned as EXIF says, so what is stored as the width may come out as the height.
  const bitmap = await createImageBitmap(new Blob([content], { type }), {
    imageOrientation: 'from-image',
  });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.toDataURL('image/jpeg', 0.8);
}
