import { typeByContent } from '#shared/lib/file-type.ts';
import { imageSizeOf } from '#shared/photos/photo-bytes.ts';
import { readWhole } from './desk-bytes.ts';
import { readHead } from './document-head.ts';
import { isPhoto, previewOf } from './files.ts';
import { createTaskQueue } from './tasks.ts';

const cachedMax = 400;
/**
 * How often a picture is tried each time that its document is viewed. A busy computer may take too
 * long once, and the engine may just restart.
 */
const attemptsMax = 3;

export interface ThumbnailSource {
  /** The id of a document, or of an attachment's content. Its content never changes. */
  readonly id: string;
  readonly url: string;
  readonly contentType: string;
}

/** Creates small pictures one after the other. @param draw never runs twice at the same time */
export function createThumbnails(draw: typeof drawThumbnail) {
  /** The pictures by id; null if none can be made. The oldest are removed first. */
  let cached = new Map<string, string | null>();
  const inTurn = createTaskQueue();

  function keep(id: string, picture: string | null): void {
    cached.set(id, picture);
    for (const oldest of cached.keys()) {
      if (cached.size <= cachedMax) return;
      cached.delete(oldest);
    }
  }

  /**
   * The picture as a data address; null if there is none. The caller aborts if it is no longer
   * needed.
   */
  async function make(source: ThumbnailSource, signal: AbortSignal): Promise<string | null> {
    const known = cached.get(source.id);
    if (known !== undefined) return known;
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const made = await inTurn(() => tryToMake(source, signal));
      if (made !== undefined) return made;
    }
    // The failure is not stored, so the picture is tried again when the document is next viewed.
    return null;
  }

  /** Returns undefined if the content may still allow a picture. */
  async function tryToMake(
    source: ThumbnailSource,
    signal: AbortSignal,
  ): Promise<string | null | undefined> {
    if (signal.aborted) return null;
    // The same picture may have waited twice.
    const made = cached.get(source.id);
    if (made !== undefined) return made;
    const cachedBefore = cached;
    try {
      const picture = await draw(source, signal);
      if (cached === cachedBefore) keep(source.id, picture);
      return picture;
    } catch {
      return undefined;
    }
  }

  /** Removes all pictures, because they belong to another workspace. */
  const forget = () => void (cached = new Map());

  return { make, forget };
}

/** The small pictures of the window, of documents and of files for a report. */
export const thumbnails = createThumbnails(drawThumbnail);

/** The longer side in pixels, which is twice the shown size, for dense screens. */
const thumbnailEdge = 112;
/** The limits of drawing a PDF's first page. A page that takes longer gets no small picture. */
const drawing = { longEdge: thumbnailEdge, timeoutMs: 15_000, firstPageOnly: true } as const;
/**
 * The most pixels that are decoded for a small picture, which take 200 MB. Only one picture is
 * decoded at a time.
 */
const decodedPixelsMax = 50_000_000;

/**
 * A small picture of a document as a data address; null if its content allows none.
 * @throws if the content was not returned, took too long, or the signal fired.
 */
export async function drawThumbnail(
  { url, contentType }: ThumbnailSource,
  signal: AbortSignal,
): Promise<string | null> {
  const preview = previewOf(contentType);
  if (preview === 'pdf') {
    const { drawPdfPage } = await import('./pdf/open-pdf.ts');
    const drawn = await drawPdfPage(url, 1, { ...drawing, signal });
    if (!('fault' in drawn)) return drawn.toDataURL('image/jpeg', 0.8);
    if (drawn.fault === 'too_slow') throw new Error('the page took too long');
    return null;
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
  // The content and its decoder are here, so a picture that cannot be drawn now never can.
  const canvas = await drawUpright(content, decodeByBrowser).catch(() => null);
  return canvas?.toDataURL('image/jpeg', 0.8) ?? null;
}

/**
 * Draws a picture upright, as it was taken (EXIF), and not larger than shown. Only the pixels are
 * used. The caller has checked the number of pixels.
 * @throws if the content is not a picture that can be drawn.
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
    // Without this, transparent parts would become black.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return canvas;
  } finally {
    bitmap.close();
  }
}
