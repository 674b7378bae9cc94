import { assertFaxRows, faxRows } from './fax-rows.ts';
import { unpackedLength } from './png-rows.ts';
import { TiffError, tiffTag, type TiffPage } from './tiff.ts';

/** Bytes that a part may unpack to: its rows alone, or as many as a whole part has. */
interface Room {
  readonly least: number;
  readonly most: number;
}

/** A part of a page, with what is known of it. */
interface Part {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly rows: number;
  readonly room: Room;
}

/** @param isKnownOnly what is not read here counts as damaged */
type Check = (part: Part, page: TiffPage, isKnownOnly: boolean) => boolean;

const tags = { fillOrder: 266, group3: 292 } as const;
const ycbcr = 6;

const isWithin = (length: number | null, { least, most }: Room) =>
  length !== null && length >= least && length <= most;

const isDeflated: Check = ({ bytes, room }) =>
  isWithin(unpackedLength(bytes, room.most), room) ||
  // Some programs fill a part up to an even length.
  (bytes.at(-1) === 0 && isWithin(unpackedLength(bytes.subarray(0, -1), room.most), room));

const isFax =
  (read: (part: Part, page: TiffPage) => unknown): Check =>
  (part, page, isKnownOnly) => {
    try {
      read(part, page);
      return true;
    } catch (error) {
      if (!(error instanceof TiffError)) throw error;
      return error.fault === 'unsupported' && !isKnownOnly;
    }
  };

const isLowBitFirst = (page: TiffPage) => page.numbers(tags.fillOrder)[0] === 2;

/** By compression, whether a part is whole; JPEG and others need their own decoders. */
const checks: Readonly<Record<number, Check>> = {
  1: ({ bytes, room }) => bytes.length >= room.least,
  2: isFax(({ bytes, width, rows }, page) =>
    assertFaxRows(bytes, {
      width,
      rows,
      isLowBitFirst: isLowBitFirst(page),
      isTwoDimensional: false,
      isInBytes: true,
    }),
  ),
  3: isFax(({ bytes, width, rows }, page) => {
    const [options = 0] = page.numbers(tags.group3);
    // Bit 1: pixels as they are between the codes, which nobody writes.
    if ((options & 2) !== 0) throw new TiffError('unsupported');
    const isTwoDimensional = (options & 1) !== 0;
    const shape = { width, rows, isLowBitFirst: isLowBitFirst(page), isInBytes: false };
    assertFaxRows(bytes, { ...shape, isTwoDimensional });
  }),
  4: isFax(({ bytes, width, rows }, page) =>
    faxRows(bytes, { width, rows, isLowBitFirst: isLowBitFirst(page) }),
  ),
  5: ({ bytes, room }) => isWithin(lzwLength(bytes, room.most), room),
  8: isDeflated,
  32946: isDeflated,
  32773: ({ bytes, room }) => isWithin(packBitsLength(bytes), room),
};

/**
 * Whether a part of a page does not unpack to its rows: a decoder leaves black or white what is
 * missing, and goes on after a wrong code.
 * @param isKnownOnly whether fax codes that are not read here count as damaged
 * @returns false for JPEG, and for what is not known here
 */
export function hasDamagedPart(page: TiffPage, isKnownOnly = false): boolean {
  const one = (tag: number, absent: number) => page.numbers(tag)[0] ?? absent;
  const check = checks[one(tiffTag.compression, 1)];
  const bits = page.numbers(tiffTag.bits);
  const [bit = 1] = bits;
  if (bits.includes(0)) return true;
  const isKnown =
    check !== undefined &&
    one(tiffTag.photometric, 0) !== ycbcr &&
    bits.every((value) => value === bit);
  if (!isKnown) return false;
  const isPlanar = one(tiffTag.planar, 1) === 2;
  const width = page.isTiled ? one(tiffTag.tileWidth, 0) : page.width;
  const rows = page.isTiled
    ? one(tiffTag.tileHeight, 0)
    : Math.min(one(tiffTag.rowsPerStrip, page.height), page.height);
  if (!(rows > 0)) return true;
  const perRow = Math.ceil((width * bit * (isPlanar ? 1 : one(tiffTag.samples, 1))) / 8);
  const perPlane = Math.ceil(page.height / rows);
  return page.parts.some((bytes, index) => {
    const above = (index % perPlane) * rows;
    const own = page.isTiled ? rows : Math.min(rows, page.height - above);
    const room = { least: own * perRow, most: rows * perRow };
    return !check({ bytes, width, rows: own, room }, page, isKnownOnly);
  });
}

const clear = 256;
const end = 257;

/** @returns bytes that LZW unpacks to (TIFF 6.0, section 13); null at a wrong code, and over `most` */
function lzwLength(bytes: Uint8Array, most: number): number | null {
  // Of before TIFF 5.0, with its bits the other way round: it is read elsewhere, or not at all.
  if (bytes[0] === 0 && ((bytes[1] ?? 0) & 1) === 1) return most;
  const lengths = new Uint32Array(4096).fill(1, 0, clear);
  let [next, width, before, length, at] = [end + 1, 9, -1, 0, 0];
  // Some programs leave a byte behind the last row, in place of the end.
  while (at + width <= bytes.length * 8 && length < most) {
    const place = at >> 3;
    const three =
      ((bytes[place] ?? 0) << 16) | ((bytes[place + 1] ?? 0) << 8) | (bytes[place + 2] ?? 0);
    const code = (three >> (24 - width - (at & 7))) & ((1 << width) - 1);
    at += width;
    if (code === end) break;
    if (code === clear) {
      [next, width, before] = [end + 1, 9, -1];
      continue;
    }
    if (code > next || (code === next && before < 0) || (before < 0 && code > clear)) return null;
    if (before >= 0 && next < 4096) {
      lengths[next] = (lengths[before] ?? 0) + 1;
      next += 1;
    }
    length += lengths[code] ?? 0;
    if (length > most) return null;
    if (next >= (1 << width) - 1 && width < 12) width += 1;
    before = code;
  }
  return length;
}

/** @returns bytes that PackBits unpacks to (TIFF 6.0, section 9); null if it ends within a run */
function packBitsLength(bytes: Uint8Array): number | null {
  let length = 0;
  for (let at = 0; at < bytes.length;) {
    const control = bytes[at] ?? 0;
    const isCopied = control < 128;
    if (isCopied) length += control + 1;
    else if (control > 128) length += 257 - control;
    at += isCopied ? control + 2 : control === 128 ? 1 : 2;
    if (at > bytes.length) return null;
  }
  return length;
}
