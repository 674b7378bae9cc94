import { typeByContent } from '#shared/lib/file-type.ts';
import { imageSizeOf } from '#shared/photos/photo-bytes.ts';
import { readWhole } from './desk-bytes.ts';
import { readHead } from './document-head.ts';
import { isPhoto, previewOf } from './files.ts';
import { createTaskQueue } from './tasks.ts';

const cachedMax = 400;

export interface ThumbnailSource {
  /** Of a document, or of the content of an attachment: what it names never changes. */
  readonly id: string;
  readonly url: string;
  readonly contentType: string;
}

/** Small pictures, made one after the other. @param draw never runs twice at once */
export function createThumbnails(draw: typeof drawThumbnail) {
  /** By document; null if none can be made. The oldest go first. */
  let cached = new Map<string, string | null>();
  const inTurn = createTaskQueue();

  function keep(id: string, picture: string | null): void {
    cached.set(id, picture);
    for (const oldest of cached.keys()) {
      if (cached.size <= cachedMax) return;
      cached.delete(oldest);
    }
  }

  /** As a data address; null if it has no picture. A reader that no longer needs it aborts. */
  async function make(source: ThumbnailSource, signal: AbortSignal): Promise<string | null> {
    const known = cached.get(source.id);
    if (known !== undefined) return known;
    return inTurn(async () => {
      if (signal.aborted) return null;
      const cachedBefore = cached;
      try {
        const picture = await draw(source, signal);
        if (cached === cachedBefore) keep(source.id, picture);
        return picture;
      } catch {
        // Not stored: it is tried again when it is next looked at.
        return null;
      }
    });
  }

  /** Forgets all that were made, because what they show belongs to another workspace. */
  const forget = () => void (cached = new Map());

  return { make, forget };
}

/** The small pictures of the window, of documents and of files for a report. */
export const thumbnails = createThumbnails(drawThumbnail);

/** Longer side in pixels: twice what is shown, for dense screens. */
const thumbnailEdge = 112;
/** Of a PDF's first page; one that takes longer is not worth its small picture. */
const drawing = { longEdge: thumbnailEdge, timeoutMs: 8_000, firstPageOnly: true } as const;
/** Pixels that are decoded for a small picture: 200 MB, and never two at once. */
const decodedPixelsMax = 50_000_000;

/**
 * A small picture of a document as a data address; null if its content allows none.
 * @throws if the content was not given, or the signal fired.
 */
export async function drawThumbnail(
  { url, contentType }: ThumbnailSource,
  signal: AbortSignal,
): Promise<string | null> {
  const preview = previewOf(contentType);
  if (preview === 'pdf') {
    const { drawPdfPage } = await import('./open-pdf.ts');
    const drawn = await drawPdfPage(url, 1, { ...drawing, signal });
    return 'fault' in drawn ? null : drawn.toDataURL('image/jpeg', 0.8);
  }
  return isPhoto(contentType) ? drawPicture(url, signal) : null;
}

async function drawPicture(url: string, signal: AbortSignal): Promise<string | null> {
  const read = await readHead(url, signal);
  if ('problem' in read) throw new Error('the document was not given');
  const type = typeByContent(read.head);
  const size = imageSizeOf(read.head);
  if (type === null || size === null || size.width * size.height > decodedPixelsMax) return null;
  const content = await readWhole(url, { type, signal });
  const { decodeByBrowser } = await import('./photos/decode-by-browser.ts');
  // Its content is here, and what decodes it: what cannot be drawn now never can.
  const canvas = await drawUpright(content, decodeByBrowser).catch(() => null);
  return canvas?.toDataURL('image/jpeg', 0.8) ?? null;
}

/**
 * Draws a picture upright, as it was taken (EXIF), and no larger than is shown. Nothing but
 * the pixels comes along. The caller has checked how many pixels it claims.
 * @throws if the content is no picture that can be drawn.
 */
async function drawUpright(
  content: Blob,
  decode: (bytes: Uint8Array<ArrayBuffer>, type: string) => Promise<ImageBitmap>,
): Promise<HTMLCanvasElement> {
  const bitmap = await decode(new Uint8Array(await content.arrayBuffer()), content.type);
  try {
    const scale = Math.min(1, thumbnailEdge / Math.max(bitmap.width, bitmap.height));
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
