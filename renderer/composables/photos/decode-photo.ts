import type createLibheif from 'libheif-js/libheif-wasm/libheif.js';
import wasmUrl from 'libheif-js/libheif-wasm/libheif.wasm?url';
import { typeByContent } from '#shared/lib/file-type.ts';
import { areEqual, joinBytes } from '#shared/photos/bytes.ts';
import { imageSizeOf, isCutOff } from '#shared/photos/photo-bytes.ts';
import { TiffError } from '#shared/photos/tiff.ts';
import { decodeByBrowser } from './decode-by-browser.ts';
import { decodeTiff } from './decode-tiff.ts';
import { PhotoError } from './photo-tasks.ts';
import { assertPixels, type DecodedPhoto, pixelsMax } from './upright.ts';

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
  if (!type?.startsWith('image/')) throw new PhotoError('not_a_picture');
  try {
    return { picture: await decodeByBrowser(await completed(bytes), type), pages: 1 };
  } catch (cause) {
    throw cause instanceof PhotoError ? cause : new PhotoError('unreadable', { cause });
  }
}

/** With an end mark if the file has none. A whole picture may lack these two bytes alone. */
async function completed(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (!isCutOff(bytes)) return bytes;
  const size = bytes[0] === 0xff ? imageSizeOf(bytes) : null;
  // Two of them are decoded at once.
  if (size === null || size.width * size.height > pixelsMax / 2) throw new PhotoError('cut_off');
  const ended = joinBytes([bytes, endOfJpeg]);
  // Where pixels are missing, a decoder takes what follows for them.
  if (!(await lookAlike(ended, joinBytes([bytes, filling, endOfJpeg]))))
    throw new PhotoError('cut_off');
  return ended;
}

const endOfJpeg = Uint8Array.of(0xff, 0xd9);
const filling = new Uint8Array(4096).map((_, index) => (index * 37) % 0xfb);
/** Rows that are compared at once. */
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

/** The picture that the file names as its own; others are of the same scene, or parts of it. */
async function decodeHeic(bytes: Uint8Array): Promise<DecodedPhoto> {
  const { HeifDecoder } = await (loading ??= loadLibheif());
  const images = new HeifDecoder().decode(bytes);
  const image = images.find((one) => one.is_primary()) ?? images[0];
  for (const other of images) if (other !== image) other.free();
  if (!image) throw new PhotoError('unreadable');
  const [width, height] = [image.get_width(), image.get_height()];
  assertPixels(width, height);
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
