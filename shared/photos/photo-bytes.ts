import { areEqual, latin1 } from './bytes.ts';
import { strippedJpeg } from './strip-jpeg.ts';
import { strippedPng } from './strip-png.ts';
import { strippedWebp } from './strip-webp.ts';

/** A JPEG without a segment that stands right behind its beginning; else the same bytes. */
export function withoutSegment(bytes: Uint8Array, segment: Uint8Array | null): Uint8Array {
  const isThere = segment?.every((byte, index) => bytes[2 + index] === byte) === true;
  if (!isThere) return bytes;
  const rest = new Uint8Array(bytes.length - segment.length);
  rest.set(bytes.subarray(0, 2));
  rest.set(bytes.subarray(2 + segment.length), 2);
  return rest;
}

/**
 * Whether a JPEG, PNG or WebP contains more than its picture: EXIF, XMP, comments, a small copy of
 * itself, or bytes behind its end. What cannot be stripped counts as more.
 * @returns false for other formats
 */
export function hasMetadata(bytes: Uint8Array): boolean {
  if (bytes.length < 12) return false;
  const strip = strippers.find(({ start }) => latin1(bytes, 0, start.length) === start)?.strip;
  if (!strip) return false;
  const stripped = strip(bytes, null);
  return stripped === null || !areEqual(stripped, bytes);
}

const strippers = [
  { start: '\xff\xd8', strip: strippedJpeg },
  { start: '\x89PNG', strip: strippedPng },
  { start: 'RIFF', strip: strippedWebp },
] as const;

/** PNG specification, 5.3: length, name, data, checksum. */
function pngChunks(bytes: Uint8Array, view: DataView): string[] {
  const names: string[] = [];
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at))
    names.push(latin1(bytes, at + 4, 4));
  return names;
}

/** The segments of a JPEG up to its scan (ITU T.81, B.1.1), with places from their FF on. */
function jpegParts(view: DataView) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const segments: { readonly marker: number; readonly at: number }[] = [];
  let at = 2;
  while (at + 4 <= view.byteLength) {
    const marker = bytes[at] === 0xff ? view.getUint8(at + 1) : 0;
    // Decoders skip what stands between two segments.
    if (marker === 0) {
      const next = bytes.indexOf(0xff, at + 1);
      at = next < 0 ? bytes.length : next;
      continue;
    }
    if (marker === 0xda) break;
    segments.push({ marker, at });
    const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    // FF FF: a byte to fill up with.
    at += marker === 0xff ? 1 : isBare ? 2 : 2 + view.getUint16(at + 2);
  }
  return { segments, scanAt: at };
}

/**
 * ITU T.81, B.1.1: FF D9 ends the image, and stands nowhere else behind the start of its scan.
 * Cameras write more files behind it.
 * @returns the place behind it; null if it is missing
 */
function jpegEnd(bytes: Uint8Array, scanAt: number): number | null {
  for (let at = bytes.indexOf(0xff, scanAt); at >= 0; at = bytes.indexOf(0xff, at + 1))
    if (bytes[at + 1] === 0xd9) return at + 2;
  return null;
}

/**
 * Whether the end of a picture is missing: a browser draws what is there and reports nothing.
 * @returns false for formats other than JPEG, PNG and WebP
 */
export function isCutOff(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12) return true;
  if (view.getUint16(0) === 0xffd8) return jpegEnd(bytes, jpegParts(view).scanAt) === null;
  if (view.getUint32(0) === 0x89504e47) return !pngChunks(bytes, view).includes('IEND');
  // RFC 9649, 2.3: the size of everything behind it.
  if (view.getUint32(0) === 0x52494646) return view.getUint32(4, true) + 8 > bytes.length;
  return false;
}

/** Size of a picture in pixels as it is stored, before any turning by EXIF. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads a picture's size out of the beginning of its bytes, without decoding anything: a file of a
 * few KB can claim 30,000 x 30,000 pixels, which would take 3.6 GB.
 * @param head the first bytes; of a JPEG, metadata may stand before the size
 * @returns null if the bytes are no JPEG, PNG or WebP, or end too early
 */
export function imageSizeOf(head: Uint8Array): ImageSize | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const size = pngSize(view) ?? jpegSize(view) ?? webpSize(view);
  if (size === null) return null;
  const { width, height } = size;
  return width > 0 && height > 0 ? { width, height } : null;
}

/** PNG specification, 11.2.2: IHDR is the first chunk. */
function pngSize(view: DataView): ImageSize | null {
  if (view.byteLength < 24 || view.getUint32(0) !== 0x89504e47) return null;
  if (view.getUint32(12) !== 0x49484452) return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** What the header of a JPEG's frame says. */
interface JpegFrame extends ImageSize {
  /** Its second byte. */
  readonly marker: number;
  /** 1 is grey, 3 are colours, and 4 are inks. */
  readonly components: number;
}

/** @returns null if it is no JPEG, or its frame is not in these bytes */
export const jpegFrame = (bytes: Uint8Array): JpegFrame | null =>
  jpegSize(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));

/** Baseline, extended and progressive, by Huffman's codes (ITU T.81, table B.1). */
const drawn: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);

/** Whether a JPEG is of a kind that browsers draw: not arithmetic, and not lossless. */
export const isDrawnJpeg = (bytes: Uint8Array): boolean => drawn.has(jpegFrame(bytes)?.marker ?? 0);

/** ITU T.81, B.2.2: the size stands in the frame header; other segments may come before it. */
function jpegSize(view: DataView): JpegFrame | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  const frame = jpegParts(view).segments.find(
    ({ marker }) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker),
  );
  if (!frame || frame.at + 9 > view.byteLength) return null;
  const { marker, at } = frame;
  return {
    width: view.getUint16(at + 7),
    height: view.getUint16(at + 5),
    marker,
    components: at + 9 < view.byteLength ? view.getUint8(at + 9) : 0,
  };
}

/** RFC 9649, 2.5 to 2.7. */
function webpSize(view: DataView): ImageSize | null {
  if (view.byteLength < 30 || view.getUint32(0) !== 0x52494646) return null;
  if (view.getUint32(8) !== 0x57454250) return null;
  switch (view.getUint32(12)) {
    case 0x56503820: // 'VP8 '
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case 0x5650384c: {
      // 'VP8L': 14 bits each, less one
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: {
      // 'VP8X': 24 bits each, less one
      const three = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
      return { width: three(24) + 1, height: three(27) + 1 };
    }
    default:
      return null;
  }
}
