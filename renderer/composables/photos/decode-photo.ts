import type createLibheif from 'libheif-js/libheif-wasm/libheif.js';
import wasmUrl from 'libheif-js/libheif-wasm/libheif.wasm?url';
import { typeByContent } from '#shared/lib/file-type.ts';
import { imageSizeOf, isCutOff } from '#shared/photos/photo-bytes.ts';
import { PhotoError } from './photo-tasks.ts';

/** A photo's pixels, upright, as it was taken. */
export interface DecodedPhoto {
  readonly picture: ImageBitmap;
  /** Pages of the file; a photo has one. */
  readonly pages: number;
}

/** Pixels that are decoded at once: 400 MB while one photo is worked on. */
const pixelsMax = 100_000_000;
/** A document with more pages is no photo. */
const pagesMax = 100;

/**
 * Decodes a JPEG, PNG, WebP, HEIC or TIFF. Runs in a worker.
 * @throws {PhotoError}
 */
export async function decodePhoto(content: Blob, page: number): Promise<DecodedPhoto> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  const type = typeByContent(bytes.subarray(0, 64 * 1024));
  try {
    if (type === 'image/heic') return await decodeHeic(bytes);
    if (type === 'image/tiff') return await decodeTiff(bytes, page);
  } catch (cause) {
    throw cause instanceof PhotoError ? cause : new PhotoError('unreadable', { cause });
  }
  const size = imageSizeOf(bytes);
  if (!type?.startsWith('image/')) throw new PhotoError('not_a_picture');
  if (isCutOff(bytes)) throw new PhotoError('cut_off');
  if (size === null) throw new PhotoError('unreadable');
  assertSize(size.width, size.height);
  try {
    const picture = await createImageBitmap(new Blob([bytes], { type }), {
      imageOrientation: 'from-image',
    });
    return { picture, pages: 1 };
  } catch (cause) {
    throw new PhotoError('unreadable', { cause });
  }
}

function assertSize(width: number, height: number): void {
  if (!(width > 0 && height > 0)) throw new PhotoError('unreadable');
  if (width * height > pixelsMax) throw new PhotoError('too_large');
}

let loading: Promise<ReturnType<typeof createLibheif>> | null = null;

/** libheif as WebAssembly from a separate file, which can be replaced. */
async function loadLibheif() {
  const [{ default: create }, response] = await Promise.all([
    import('libheif-js/libheif-wasm/libheif.js'),
    fetch(wasmUrl),
  ]);
  if (!response.ok) throw new Error('the decoder was not given');
  return create({ wasmBinary: await response.arrayBuffer() });
}

/** The first picture of the file. */
async function decodeHeic(bytes: Uint8Array): Promise<DecodedPhoto> {
  const { HeifDecoder } = await (loading ??= loadLibheif());
  const [image] = new HeifDecoder().decode(bytes);
  if (!image) throw new PhotoError('unreadable');
  const [width, height] = [image.get_width(), image.get_height()];
  assertSize(width, height);
  const pixels = new ImageData(width, height);
  await new Promise<void>((resolve, reject) => {
    image.display(pixels, (shown) => {
      if (shown) resolve();
      else reject(new PhotoError('unreadable'));
    });
  });
  image.free();
  return { picture: await createImageBitmap(pixels), pages: 1 };
}

async function decodeTiff(bytes: Uint8Array<ArrayBuffer>, page: number): Promise<DecodedPhoto> {
  // Of the whole file, so that nothing of it is stored if a later page is missing.
  if (isCutOff(bytes)) throw new PhotoError('cut_off');
  const { decode, decodeImage, toRGBA8 } = await import('utif2');
  const pages = decode(bytes.buffer);
  if (pages.length > pagesMax) throw new PhotoError('too_many_pages');
  const wanted = pages[page];
  if (!wanted) throw new PhotoError('unreadable');
  // Tags 256 and 257 are the width and the height (TIFF 6.0, section 3).
  const [width, height] = [wanted['t256'], wanted['t257']].map((tag) =>
    Array.isArray(tag) ? Number(tag[0]) : 0,
  );
  assertSize(width ?? 0, height ?? 0);
  decodeImage(bytes.buffer, wanted);
  const pixels = new ImageData(new Uint8ClampedArray(toRGBA8(wanted)), wanted.width, wanted.height);
  return { picture: await createImageBitmap(pixels), pages: pages.length };
}
