/*
 * The directories of a TIFF (TIFF 6.0, section 2; BigTIFF), read before anything is decoded: a page
 * may point to itself, a count may be any number, and a decoder that follows them takes all memory.
 */

/** An entry of a directory with its values, in the byte order of the file. */
export interface TiffField {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly value: Uint8Array;
}

/** A page of a TIFF, as its directory describes it. */
export interface TiffPage {
  readonly width: number;
  readonly height: number;
  /** EXIF orientation, 1 to 8. */
  readonly orientation: number;
  readonly isLittle: boolean;
  /** Entries that describe the pixels, but for the places of the parts. */
  readonly fields: readonly TiffField[];
  /** The compressed pixels in their order: strips, or tiles. */
  readonly parts: readonly Uint8Array[];
  readonly isTiled: boolean;
  /** The numbers of an entry; none if it is absent. */
  readonly numbers: (tag: number) => readonly number[];
}

export type TiffFault = 'unreadable' | 'cut_off' | 'too_many_pages' | 'unsupported';

/** A document with more pages is no photo. */
const pagesMax = 100;
/** Values of one entry: the parts of the largest page are fewer. */
const valuesMax = 1_000_000;

export const tiffTag = {
  subfile: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  stripPlaces: 273,
  orientation: 274,
  samples: 277,
  rowsPerStrip: 278,
  stripLengths: 279,
  planar: 284,
  palette: 320,
  tileWidth: 322,
  tileHeight: 323,
  tilePlaces: 324,
  tileLengths: 325,
  furtherDirectories: 330,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  oldJpeg: 513,
} as const;

/** None, modified Huffman, T.4, T.6, LZW, Deflate twice, PackBits (TIFF 6.0; Technical Note 2). */
export const plainCompressions: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 8, 32_946, 32_773]);

/** Entries that describe the pixels; others may lead anywhere, or name persons and places. */
const pixelTags: ReadonlySet<number> = new Set([
  254, 256, 257, 258, 259, 262, 266, 274, 277, 278, 282, 283, 284, 292, 293, 296, 297, 301, 317,
  318, 319, 320, 322, 323, 332, 334, 336, 338, 339, 347, 529, 530, 531, 532, 34675,
]);
/** Bytes of a value by its type (TIFF 6.0, section 2; 16 to 18 are BigTIFF's). */
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Where the values are. */
  readonly at: number;
}

/** How the file writes its numbers. */
interface Source {
  readonly view: DataView;
  readonly isLittle: boolean;
  readonly isBig: boolean;
}

/**
 * The pages of a TIFF without the reduced copies of a page.
 * @throws {TiffError}
 */
export function tiffPages(bytes: Uint8Array): TiffPage[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = view.byteLength >= 8 && view.getUint16(0) === 0x4949;
  const version = view.byteLength >= 8 ? view.getUint16(2, isLittle) : 0;
  if (version !== 42 && version !== 43) throw new TiffError('unreadable');
  const source = { view, isLittle, isBig: version === 43 };
  const directories = inBounds(() => directoriesOf(source));
  const whole = directories.filter(
    (entries) => ((numbersOf(source, entries, tiffTag.subfile)[0] ?? 0) & 1) === 0,
  );
  const hasFurther = directories.flat().some(({ tag }) => tag === tiffTag.furtherDirectories);
  // The picture itself is in one of those, as in the files of cameras.
  if (whole.length === 0 && hasFurther) throw new TiffError('unsupported');
  const pages = whole.length > 0 ? whole : directories;
  return pages.map((entries) => inBounds(() => pageOf(source, entries)));
}

export class TiffError extends Error {
  readonly fault: TiffFault;

  constructor(fault: TiffFault) {
    super(fault);
    this.fault = fault;
    this.name = 'TiffError';
  }
}

/** A pointer that leads out of the file: it ends before its end. */
function inBounds<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof RangeError ? new TiffError('cut_off') : error;
  }
}

/** A place or a count of a BigTIFF has 8 bytes; no file here has as many. */
function longAt({ view, isLittle, isBig }: Source, at: number): number {
  if (!isBig) return view.getUint32(at, isLittle);
  const value = view.getBigUint64(at, isLittle);
  if (value > 0xffffffffn) throw new TiffError('cut_off');
  return Number(value);
}

