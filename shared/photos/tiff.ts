/*
 * The directories of a TIFF (TIFF 6.0, section 2), read before anything is decoded: a page may point
 * to itself, a count may be any number, and a decoder that follows them takes all memory.
 */

/** A page of a TIFF, as its directory describes it. */
export interface TiffPage {
  readonly width: number;
  readonly height: number;
  /** EXIF orientation, 1 to 8. */
  readonly orientation: number;
  /** Makes a file of this page alone, with the entries that a decoder needs. */
  readonly file: () => ArrayBuffer;
}

export type TiffFault = 'unreadable' | 'cut_off' | 'too_many_pages';

/** A document with more pages is no photo. */
const pagesMax = 100;
/** Values of one entry: the parts of the largest page are fewer. */
const valuesMax = 1_000_000;

const tag = {
  subfile: 254,
  width: 256,
  height: 257,
  orientation: 274,
  stripPlaces: 273,
  stripLengths: 279,
  tilePlaces: 324,
  tileLengths: 325,
} as const;

/** Places and lengths of strips and of tiles. */
const parts = [
  [tag.stripPlaces, tag.stripLengths],
  [tag.tilePlaces, tag.tileLengths],
] as const;

/** Entries that describe the pixels; others may lead anywhere (sub-pages, makers' notes). */
const pixelTags: ReadonlySet<number> = new Set([
  ...[254, 256, 257, 258, 259, 262, 266, 273, 277, 278, 279, 284, 292, 293, 317, 320, 322, 323],
  ...[324, 325, 332, 338, 339, 347, 512, 513, 514, 515, 519, 520, 521, 529, 530, 531, 532],
]);
/** Bytes of a value by its type (TIFF 6.0, section 2). */
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Where the values are. */
  readonly at: number;
  /** Where the entry is. */
  readonly place: number;
}

/**
 * The pages of a TIFF without the reduced copies of a page.
 * @throws {TiffError}
 */
