import createCodec from '@cornerstonejs/codec-libjpeg-turbo-8bit/wasmjs';
import type { Raster } from './raster.ts';

/** 4:2:0, as cameras store colours. */
const halfColours = 2;

let loading: ReturnType<typeof createCodec> | null = null;
const codec = () => (loading ??= createCodec());

/**
 * Decodes a JPEG as it is stored. What it throws leaves the codec's memory unknown: the thread ends.
 * @returns null if it is neither in grey nor in three colours
 */
export async function decodeJpeg<Result>(
  bytes: Uint8Array,
  use: (raster: Raster) => Result,
): Promise<Result | null> {
  const { JPEGDecoder } = await codec();
  const decoder = new JPEGDecoder();
  try {
    decoder.getEncodedBuffer(bytes.length).set(bytes);
    decoder.decode();
    const { width, height, componentCount: channels } = decoder.getFrameInfo();
    const pixels = decoder.getDecodedBuffer();
    const isKnown = channels === 1 || channels === 3;
    if (!isKnown || pixels.length !== width * height * channels) return null;
    // The pixels are the codec's own, until the next call.
    return use({ pixels, width, height, channels });
  } finally {
    decoder.delete();
  }
}

/**
 * Whether the decoder complains of a JPEG in grey or in three colours: of missing data, wrong codes,
 * or data that no pixel needs. It draws something for each of them.
 */
export async function hasJpegFault(bytes: Uint8Array): Promise<boolean> {
  try {
    await decodeJpeg(bytes, () => null);
    return false;
  } catch {
    // What it throws is a place in its memory, which another codec gets anew.
    loading = null;
    return true;
  }
}

/** @param quality in percent */
export async function encodeJpeg(
  { pixels, width, height, channels }: Raster,
  quality: number,
): Promise<Uint8Array> {
  const { JPEGEncoder } = await codec();
  const encoder = new JPEGEncoder();
  try {
    // The codec writes the file into as many bytes as the pixels take, without a check. It reads
    // one byte a sample, so this doubles the room: more than any file needs.
    const bitsPerSample = 16;
    const frame = { width, height, componentCount: channels, bitsPerSample, isSigned: false };
    encoder.getDecodedBuffer(frame).set(pixels);
    encoder.setQuality(quality);
    encoder.setProgressive(false);
    encoder.setSubSampling(halfColours);
    encoder.encode();
    return encoder.getEncodedBuffer().slice();
  } finally {
    encoder.delete();
  }
}