function directoriesOf(source: Source): Entry[][] {
  const { view, isLittle, isBig } = source;
  const seen = new Set<number>();
  const found: Entry[][] = [];
  const entryBytes = isBig ? 20 : 12;
  let at = longAt(source, isBig ? 8 : 4);
  while (at !== 0) {
    // A chain that returns to one of its pages has no end.
    if (seen.has(at)) throw new TiffError('unreadable');
    if (found.length === pagesMax) throw new TiffError('too_many_pages');
    seen.add(at);
    const count = isBig ? longAt(source, at) : view.getUint16(at, isLittle);
    // Before the list is made: a count may be any number.
    const first = at + (isBig ? 8 : 2);
    const end = first + count * entryBytes;
    if (end > view.byteLength) throw new TiffError('cut_off');
    found.push(
      Array.from({ length: count }, (_, index) => entryAt(source, first + index * entryBytes)),
    );
    at = longAt(source, end);
  }
  if (found.length === 0) throw new TiffError('unreadable');
  return found;
}

function entryAt(source: Source, place: number): Entry {
  const { view, isLittle, isBig } = source;
  const type = view.getUint16(place + 2, isLittle);
  const count = longAt(source, place + 4);
  const value = place + (isBig ? 12 : 8);
  const isInside = (typeBytes[type] ?? 0) * count <= (isBig ? 8 : 4);
  const at = isInside ? value : longAt(source, value);
  return { tag: view.getUint16(place, isLittle), type, count, at };
}

function assertInside({ view }: Source, { type, count, at }: Entry): void {
  // Bytes (JPEG tables, a colour profile) may be many.
  if (count > valuesMax && type !== 1 && type !== 7) throw new TiffError('unreadable');
  if (at + (typeBytes[type] ?? 0) * count > view.byteLength) throw new TiffError('cut_off');
}

function numbersOf(source: Source, entries: readonly Entry[], wanted: number): number[] {
  const entry = entries.find(({ tag }) => tag === wanted);
  if (!entry) return [];
  assertInside(source, entry);
  const { view, isLittle } = source;
  const { type, count, at } = entry;
  const read: Readonly<Record<number, (place: number) => number>> = {
    1: (place) => view.getUint8(place),
    3: (place) => view.getUint16(place, isLittle),
    4: (place) => view.getUint32(place, isLittle),
    16: (place) => longAt(source, place),
  };
  const one = read[type];
  if (!one || count > valuesMax) return [];
  return Array.from({ length: count }, (_, index) => one(at + index * (typeBytes[type] ?? 0)));
}

function pageOf(source: Source, entries: readonly Entry[]): TiffPage {
  const numbers = (tag: number) => numbersOf(source, entries, tag);
  const value = (tag: number) => numbers(tag)[0] ?? 0;
  const orientation = value(tiffTag.orientation);
  const isTiled = entries.some(({ tag }) => tag === tiffTag.tilePlaces);
  return {
    width: value(tiffTag.width),
    height: value(tiffTag.height),
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    isLittle: source.isLittle,
    fields: entries.filter(({ tag }) => pixelTags.has(tag)).map((entry) => fieldOf(source, entry)),
    parts: isTiled
      ? partsOf(source, numbers(tiffTag.tilePlaces), numbers(tiffTag.tileLengths))
      : partsOf(source, numbers(tiffTag.stripPlaces), numbers(tiffTag.stripLengths)),
    isTiled,
    numbers,
  };
}

function fieldOf(source: Source, entry: Entry): TiffField {
  assertInside(source, entry);
  const { view } = source;
  const { tag, type, count, at } = entry;
  const length = (typeBytes[type] ?? 0) * count;
  return { tag, type, count, value: new Uint8Array(view.buffer, view.byteOffset + at, length) };
}

/** Some programs write no lengths: a part ends where the next one begins, or at the end. */
function partsOf(
  { view }: Source,
  starts: readonly number[],
  lengths: readonly number[],
): Uint8Array[] {
  const sorted = starts.toSorted((one, other) => one - other);
  const nextOf = new Map(sorted.map((start, index) => [start, sorted[index + 1]]));
  let sum = 0;
  return starts.map((start, index) => {
    const given = lengths[index] ?? 0;
    const length = given > 0 ? given : (nextOf.get(start) ?? view.byteLength) - start;
    if (start + Math.max(length, 1) > view.byteLength) throw new TiffError('cut_off');
    // Parts that lie upon each other would make of a small file a large one.
    if ((sum += length) > view.byteLength) throw new TiffError('unreadable');
    return new Uint8Array(view.buffer, view.byteOffset + start, length);
  });
}
