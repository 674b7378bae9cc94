import type createLibheif from 'libheif-js/libheif-wasm/libheif.js';
import wasmUrl from 'libheif-js/libheif-wasm/libheif.wasm?url';
import { typeByContent } from '#shared/lib/file-type.ts';
import { imageSizeOf, isCutOff } from '#shared/photos/photo-bytes.ts';
import { tiffFile } from '#shared/photos/tiff-file.ts';
import { TiffError, tiffPages } from '#shared/photos/tiff.ts';
import { PhotoError } from './photo-tasks.ts';

/** A photo's pixels, upright, as it was taken. */
export interface DecodedPhoto {
  readonly picture: ImageBitmap;
  /** Pages of the file; a photo has one. */
  readonly pages: number;
}

/** Pixels that are decoded at once: 400 MB while one photo is worked on. */
const pixelsMax = 100_000_000;

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
    if (cause instanceof TiffError) throw new PhotoError(cause.fault, { cause });
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
  // Of all pages, so that nothing of the file is stored if a later one is missing.
  const pages = tiffPages(bytes);
  const wanted = pages[page];
  if (!wanted) throw new PhotoError('unreadable');
  assertSize(wanted.width, wanted.height);
  const { decode, decodeImage, toRGBA8 } = await import('utif2');
  const file = tiffFile([wanted]).buffer;
  const [only] = decode(file);
  if (!only) throw new PhotoError('unreadable');
  decodeImage(file, only);
  const pixels = new ImageData(new Uint8ClampedArray(toRGBA8(only)), only.width, only.height);
  return {
    picture: await upright(await createImageBitmap(pixels), wanted.orientation),
    pages: pages.length,
  };
}

/** What EXIF's orientations 2 to 8 do to the axes: a canvas' transform, in parts of the size. */
const turns: Readonly<Record<number, readonly [number, number, number, number, number, number]>> = {
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, 1, 1, 0, 0, 0],
  6: [0, 1, -1, 0, 1, 0],
  7: [0, -1, -1, 0, 1, 1],
  8: [0, -1, 1, 0, 0, 1],
};

async function upright(picture: ImageBitmap, orientation: number): Promise<ImageBitmap> {
  const turn = turns[orientation];
  if (!turn) return picture;
  const [width, height] =
    orientation >= 5 ? [picture.height, picture.width] : [picture.width, picture.height];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new PhotoError('unreadable');
  const [a, b, c, d, right, down] = turn;
  context.setTransform(a, b, c, d, right * width, down * height);
  context.drawImage(picture, 0, 0);
  picture.close();
  return await createImageBitmap(canvas);
}
