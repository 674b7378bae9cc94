import createLibheif from 'libheif-js/libheif-wasm/libheif.js';
import wasmUrl from 'libheif-js/libheif-wasm/libheif.wasm?url';
import { PhotoError } from './photo-error.ts';

let loading: Promise<ReturnType<typeof createLibheif>> | null = null;

/** libheif as WebAssembly from a file of its own, which can be replaced. */
async function loadLibheif() {
  const response = await fetch(wasmUrl);
  if (!response.ok) throw new Error('the decoder was not given');
  return createLibheif({ wasmBinary: await response.arrayBuffer() });
}

/**
 * The pixels of the first picture of a HEIC file, upright.
 * @param assertSize throws if they are too many
 */
export async function decodeHeicPixels(
  bytes: Uint8Array,
  assertSize: (width: number, height: number) => void,
): Promise<ImageData> {
  loading ??= loadLibheif();
  const { HeifDecoder } = await loading;
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
  return pixels;
}
