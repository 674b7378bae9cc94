import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import createLibheif from 'libheif-js/libheif-wasm/libheif.js';
import { joinBytes } from '#shared/photos/bytes.ts';
import { decodeHeic, type HeicPixels } from '#shared/photos/decode-heic.ts';
import { displayP3ToSrgb } from '#shared/photos/display-p3.ts';
import { exifSegment } from '#shared/photos/exif.ts';
import { sentPhotos } from '#shared/photos/picture-kinds.ts';
import { readExif } from '#shared/photos/read-exif.ts';
import { encodeJpeg } from './jpeg-codec.ts';
import { averaged, type Raster } from './raster.ts';

/** A telephone has up to 50 million; four bytes each here, and as many in the decoder. */
const pixelsMax = 50_000_000;
/** As the window makes its own. */
const quality = 85;

let loading: ReturnType<typeof createLibheif> | null = null;

/** libheif as WebAssembly from a separate file, which can be replaced. */
function loadLibheif() {
  const { resolve } = createRequire(import.meta.url);
  const file = resolve('libheif-js/libheif-wasm/libheif.wasm');
  return createLibheif({ wasmBinary: readFileSync(file) });
}

/**
 * The JPEG that is sent of a HEIC if no window makes it ready: upright, in sRGB, as large as the
 * window sends photos if nothing else is chosen, and with the time of capture alone.
 * @throws {HeicError}
 */
export async function makeHeic(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ readonly jpeg: Uint8Array; readonly takenAt: string | null }> {
  const libheif = await (loading ??= loadLibheif());
  const raster = onWhite(await decodeHeic(libheif, bytes, pixelsMax));
  const jpeg = await encodeJpeg(fitted(raster), quality);
  const { takenAt } = readExif(bytes.buffer);
  const exif = exifSegment({ takenAt, place: null, device: null, orientation: 1 });
  const parts = [jpeg.subarray(0, 2), ...(exif ? [exif] : []), jpeg.subarray(2)];
  return { jpeg: joinBytes(parts), takenAt };
}

/** Red, green and blue, in the memory of the picture: what is transparent is white. */
function onWhite({ data, width, height, colours }: HeicPixels): Raster {
  if (colours === 'display-p3') displayP3ToSrgb(data, 4);
  const pixels = new Uint8Array(data.buffer, 0, width * height * 3);
  for (let from = 0, to = 0; from < data.length; from += 4) {
    const alpha = data[from + 3] ?? 255;
    for (let channel = 0; channel < 3; channel += 1, to += 1) {
      const value = data[from + channel] ?? 0;
      pixels[to] = alpha === 255 ? value : Math.round((value * alpha) / 255) + 255 - alpha;
    }
  }
  return { pixels, width, height, channels: 3 };
}

function fitted(raster: Raster): Raster {
  const { width, height } = raster;
  const scale = (sentPhotos.longEdge ?? Infinity) / Math.max(width, height);
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return scale < 1 ? averaged(raster, side(width), side(height)) : raster;
}
