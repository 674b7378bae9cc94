import { decode, decodeImage } from 'utif2';
import { joinBytes } from '#shared/photos/bytes.ts';
import { tiffFile } from '#shared/photos/tiff-file.ts';
import {
  plainCompressions,
  TiffError,
  tiffTag,
  type TiffField,
  type TiffPage,
} from '#shared/photos/tiff.ts';
import { faxRows } from './fax-rows.ts';

/** Pixels of a page as it is stored, in red, green, blue and 255. */
export interface TiffPixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

const group4 = 4;
const lzw = 5;
const faxes: ReadonlySet<number> = new Set([2, 3, group4]);
const tags = { fillOrder: 266, predictor: 317 } as const;
const photometric = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, cmyk: 5 } as const;
const samplesOf: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 3, 3: 1, 5: 4 };
/** Bytes of a decompressed page: 100 million pixels of four bytes. */
const bytesMax = 400_000_000;

interface Layout {
  readonly kind: number;
  readonly bits: number;
  readonly samples: number;
  readonly isPlanar: boolean;
}

/**
 * Decodes a page of any compression but JPEG.
 * @throws {TiffError} unsupported rather than wrong colours, black or white
 */
export function tiffPixels(page: TiffPage): TiffPixels {
  const layout = layoutOf(page);
  const { width, height } = page;
  const planes = layout.isPlanar ? planesOf(page, layout) : [decompress(page)];
  const rows = planes.map((plane) => {
    const perRow = Math.ceil((width * layout.bits * (layout.isPlanar ? 1 : layout.samples)) / 8);
    if (plane.length < perRow * height) throw new TiffError('cut_off');
    return { plane, perRow };
  });
  const sampleAt = (x: number, y: number, sample: number): number => {
    const { plane, perRow } = rows[layout.isPlanar ? sample : 0] ?? { plane: none, perRow: 0 };
    const index = layout.isPlanar ? x : x * layout.samples + sample;
    return sampleOf(plane, y * perRow, index, layout.bits);
  };
  const colour = colourOf(page, layout);
  const rgba = new Uint8ClampedArray(width * height * 4);
  const values = new Array<number>(layout.samples).fill(0);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      for (let sample = 0; sample < layout.samples; sample += 1)
        values[sample] = sampleAt(x, y, sample);
      colour(values, rgba, (y * width + x) * 4);
    }
  return { width, height, rgba };
}

const none = new Uint8Array(0);

function layoutOf(page: TiffPage): Layout {
  const one = (tag: number, absent: number) => page.numbers(tag)[0] ?? absent;
  const all = page.numbers(tiffTag.bits);
  const bits = all[0] ?? 1;
  const kind = one(tiffTag.photometric, photometric.whiteIsZero);
  const samples = one(tiffTag.samples, 1);
  const compression = one(tiffTag.compression, 1);
  const needed = samplesOf[kind];
  const isKnown =
    plainCompressions.has(compression) &&
    needed !== undefined &&
    samples >= needed &&
    samples <= needed + 2 &&
    [1, 2, 4, 8, 16].includes(bits) &&
    all.every((value) => value === bits) &&
    page.numbers(tiffTag.sampleFormat).every((format) => format === 1) &&
    one(tags.predictor, 1) <= 2 &&
    (one(tags.fillOrder, 1) === 1 || faxes.has(compression));
  if (!isKnown) throw new TiffError('unsupported');
  if ((page.width * page.height * bits * samples) / 8 > bytesMax)
    throw new TiffError('unsupported');
  return { kind, bits, samples, isPlanar: samples > 1 && one(tiffTag.planar, 1) === 2 };
}

/** Red, green and blue lie one behind the other: each is decoded as a grey page. */
function planesOf(page: TiffPage, { samples, bits }: Layout): Uint8Array[] {
  const perPlane = page.parts.length / samples;
  if (!Number.isInteger(perPlane)) throw new TiffError('unreadable');
  return Array.from({ length: samples }, (_, plane) => {
    const parts = page.parts.slice(plane * perPlane, (plane + 1) * perPlane);
    const grey = { samples: 1, planar: 1, photometric: photometric.blackIsZero };
    return decompress(
      withNumbers({ ...page, parts }, [
        [tiffTag.samples, [grey.samples]],
        [tiffTag.bits, [bits]],
        [tiffTag.planar, [grey.planar]],
        [tiffTag.photometric, [grey.photometric]],
        [tiffTag.extraSamples, []],
        [tiffTag.sampleFormat, []],
      ]),
    );
  });
}

/** The same page with other numbers in some entries; without numbers an entry is left out. */
function withNumbers(
  page: TiffPage,
  changes: readonly (readonly [number, readonly number[]])[],
): TiffPage {
  const changed = new Map(changes);
  const fields = page.fields.filter(({ tag }) => !changed.has(tag));
  for (const [tag, numbers] of changed)
    if (numbers.length > 0) fields.push(longs(page, tag, numbers));
  return { ...page, fields, numbers: (tag) => changed.get(tag) ?? page.numbers(tag) };
}

function longs({ isLittle }: TiffPage, tag: number, numbers: readonly number[]): TiffField {
  const view = new DataView(new ArrayBuffer(numbers.length * 4));
  numbers.forEach((number, index) => view.setUint32(index * 4, number, isLittle));
  return { tag, type: 4, count: numbers.length, value: new Uint8Array(view.buffer) };
}

