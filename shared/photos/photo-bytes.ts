const latin1 = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length));

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
 * Whether a JPEG, PNG or WebP holds more than its picture: EXIF, XMP, comments, a small copy of
 * itself, or bytes behind its end.
 */
export function hasMetadata(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12) return false;
  if (view.getUint16(0) === 0xffd8) return jpegHasMore(bytes, view);
  if (view.getUint32(0) === 0x89504e47)
    return chunks(bytes, 8, (at) => [latin1(bytes, at + 4, 4), 12 + view.getUint32(at)]).some(
      (name) => ['eXIf', 'tEXt', 'iTXt', 'zTXt', 'tIME'].includes(name),
    );
  if (latin1(bytes, 0, 4) === 'RIFF')
    return chunks(bytes, 12, (at) => {
      const length = view.getUint32(at + 4, true);
      return [latin1(bytes, at, 4), 8 + length + (length % 2)];
    }).some((name) => ['EXIF', 'XMP '].includes(name));
  return false;
}

/** Names of chunks that follow each other; each is told with its length. */
function chunks(bytes: Uint8Array, from: number, read: (at: number) => [string, number]): string[] {
  const names: string[] = [];
  for (let at = from; at + 8 <= bytes.length;) {
    const [name, length] = read(at);
    names.push(name);
    at += length;
  }
  return names;
}

/** ITU T.81, B.1.1.3: what is no frame, table or scan is for programs, not for the picture. */
function jpegHasMore(bytes: Uint8Array, view: DataView): boolean {
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xda) break;
    const isProfile = marker === 0xe2 && latin1(bytes, at + 4, 11) === 'ICC_PROFILE';
    // JFIF and Adobe say how the colours are stored.
    const isNeeded = marker === 0xe0 || marker === 0xee || isProfile;
    if ((marker >= 0xe0 && marker <= 0xef && !isNeeded) || marker === 0xfe) return true;
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  for (at = bytes.indexOf(0xff, at); at >= 0; at = bytes.indexOf(0xff, at + 1))
    if (bytes[at + 1] === 0xd9) return at + 2 < bytes.length;
  return false;
}

/**
 * Whether the end of a picture is missing: a browser draws what is there and reports nothing.
 * @returns false for formats other than JPEG, PNG, WebP and TIFF
 */
export function isCutOff(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12) return true;
  if (view.getUint16(0) === 0xffd8) return !hasEndOfImage(bytes, view);
  if (view.getUint32(0) === 0x89504e47) return !hasPngEnd(view);
  // RFC 9649, 2.3: the size of everything behind it.
  if (view.getUint32(0) === 0x52494646) return view.getUint32(4, true) + 8 > bytes.length;
  const order = view.getUint16(0);
  if (order === 0x4949 || order === 0x4d4d) return !hasAllOfTiff(view, order === 0x4949);
  return false;
}

/** Strips and tiles of a page: the tags of their places and of their lengths (TIFF 6.0). */
const tiffParts = [
  { places: 273, lengths: 279 },
  { places: 324, lengths: 325 },
] as const;
/** No scan has more pages; a chain that goes in circles ends here. */
const tiffPagesMax = 10_000;

/** TIFF 6.0, section 2: pages point to each other and to their pixels, anywhere in the file. */
function hasAllOfTiff(view: DataView, isLittle: boolean): boolean {
  try {
    let at = view.getUint32(4, isLittle);
    for (let page = 0; at !== 0 && page < tiffPagesMax; page += 1) {
      const tags = new Map<number, number[]>();
      const count = view.getUint16(at, isLittle);
      for (let entry = 0; entry < count; entry += 1) {
        const place = at + 2 + entry * 12;
        const tag = view.getUint16(place, isLittle);
        if (tiffParts.some((part) => part.places === tag || part.lengths === tag))
          tags.set(tag, tiffNumbers(view, place, isLittle));
      }
      for (const { places, lengths } of tiffParts) {
        const sizes = tags.get(lengths) ?? [];
        for (const [index, start] of (tags.get(places) ?? []).entries())
          if (start + (sizes[index] ?? 1) > view.byteLength) return false;
      }
      at = view.getUint32(at + 2 + count * 12, isLittle);
    }
    return true;
  } catch (error) {
    // A pointer leads out of the file.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The values of an entry: two or four bytes each, within it if they fit into four. */
function tiffNumbers(view: DataView, place: number, isLittle: boolean): number[] {
  const isShort = view.getUint16(place + 2, isLittle) === 3;
  const count = view.getUint32(place + 4, isLittle);
  const bytes = isShort ? 2 : 4;
  const at = count * bytes <= 4 ? place + 8 : view.getUint32(place + 8, isLittle);
  // Before the list is made: a count may be any number.
  if (at + count * bytes > view.byteLength) throw new RangeError('the file ends before');
  return Array.from({ length: count }, (_, index) =>
    isShort ? view.getUint16(at + index * 2, isLittle) : view.getUint32(at + index * 4, isLittle),
  );
}

/**
 * ITU T.81, B.1.1: FF D9 ends the image, and stands nowhere else behind the start of its scan.
 * Cameras write more files behind it.
 */
function hasEndOfImage(bytes: Uint8Array, view: DataView): boolean {
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xda) break;
    const isBare = marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += isBare ? (marker === 0xff ? 1 : 2) : 2 + view.getUint16(at + 2);
  }
  for (at = bytes.indexOf(0xff, at); at >= 0; at = bytes.indexOf(0xff, at + 1))
    if (bytes[at + 1] === 0xd9) return true;
  return false;
}

/** PNG specification, 5.3: chunks with their lengths, the last one IEND. */
function hasPngEnd(view: DataView): boolean {
  for (let at = 8; at + 12 <= view.byteLength; at += 12 + view.getUint32(at))
    if (view.getUint32(at + 4) === 0x49454e44) return true;
  return false;
}