export function tiffPages(bytes: Uint8Array): TiffPage[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = view.byteLength >= 8 && view.getUint16(0) === 0x4949;
  // 43 is BigTIFF, which no decoder here reads.
  if (view.byteLength < 8 || view.getUint16(2, isLittle) !== 42) throw new TiffError('unreadable');
  const directories = inBounds(() => directoriesOf(view, isLittle));
  const whole = directories.filter(
    (entries) => (one(view, isLittle, entries, tag.subfile) & 1) === 0,
  );
  const pages = whole.length > 0 ? whole : directories;
  return pages.map((entries) => inBounds(() => pageOf(view, isLittle, entries)));
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

function directoriesOf(view: DataView, isLittle: boolean): Entry[][] {
  const seen = new Set<number>();
  const found: Entry[][] = [];
  let at = view.getUint32(4, isLittle);
  while (at !== 0) {
    // A chain that returns to one of its pages has no end.
    if (seen.has(at)) throw new TiffError('unreadable');
    if (found.length === pagesMax) throw new TiffError('too_many_pages');
    seen.add(at);
    const count = view.getUint16(at, isLittle);
    found.push(
      Array.from({ length: count }, (_, index) => entryAt(view, isLittle, at + 2 + index * 12)),
    );
    at = view.getUint32(at + 2 + count * 12, isLittle);
  }
  if (found.length === 0) throw new TiffError('unreadable');
  return found;
}

function entryAt(view: DataView, isLittle: boolean, place: number): Entry {
  const type = view.getUint16(place + 2, isLittle);
  const count = view.getUint32(place + 4, isLittle);
  const bytes = (typeBytes[type] ?? 0) * count;
  const at = bytes <= 4 ? place + 8 : view.getUint32(place + 8, isLittle);
  return { tag: view.getUint16(place, isLittle), type, count, at, place };
}

function valuesOf(view: DataView, isLittle: boolean, entry: Entry | undefined): number[] {
  if (!entry) return [];
  const { type, count, at } = entry;
  if (count > valuesMax) throw new TiffError('unreadable');
  if (at + (typeBytes[type] ?? 0) * count > view.byteLength) throw new TiffError('cut_off');
  if (type === 3)
    return Array.from({ length: count }, (_, n) => view.getUint16(at + n * 2, isLittle));
  if (type === 4)
    return Array.from({ length: count }, (_, n) => view.getUint32(at + n * 4, isLittle));
  return [];
}

const entryOf = (entries: readonly Entry[], wanted: number) =>
  entries.find((entry) => entry.tag === wanted);

const one = (view: DataView, isLittle: boolean, entries: readonly Entry[], wanted: number) =>
  valuesOf(view, isLittle, entryOf(entries, wanted))[0] ?? 0;

function pageOf(view: DataView, isLittle: boolean, entries: readonly Entry[]): TiffPage {
  const value = (wanted: number) => one(view, isLittle, entries, wanted);
  const kept = entries.filter((entry) => pixelTags.has(entry.tag));
  for (const entry of kept) {
    const bytes = (typeBytes[entry.type] ?? 0) * entry.count;
    if (entry.count > valuesMax && entry.type !== 1 && entry.type !== 7)
      throw new TiffError('unreadable');
    if (entry.at + bytes > view.byteLength) throw new TiffError('cut_off');
  }
  for (const [places, lengths] of parts) {
    const sizes = valuesOf(view, isLittle, entryOf(kept, lengths));
    for (const [index, start] of valuesOf(view, isLittle, entryOf(kept, places)).entries())
      if (start + Math.max(sizes[index] ?? 1, 1) > view.byteLength) throw new TiffError('cut_off');
  }
  const orientation = value(tag.orientation);
  return {
    width: value(tag.width),
    height: value(tag.height),
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    file: () => fileOf(view, isLittle, kept),
  };
}

/** The file again, with one directory at its end: the page's entries, and no further page. */
function fileOf(view: DataView, isLittle: boolean, entries: readonly Entry[]): ArrayBuffer {
  const at = view.byteLength + (view.byteLength % 2);
  const copy = new Uint8Array(at + 2 + entries.length * 12 + 4);
  copy.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  const out = new DataView(copy.buffer);
  out.setUint32(4, at, isLittle);
  out.setUint16(at, entries.length, isLittle);
  for (const [index, { place }] of entries.entries())
    copy.set(copy.subarray(place, place + 12), at + 2 + index * 12);
  for (const [places, lengths] of parts)
    completeLengths(out, isLittle, { view, entries, at, places, lengths });
  return copy.buffer;
}

/** Some fax programs write no lengths: a part ends where the next one begins, or at the end. */
function completeLengths(
  out: DataView,
  isLittle: boolean,
  page: {
    readonly view: DataView;
    readonly entries: readonly Entry[];
    readonly at: number;
    readonly places: number;
    readonly lengths: number;
  },
): void {
  const { view, entries } = page;
  const starts = valuesOf(view, isLittle, entryOf(entries, page.places));
  const lengths = entryOf(entries, page.lengths);
  const sizes = valuesOf(view, isLittle, lengths);
  for (const [index, start] of starts.entries()) {
    const size = sizes[index] ?? 0;
    if (size > 0 || !lengths) continue;
    const next = Math.min(...starts.filter((other) => other > start), view.byteLength) - start;
    const wide = lengths.type === 4 ? 4 : 2;
    const isInside = lengths.count * wide <= 4;
    const inCopy = page.at + 2 + entries.indexOf(lengths) * 12 + 8;
    const place = (isInside ? inCopy : lengths.at) + index * wide;
    if (wide === 2 && next > 0xffff) throw new TiffError('unreadable');
    if (wide === 4) out.setUint32(place, next, isLittle);
    else out.setUint16(place, next, isLittle);
  }
}