/** Each strip of a fax begins with a white row above it. */
function decompressFax(page: TiffPage): Uint8Array {
  const { width, height } = page;
  const perStrip = Math.min(page.numbers(tiffTag.rowsPerStrip)[0] ?? height, height);
  const isLowBitFirst = page.numbers(tags.fillOrder)[0] === 2;
  const strips = page.parts.map((part, index) => {
    const rows = Math.min(perStrip, height - index * perStrip);
    if (rows <= 0) throw new TiffError('unreadable');
    return faxRows(part, { width, rows, isLowBitFirst });
  });
  return joinBytes(strips);
}

/** Bytes of a decompressed part, by its compression: as it is, and PackBits (TIFF 6.0, section 9). */
const lengths: Readonly<Record<number, (part: Uint8Array) => number>> = {
  1: (part) => part.length,
  32773: (part) => {
    let length = 0;
    for (let at = 0; at < part.length;) {
      const control = part[at] ?? 0;
      const left = part.length - at - 1;
      if (control < 128) length += Math.min(control + 1, left);
      else if (control > 128 && left > 0) length += 257 - control;
      at += control < 128 ? control + 2 : control === 128 ? 1 : 2;
    }
    return length;
  },
};

/** Rows of samples, 16 bits little-endian. */
function decompress(page: TiffPage): Uint8Array {
  const one = (tag: number, absent: number) => page.numbers(tag)[0] ?? absent;
  const [compression, bits] = [one(tiffTag.compression, 1), one(tiffTag.bits, 1)];
  if (compression === group4 && bits === 1 && !page.isTiled) return decompressFax(page);
  // The decoder leaves black what is missing.
  const perRow = Math.ceil((page.width * bits * one(tiffTag.samples, 1)) / 8);
  const lengthOf = lengths[compression];
  const length = lengthOf && page.parts.reduce((sum, part) => sum + lengthOf(part), 0);
  if (!page.isTiled && length !== undefined && length < perRow * page.height)
    throw new TiffError('cut_off');
  // Of before TIFF 5.0, with its bits the other way round.
  const [first, second = 0] = page.parts[0] ?? none;
  if (compression === lzw && first === 0 && (second & 1) === 1) throw new TiffError('unsupported');
  const rows = Math.min(page.numbers(tiffTag.rowsPerStrip)[0] ?? page.height, page.height);
  // Some programs fill up the last strip, which the decoder would then leave out.
  const filled = page.isTiled ? page.height : Math.max(page.height, rows * page.parts.length);
  if (rows === 0 || filled > page.height + rows) throw new TiffError('unreadable');
  const file = tiffFile([withNumbers(page, [[tiffTag.height, [filled]]])]).buffer;
  const [only] = decode(file);
  if (!only) throw new TiffError('unreadable');
  decodeImage(file, only);
  return only.data;
}

function sampleOf(row: Uint8Array, start: number, index: number, bits: number): number {
  if (bits === 8) return row[start + index] ?? 0;
  // The upper byte is enough.
  if (bits === 16) return row[start + index * 2 + 1] ?? 0;
  const bit = index * bits;
  const byte = row[start + (bit >> 3)] ?? 0;
  return (byte >> (8 - bits - (bit & 7))) & ((1 << bits) - 1);
}

type Colour = (values: readonly number[], rgba: Uint8ClampedArray, at: number) => void;

/** Writes a pixel. What is transparent is white, as on paper. */
function colourOf(page: TiffPage, { kind, bits, samples }: Layout): Colour {
  const most = bits >= 8 ? 255 : (1 << bits) - 1;
  const level = (value = 0) => (value * 255) / most;
  const put = (rgba: Uint8ClampedArray, at: number, r: number, g: number, b: number) => {
    rgba[at] = r;
    rgba[at + 1] = g;
    rgba[at + 2] = b;
    rgba[at + 3] = 255;
  };
  const palette = page.numbers(tiffTag.palette);
  const size = 1 << bits;
  const [extra] = page.numbers(tiffTag.extraSamples);
  const alphaAt = samplesOf[kind] ?? samples;
  const hasAlpha = samples > alphaAt && (extra === 1 || extra === 2) && kind !== photometric.cmyk;
  if (kind === photometric.palette && (bits > 8 || palette.length < 3 * size))
    throw new TiffError('unsupported');
  return (values, rgba, at) => {
    const [first = 0, second = 0, third = 0, fourth = 0] = values;
    const alpha = hasAlpha ? level(values[alphaAt]) : 255;
    // Of a multiplied colour, transparency was taken off already (TIFF 6.0, section 18).
    const over = (colour: number) => (extra === 1 ? colour : (colour * alpha) / 255) + 255 - alpha;
    if (kind === photometric.palette) {
      const entry = (from: number) => (palette[from * size + first] ?? 0) >> 8;
      put(rgba, at, over(entry(0)), over(entry(1)), over(entry(2)));
    } else if (kind === photometric.rgb)
      put(rgba, at, over(level(first)), over(level(second)), over(level(third)));
    else if (kind === photometric.cmyk) {
      const ink = (value: number) => ((255 - level(value)) * (255 - level(fourth))) / 255;
      put(rgba, at, ink(first), ink(second), ink(third));
    } else {
      const grey = kind === photometric.whiteIsZero ? 255 - level(first) : level(first);
      put(rgba, at, over(grey), over(grey), over(grey));
    }
  };
}
