import { joinBytes, latin1 } from './bytes.ts';

const soi = 0xd8;
const eoi = 0xd9;
const sos = 0xda;
/** SOI and RST0 to RST7 have no length (ITU T.81, table B.1), and TEM. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/**
 * A JPEG with its frames, tables and scans alone, and its colour profile (ITU T.81, B.1.1.3). Its
 * pixels are not decoded. A missing end is not added.
 * @param exif stands in place of the file's own
 * @returns null if its segments lead out of the file, or no picture comes
 */
export function strippedJpeg(bytes: Uint8Array, exif: Uint8Array | null): Uint8Array | null {
  const parts = partsOf(bytes, sos);
  return parts && joinBytes([bytes.subarray(0, 2), ...(exif ? [exif] : []), ...parts]);
}

/** The tables that all strips of a TIFF share: a JPEG without a picture (TIFF, Technical Note 2). */
export function strippedTables(bytes: Uint8Array): Uint8Array | null {
  const parts = partsOf(bytes, null);
  return parts && joinBytes([bytes.subarray(0, 2), ...parts]);
}

/** The segments with the colour profile; none if it has none, or its segments lead out of the file. */
export function colourProfileOf(bytes: Uint8Array): Uint8Array[] {
  return (partsOf(bytes, null) ?? []).filter((part) => part[1] === 0xe2);
}

/** What stays of the segments behind the beginning. @param needed a marker that must be among them */
function partsOf(bytes: Uint8Array, needed: number | null): Uint8Array[] | null {
  if (bytes[0] !== 0xff || bytes[1] !== soi) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let isFound = needed === null;
  let at = 2;
  while (at + 1 < bytes.length) {
    const marker = bytes[at] === 0xff ? view.getUint8(at + 1) : 0;
    // Decoders skip what stands between two segments.
    if (marker === 0) {
      const next = bytes.indexOf(0xff, at + 1);
      at = next < 0 ? bytes.length : next;
      continue;
    }
    if (marker === eoi) {
      parts.push(bytes.subarray(at, at + 2));
      break;
    }
    // FF FF: a byte to fill up with.
    if (marker === 0xff || isBare(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (at + 4 > bytes.length) return null;
    const end = at + 2 + view.getUint16(at + 2);
    if (end > bytes.length || end < at + 4) return null;
    const next = marker === sos ? scanEnd(bytes, end) : end;
    const part = neededPart(bytes.subarray(at, next), marker);
    if (part) parts.push(part);
    isFound ||= marker === needed;
    at = next;
  }
  return isFound ? parts : null;
}

/** The pixels behind the header of a scan: FF 00 and restarts belong to them (ITU T.81, B.1.1.5). */
function scanEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    const isOfScan =
      next === 0 || next === 0xff || (next !== undefined && next >= 0xd0 && next <= 0xd7);
    if (!isOfScan) return next === undefined ? bytes.length : at;
  }
  return bytes.length;
}

/** Frames, tables and scans (ITU T.81, table B.1); others are for programs, or for nobody yet. */
const isOfPicture = (marker: number) =>
  (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || (marker >= sos && marker <= 0xdf);

/** The segment without what no decoder needs; null if nothing of it is needed. */
function neededPart(segment: Uint8Array, marker: number): Uint8Array | null {
  const name = latin1(segment, 4, 12);
  // JFIF defines how colours and pixels are stored; a small copy may come behind (JFIF 1.02).
  if (marker === 0xe0) return name.startsWith('JFIF\0') ? withoutCopy(segment) : null;
  if (marker === 0xe2) return name === 'ICC_PROFILE\0' ? segment : null;
  // Adobe's defines how colours are stored, in 14 bytes.
  if (marker === 0xee) return name.startsWith('Adobe') ? cutSegment(segment, 14) : null;
  return isOfPicture(marker) ? segment : null;
}

function withoutCopy(segment: Uint8Array): Uint8Array | null {
  const cut = cutSegment(segment, 16);
  if (cut.length < 18) return null;
  if (cut[16] === 0 && cut[17] === 0) return cut;
  const copy = cut.slice();
  copy.set([0, 0], 16);
  return copy;
}

/** @param length as the segment states it: with its own two bytes */
function cutSegment(segment: Uint8Array, length: number): Uint8Array {
  if (segment.length <= length + 2) return segment;
  const copy = segment.slice(0, length + 2);
  copy.set([length >> 8, length & 0xff], 2);
  return copy;
}
