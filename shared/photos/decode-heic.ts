import type createLibheif from 'libheif-js/libheif-wasm/libheif.js';
import { type ColourSpace, heicProperties } from './heic-properties.ts';

type Libheif = Awaited<ReturnType<typeof createLibheif>>;

/** A picture's pixels, upright, in red, green, blue and opacity. */
export interface HeicPixels {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
  readonly colours: ColourSpace;
}

export class HeicError extends Error {
  readonly fault: 'too_large' | 'unreadable';

  constructor(fault: HeicError['fault']) {
    super(fault);
    this.fault = fault;
    this.name = 'HeicError';
  }
}

/**
 * Decodes the picture that a HEIC names as its own; others are of the same scene, or parts of it.
 * @param pixelsMax compared before anything is decoded
 * @throws {HeicError}
 */
export async function decodeHeic(
  { HeifDecoder }: Libheif,
  bytes: Uint8Array,
  pixelsMax: number,
): Promise<HeicPixels> {
  const { pixels, colours } = heicProperties(bytes);
  if (pixels > pixelsMax) throw new HeicError('too_large');
  const images = new HeifDecoder().decode(bytes);
  const image = images.find((one) => one.is_primary()) ?? images[0];
  for (const other of images) if (other !== image) other.free();
  if (!image) throw new HeicError('unreadable');
  try {
    const [width, height] = [image.get_width(), image.get_height()];
    if (!(width > 0 && height > 0)) throw new HeicError('unreadable');
    if (width * height > pixelsMax) throw new HeicError('too_large');
    const data = new Uint8ClampedArray(width * height * 4);
    await new Promise<void>((resolve, reject) => {
      image.display({ data, width, height }, (shown) => {
        if (shown) resolve();
        else reject(new HeicError('unreadable'));
      });
    });
    return { data, width, height, colours };
  } finally {
    image.free();
  }
}
