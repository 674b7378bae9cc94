import { bytesOf, joinBytes, latin1 } from './bytes.ts';
import { hasOnlyRows, isOneProfile } from './png-rows.ts';

/** What makes the picture: pixels, colours and their profile, transparency, density. */
const pngPicture: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'cHRM',
  'gAMA',
  'iCCP',
  'sBIT',
  'sRGB',
  'cICP',
  'bKGD',
  'pHYs',
]);

/**
 * A PNG with the chunks of its picture alone (PNG specification, 5.3: length, name, data, checksum),
 * and nothing behind its end.
 * @param exif stands in place of the file's own
 * @returns null if its chunks lead out of the file, have no name (5.3) or are not what their
 *   checksums say, it is animated, or its pixels or its profile may have something else with them
 */
export function strippedPng(
  bytes: Uint8Array,
  exif: Uint8Array | null,
): Uint8Array<ArrayBuffer> | null {
  const parts = pictureParts(bytes, exif);
  return parts && isPlain(parts) ? joinBytes(parts) : null;
}

/**
 * The same to be drawn, whatever is with its pixels.
 * @returns null if its chunks lead out of the file or have no name, or it is animated
 */
export function drawnPng(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const parts = pictureParts(bytes, null);
  return parts && joinBytes(parts);
}

/** The start of the file, and the chunks of its picture. */
function pictureParts(bytes: Uint8Array, exif: Uint8Array | null): Uint8Array[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length;) {
    const name = latin1(bytes, at + 4, 4);
    const end = at + 12 + view.getUint32(at);
    if (end > bytes.length || name === 'acTL' || !/^[A-Za-z]{4}$/.test(name)) return null;
    // Before the pixels, as readers expect it.
    if (name === 'IDAT' && exif && !parts.some(isExif)) parts.push(chunk('eXIf', exif));
    if (pngPicture.has(name)) parts.push(bytes.subarray(at, end));
    if (name === 'IEND') return parts;
    at = end;
  }
  return null;
}

function isPlain(parts: readonly Uint8Array[]): boolean {
  const contents = (name: string) =>
    joinBytes(parts.filter((part) => nameOf(part) === name).map((part) => part.subarray(8, -4)));
  const profile = contents('iCCP');
  return (
    parts.slice(1).every(hasChecksum) &&
    hasOnlyRows(contents('IHDR'), contents('IDAT')) &&
    (profile.length === 0 || isOneProfile(profile))
  );
}

function hasChecksum(chunk: Uint8Array): boolean {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return view.getUint32(chunk.length - 4) === crc32(chunk.subarray(4, -4));
}

const nameOf = (chunk: Uint8Array) => latin1(chunk, 4, 4);
const isExif = (part: Uint8Array) => nameOf(part) === 'eXIf';

function chunk(name: string, data: Uint8Array): Uint8Array {
  const frame = joinBytes([new Uint8Array(4), bytesOf(name), data, new Uint8Array(4)]);
  const view = new DataView(frame.buffer);
  view.setUint32(0, data.length);
  view.setUint32(frame.length - 4, crc32(frame.subarray(4, -4)));
  return frame;
}

/** PNG specification, annex D: what a byte adds. */
const crcOfByte = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcOfByte[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}
