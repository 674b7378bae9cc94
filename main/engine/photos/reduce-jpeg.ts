import createCodec from '@cornerstonejs/codec-libjpeg-turbo-8bit/wasmjs';
import { joinBytes } from '#shared/photos/bytes.ts';
import { imageSizeOf, isCutOff } from '#shared/photos/photo-bytes.ts';
import { readExif } from '#shared/photos/read-exif.ts';
import { colourProfileOf } from '#shared/photos/strip-jpeg.ts';
import type { PictureBox } from './picture-reducer.ts';
import { averaged, type Raster, upright } from './raster.ts';

/** Three bytes each: a telephone has up to 50 million. */
const pixelsMax = 50_000_000;
/** A smaller one is small enough, and the room that the codec has for its file may be too. */
const sideMin = 64;
/** A picture that is hardly larger than its box loses more than it saves. */
const worthIt = 1.15;
const quality = 84;
/** 4:2:0, as cameras store colours. */
const halfColours = 2;

/**
 * A JPEG the right way up, with no more pixels than the box needs, and with its colour profile.
 * @returns null if it stays: it fits and is upright, or is no whole JPEG in grey or RGB
 */
export async function reduceJpeg(
  bytes: Uint8Array<ArrayBuffer>,
  box: PictureBox,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const size = bytes[0] === 0xff && !isCutOff(bytes) ? imageSizeOf(bytes) : null;
  if (!size || size.width * size.height > pixelsMax) return null;
  const { orientation } = readExif(bytes.buffer);
  const isTurned = orientation > 4;
  const [across, down] = isTurned ? [box.height, box.width] : [box.width, box.height];
  const scale = Math.min(across / size.width, down / size.height);
  const isFitting = scale * worthIt >= 1;
  if (isFitting && orientation === 1) return null;
  const raster = await decode(bytes, isFitting ? 1 : scale);
  if (!raster || Math.min(raster.width, raster.height) < sideMin) return null;
  const encoded = await encode(upright(raster, orientation));
  const reduced = joinBytes([
    encoded.subarray(0, 2),
    ...colourProfileOf(bytes),
    encoded.subarray(2),
  ]);
  return orientation === 1 && reduced.length >= bytes.length ? null : reduced;
}

let loading: ReturnType<typeof createCodec> | null = null;
const codec = () => (loading ??= createCodec());

async function decode(bytes: Uint8Array, scale: number): Promise<Raster | null> {
  const { JPEGDecoder } = await codec();
  const decoder = new JPEGDecoder();
  try {
    decoder.getEncodedBuffer(bytes.length).set(bytes);
    decoder.decode();
    const { width, height, componentCount: channels } = decoder.getFrameInfo();
    const pixels = decoder.getDecodedBuffer();
    const isKnown = channels === 1 || channels === 3;
    if (!isKnown || pixels.length !== width * height * channels) return null;
    const side = (length: number) => Math.max(1, Math.round(length * scale));
    return averaged({ pixels, width, height, channels }, side(width), side(height));
  } finally {
    decoder.delete();
  }
}

async function encode({ pixels, width, height, channels }: Raster): Promise<Uint8Array> {
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
