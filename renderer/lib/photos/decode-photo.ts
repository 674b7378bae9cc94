import wasmUrl from 'libheif-js/libheif-wasm/libheif.wasm?url';
import { typeByContent } from '#shared/lib/file-type.ts';
import { areEqual, joinBytes } from '#shared/photos/bytes.ts';
import { decodeHeic, HeicError } from '#shared/photos/decode-heic.ts';
import { heicProperties } from '#shared/photos/heic-properties.ts';
import { imageSizeOf, isCutOff } from '#shared/photos/photo-bytes.ts';
import { isPictureType } from '#shared/photos/picture-kinds.ts';
import { TiffError, tiffPages } from '#shared/photos/tiff.ts';
import { decodeByBrowser } from './decode-by-browser.ts';
import { decodeTiff } from './decode-tiff.ts';
import { PhotoError } from './photo-tasks.ts';
import { pixelsMax } from './upright.ts';

/** A file that was read once, whose pages are decoded one at a time. */
export interface OpenedPhoto {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The number of pages. A photo has one page. */
  readonly pages: number;
  /** Returns the number of a page's pixels by the file's own words, or 0 if it does not say it. */
  readonly pixelsOf: (page: number) => number;
  /**
   * Decodes a page upright, as it was taken.
   * @throws {PhotoError}
   */
  readonly decode: (page: number) => Promise<ImageBitmap>;
}

/**
 * Opens a JPEG, PNG, WebP, HEIC or TIFF. Runs in a worker.
 * @throws {PhotoError}
 */
export async function openPhoto(content: Blob): Promise<OpenedPhoto> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  const type = typeByContent(bytes.subarray(0, 64 * 1024));
  if (type === null || !isPictureType(type)) throw new PhotoError('not_a_picture');
  if (type === 'image/tiff') {
    const pages = await withReason(() => tiffPages(bytes));
    const decode = (page: number) => withReason(() => decodeTiff(pages[page], bytes));
    const pixelsOf = (page: number) => areaOf(pages[page] ?? null);
    return { bytes, pages: pages.length, pixelsOf, decode };
  }
  const read = async () =>
    type === 'image/heic'
      ? await pictureOfHeic(bytes)
      : await decodeByBrowser(await completed(bytes), type);
  const pixels = type === 'image/heic' ? heicProperties(bytes).pixels : areaOf(imageSizeOf(bytes));
  return { bytes, pages: 1, pixelsOf: () => pixels, decode: () => withReason(read) };
}

const areaOf = (size: { width: number; height: number } | null) =>
  size === null ? 0 : size.width * size.height;

async function withReason<Result>(read: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof TiffError || cause instanceof HeicError)
      throw new PhotoError(cause.fault, { cause });
    throw cause instanceof PhotoError ? cause : new PhotoError('unreadable', { cause });
  }
}

/**
 * Returns the bytes with an end mark if the file has none. These two bytes may be all that a
 * complete picture lacks.
 */
async function completed(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (!isCutOff(bytes)) return bytes;
  const size = bytes[0] === 0xff ? imageSizeOf(bytes) : null;
  // The check decodes two pictures at once, so each may have half of the pixels.
  if (size === null || size.width * size.height > pixelsMax / 2) throw new PhotoError('cut_off');
  const ended = joinBytes([bytes, endOfJpeg]);
  // If pixels are missing, a decoder reads the bytes that follow as pixels, so the two pictures
  // differ.
  if (!(await lookAlike(ended, joinBytes([bytes, filling, endOfJpeg]))))
    throw new PhotoError('cut_off');
  return ended;
}

const endOfJpeg = Uint8Array.of(0xff, 0xd9);
const filling = new Uint8Array(4096).map((_, index) => (index * 37) % 0xfb);
/** The number of rows that are compared at once. */
const bandRows = 256;

async function lookAlike(
  one: Uint8Array<ArrayBuffer>,
  other: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const pictures: ImageBitmap[] = [];
  try {
    for (const jpeg of [one, other]) pictures.push(await decodeByBrowser(jpeg, 'image/jpeg'));
    const { width = 0, height = 0 } = pictures[0] ?? {};
    for (let top = 0; top < height; top += bandRows) {
      const [first = [], second = []] = pictures.map((picture) => bandOf(picture, width, top));
      if (!areEqual(first, second)) return false;
    }
    return true;
  } finally {
    for (const picture of pictures) picture.close();
  }
}

function bandOf(picture: ImageBitmap, width: number, top: number): Uint8ClampedArray {
  const context = new OffscreenCanvas(width, bandRows).getContext('2d', { alpha: false });
  if (!context) throw new PhotoError('unreadable');
  context.drawImage(picture, 0, -top);
  return context.getImageData(0, 0, width, bandRows).data;
}

let loading: ReturnType<typeof loadLibheif> | null = null;

/** Loads libheif as WebAssembly from a separate file, which can be replaced. */
async function loadLibheif() {
  const [{ default: create }, response] = await Promise.all([
    import('libheif-js/libheif-wasm/libheif.js'),
    fetch(wasmUrl),
  ]);
  if (!response.ok) throw new Error('the decoder was not given');
  return create({ wasmBinary: await response.arrayBuffer() });
}

/** Decodes a HEIC. The numbers of its pixels are in the colour space that the file names. */
async function pictureOfHeic(bytes: Uint8Array): Promise<ImageBitmap> {
  const libheif = await (loading ??= loadLibheif());
  const { data, width, height, colours } = await decodeHeic(libheif, bytes, pixelsMax);
  const pixels = new ImageData(data, width, height, { colorSpace: colours });
  return await createImageBitmap(pixels);
}
