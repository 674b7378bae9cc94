import { joinBytes } from './bytes.ts';
import { hasDamagedPart } from './tiff-damage.ts';
import { layoutOf } from './tiff-layout.ts';
import { strippedJpeg, strippedTables } from './strip-jpeg.ts';
import {
  plainCompressions,
  type TiffField,
  type TiffPage,
  TiffError,
  tiffPages,
  tiffTag,
} from './tiff.ts';

const long = 4;
const long8 = 16;

/** A TIFF (TIFF 6.0, section 2) of these pages with the entries that describe their pixels. */
export function tiffFile(pages: readonly TiffPage[]): Uint8Array<ArrayBuffer> {
  const [first] = pages;
  if (!first) throw new TiffError('unreadable');
  const { isLittle } = first;
  const head = new Uint8Array(8);
  const out = new DataView(head.buffer);
  out.setUint16(0, isLittle ? 0x4949 : 0x4d4d);
  out.setUint16(2, 42, isLittle);
  out.setUint32(4, 8, isLittle);
  const pieces: Uint8Array[] = [head];
  let at = 8;
  for (const [index, page] of pages.entries()) {
    const written = writePage(page, at, index === pages.length - 1);
    pieces.push(...written);
    at += written.reduce((sum, { length }) => sum + length, 0);
  }
  return joinBytes(pieces);
}

const even = (length: number) => length + (length % 2);

/** The directory, its values and its pixels, `start` bytes from the beginning. */
function writePage(page: TiffPage, start: number, isLast: boolean): Uint8Array[] {
  const { isLittle, parts, isTiled } = page;
  const [places, lengths] = isTiled
    ? [tiffTag.tilePlaces, tiffTag.tileLengths]
    : [tiffTag.stripPlaces, tiffTag.stripLengths];
  const longs = (tag: number, values: readonly number[]): TiffField => {
    const value = new DataView(new ArrayBuffer(values.length * 4));
    values.forEach((one, index) => value.setUint32(index * 4, one, isLittle));
    return { tag, type: long, count: values.length, value: new Uint8Array(value.buffer) };
  };
  const known = page.fields.map((field) =>
    field.type === long8 ? longs(field.tag, page.numbers(field.tag)) : field,
  );
  // Their places are known once the size of the directory is.
  const sizes = longs(
    lengths,
    parts.map(({ length }) => length),
  );
  const fields = (starts: readonly number[]) =>
    [...known, longs(places, starts), sizes].sort((one, other) => one.tag - other.tag);
  const none = parts.map(() => 0);
  const directoryBytes = 2 + fields(none).length * 12 + 4;
  const valueBytes = fields(none).reduce((sum, { value }) => sum + outside(value), 0);
  let at = start + even(directoryBytes) + valueBytes;
  const starts = parts.map(({ length }) => {
    const place = at;
    at += even(length);
    return place;
  });
  const filled = parts.map((part) => (part.length % 2 === 0 ? part : joinBytes([part, zero])));
  return [...directory(fields(starts), { start, isLittle, next: isLast ? 0 : at }), ...filled];
}

const zero = new Uint8Array(1);
const outside = ({ length }: Uint8Array) => (length > 4 ? even(length) : 0);

function directory(
  fields: readonly TiffField[],
  { start, isLittle, next }: { start: number; isLittle: boolean; next: number },
): Uint8Array[] {
  const bytes = new Uint8Array(even(2 + fields.length * 12 + 4));
  const out = new DataView(bytes.buffer);
  out.setUint16(0, fields.length, isLittle);
  const values: Uint8Array[] = [];
  let free = start + bytes.length;
  for (const [index, { tag, type, count, value }] of fields.entries()) {
    const entry = 2 + index * 12;
    out.setUint16(entry, tag, isLittle);
    out.setUint16(entry + 2, type, isLittle);
    out.setUint32(entry + 4, count, isLittle);
    if (value.length <= 4) bytes.set(value, entry + 8);
    else {
      out.setUint32(entry + 8, free, isLittle);
      values.push(value.length % 2 === 0 ? value : joinBytes([value, zero]));
      free += even(value.length);
    }
  }
  out.setUint32(2 + fields.length * 12, next, isLittle);
  return [bytes, ...values];
}

const uncompressed = 1;
const jpeg = 7;

/**
 * A TIFF with the pixels of its pages alone. Reduced copies of a page are left out.
 * @returns null if a part does not unpack to its rows, or if what else its parts contain is not
 * known: of a compression that is not read here, or without a length, so that a part reaches over
 * what stands behind it
 * @throws {TiffError} unsupported if the desk cannot draw it
 */
export function strippedTiff(bytes: Uint8Array): Uint8Array | null {
  const pages: TiffPage[] = [];
  let sum = 0;
  for (const page of tiffPages(bytes)) {
    const stripped = strippedPage(page);
    if (!stripped) return null;
    sum += stripped.parts.reduce((total, { length }) => total + length, 0);
    // Pages that lie upon each other would make of a small file a large one.
    if (sum > bytes.length) throw new TiffError('unreadable');
    pages.push(stripped);
  }
  return tiffFile(pages);
}

function strippedPage(page: TiffPage): TiffPage | null {
  const [compression = uncompressed] = page.numbers(tiffTag.compression);
  const lengths = page.numbers(page.isTiled ? tiffTag.tileLengths : tiffTag.stripLengths);
  const isStated = page.parts.every((_, index) => (lengths[index] ?? 0) > 0);
  if (page.parts.length === 0 || !isStated) return null;
  layoutOf(page);
  if (compression === jpeg) return withoutSegments(page);
  if (hasDamagedPart(page, true)) return null;
  if (compression === uncompressed) return withExactParts(page);
  return plainCompressions.has(compression) ? page : null;
}

/** Uncompressed parts have as many bytes as their pixels take; what is behind them is something else. */
function withExactParts(page: TiffPage): TiffPage | null {
  const one = (tag: number, absent: number) => page.numbers(tag)[0] ?? absent;
  const samples = one(tiffTag.planar, 1) === 2 ? 1 : one(tiffTag.samples, 1);
  const [width, rows] = page.isTiled
    ? [one(tiffTag.tileWidth, 0), one(tiffTag.tileHeight, 0)]
    : [page.width, Math.min(one(tiffTag.rowsPerStrip, page.height), page.height)];
  const bytes = Math.ceil((width * samples * one(tiffTag.bits, 1)) / 8) * rows;
  return { ...page, parts: page.parts.map((part) => part.subarray(0, bytes)) };
}

/** JPEG in strips has the same segments as a file, which tell more than the picture. */
function withoutSegments(page: TiffPage): TiffPage | null {
  const parts = page.parts.map((part) => strippedJpeg(part, null));
  const fields = page.fields.map((field) => {
    const value = field.tag === tiffTag.jpegTables ? strippedTables(field.value) : field.value;
    return (
      value && {
        ...field,
        value,
        count: field.tag === tiffTag.jpegTables ? value.length : field.count,
      }
    );
  });
  const isWhole = !parts.includes(null) && !fields.includes(null);
  if (!isWhole) return null;
  return {
    ...page,
    parts: parts.filter((part) => part !== null),
    fields: fields.filter((field) => field !== null),
  };
}
