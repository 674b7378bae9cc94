import { decode, decodeImage } from 'utif2';
import { joinBytes } from '#shared/photos/bytes.ts';
import { tiffFile } from '#shared/photos/tiff-file.ts';
import { layoutOf, photometric, samplesOf, type TiffLayout } from '#shared/photos/tiff-layout.ts';
import { TiffError, tiffTag, type TiffField, type TiffPage } from '#shared/photos/tiff.ts';
import { hasDamagedPart } from '#shared/photos/tiff-damage.ts';
import { faxRows } from '#shared/photos/fax-rows.ts';

/** Some rows of a page as it is stored. Each pixel has the four bytes red, green, blue and 255. */
export interface TiffBand {
  /** The number of rows above them. */
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

const group4 = 4;
const lzw = 5;
const fillOrder = 266;

/** The pixels of a band take 16 MB, where those of the largest page would take 400 MB. */
const bandPixels = 4_000_000;

/**
 * Decodes a page of any compression except JPEG, from the top down. Of a page in many strips or
 * tiles, only those of a band are decompressed at once.
 * @param pixels the number of a band's pixels, unless one row has more
 * @throws {TiffError} unsupported, so that no page gets wrong colours or becomes black or white
 */
export function* tiffBands(page: TiffPage, pixels = bandPixels): Generator<TiffBand, void> {
  const layout = layoutOf(page);
  const planes = layout.isPlanar ? planesOf(page, layout) : [page];
  for (const plane of planes) assertSound(plane);
  const slices = planes.map((plane) => slicesOf(plane, pixels));
  const draw = drawerOf(page, layout);
  const { width } = page;
  const bandRows = Math.max(1, Math.floor(pixels / width));
  let top = 0;
  for (const [index, { height }] of (slices[0] ?? []).entries()) {
    const rows = slices.map((ofPlane) => rowsOf(ofPlane[index], layout));
    for (let from = 0; from < height; from += bandRows) {
      const band = { width, height: Math.min(bandRows, height - from) };
      yield { top: top + from, ...band, rgba: draw(rows, from, band.height) };
    }
    top += height;
  }
}

/** The decompressed samples of some rows: of all colours, or of one if each is stored alone. */
interface Rows {
  readonly bytes: Uint8Array;
  readonly perRow: number;
}

function rowsOf(slice: TiffPage | undefined, { bits, samples, isPlanar }: TiffLayout): Rows {
  if (!slice) throw new TiffError('unreadable');
  const perRow = Math.ceil((slice.width * bits * (isPlanar ? 1 : samples)) / 8);
  const bytes = decompress(slice);
  if (bytes.length < perRow * slice.height) throw new TiffError('cut_off');
  return { bytes, perRow };
}

/** Returns the function that draws some of the rows. */
function drawerOf(page: TiffPage, layout: TiffLayout) {
  const { width } = page;
  const { samples, bits, isPlanar } = layout;
  const colour = colourOf(page, layout);
  return (rows: readonly Rows[], from: number, height: number) => {
    const sampleAt = (x: number, y: number, sample: number): number => {
      const { bytes, perRow } = rows[isPlanar ? sample : 0] ?? { bytes: none, perRow: 0 };
      return sampleOf(bytes, y * perRow, isPlanar ? x : x * samples + sample, bits);
    };
    const rgba = new Uint8ClampedArray(width * height * 4);
    const values = Array.from({ length: samples }, () => 0);
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1) {
        for (let sample = 0; sample < samples; sample += 1)
          values[sample] = sampleAt(x, from + y, sample);
        colour(values, rgba, (y * width + x) * 4);
      }
    return rgba;
  };
}

const none = new Uint8Array(0);

/**
 * Returns the colours of a page in which red, green and blue are stored one after the other, each as
 * a grey page.
 */
function planesOf(page: TiffPage, { samples, bits }: TiffLayout): TiffPage[] {
  const perPlane = page.parts.length / samples;
  if (!Number.isInteger(perPlane)) throw new TiffError('unreadable');
  return Array.from({ length: samples }, (_, plane) => {
    const parts = page.parts.slice(plane * perPlane, (plane + 1) * perPlane);
    const grey = { samples: 1, planar: 1, photometric: photometric.blackIsZero };
    return withNumbers({ ...page, parts }, [
      [tiffTag.samples, [grey.samples]],
      [tiffTag.bits, [bits]],
      [tiffTag.planar, [grey.planar]],
      [tiffTag.photometric, [grey.photometric]],
      [tiffTag.extraSamples, []],
      [tiffTag.sampleFormat, []],
    ]);
  });
}

/**
 * Returns the same page with other numbers in some entries. An entry without numbers is left out.
 */
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

/**
 * Splits a page into pages of about as many pixels, which are decompressed one at a time: a strip
 * or a tile is compressed for itself (TIFF 6.0, section 3).
 */
function slicesOf(page: TiffPage, pixels: number): TiffPage[] {
  const { width, height, isTiled, parts } = page;
  const rows = partRows(page);
  const across = isTiled ? Math.ceil(width / (page.numbers(tiffTag.tileWidth)[0] ?? width)) : 1;
  const counted = isTiled ? page : withNumbers(page, [[tiffTag.rowsPerStrip, [rows]]]);
  // Where the parts of another number are, only the whole page shows.
  if (parts.length !== across * Math.ceil(height / rows)) return [counted];
  const partsDown = Math.max(1, Math.floor(pixels / (width * rows)));
  return Array.from({ length: Math.ceil(parts.length / (across * partsDown)) }, (_, index) => {
    const first = index * partsDown;
    const own = Math.min(partsDown * rows, height - first * rows);
    const slice = { parts: parts.slice(first * across, (first + partsDown) * across), height: own };
    return withNumbers({ ...counted, ...slice }, [[tiffTag.height, [own]]]);
  });
}

/** Returns the number of rows of a strip or of a tile. */
function partRows({ numbers, height, isTiled }: TiffPage): number {
  const [rows = height] = numbers(isTiled ? tiffTag.tileHeight : tiffTag.rowsPerStrip);
  if (rows === 0) throw new TiffError('unreadable');
  return isTiled ? rows : Math.min(rows, height);
}

const isFax4 = ({ numbers, isTiled }: TiffPage) =>
  numbers(tiffTag.compression)[0] === group4 && (numbers(tiffTag.bits)[0] ?? 1) === 1 && !isTiled;

/** Decodes a fax. Each strip of a fax is read as if it had a white row above it. */
function decompressFax(page: TiffPage): Uint8Array {
  const { width, height } = page;
  const [perStrip = height] = page.numbers(tiffTag.rowsPerStrip);
  const isLowBitFirst = page.numbers(fillOrder)[0] === 2;
  const strips = page.parts.map((part, index) => {
    const rows = Math.min(perStrip, height - index * perStrip);
    if (rows <= 0) throw new TiffError('unreadable');
    return faxRows(part, { width, rows, isLowBitFirst });
  });
  return joinBytes(strips);
}

/**
 * Returns the length of a part after decompression, for uncompressed parts and for PackBits (TIFF
 * 6.0, section 9).
 */
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

/**
 * Refuses a page whose parts do not decompress to its rows. The decoder would leave missing pixels
 * black.
 * @throws {TiffError}
 */
function assertSound(page: TiffPage): void {
  if (isFax4(page)) return;
  const one = (tag: number, absent: number) => page.numbers(tag)[0] ?? absent;
  const [compression, bits] = [one(tiffTag.compression, 1), one(tiffTag.bits, 1)];
  const perRow = Math.ceil((page.width * bits * one(tiffTag.samples, 1)) / 8);
  const lengthOf = lengths[compression];
  const length = lengthOf && page.parts.reduce((sum, part) => sum + lengthOf(part), 0);
  if (!page.isTiled && length !== undefined && length < perRow * page.height)
    throw new TiffError('cut_off');
  // LZW from before TIFF 5.0 has its bits in the opposite order.
  const [first, second = 0] = page.parts[0] ?? none;
  if (compression === lzw && first === 0 && (second & 1) === 1) throw new TiffError('unsupported');
  // If a part has no stated length, the bytes after it belong to something else.
  const lengthTag = page.isTiled ? tiffTag.tileLengths : tiffTag.stripLengths;
  const isStated = page.numbers(lengthTag).every((length) => length > 0);
  if (isStated && page.numbers(lengthTag).length > 0 && hasDamagedPart(page))
    throw new TiffError('unreadable');
}

/** Returns the rows of samples. Samples of 16 bits are little-endian. */
function decompress(page: TiffPage): Uint8Array {
  if (isFax4(page)) return decompressFax(page);
  const { height, parts, isTiled } = page;
  const [rows = height] = page.numbers(tiffTag.rowsPerStrip);
  // Some programs fill the last strip completely. The decoder would leave such a strip out.
  const filled = isTiled ? height : Math.max(height, rows * parts.length);
  if (filled > height + rows) throw new TiffError('unreadable');
  const file = tiffFile([withNumbers(page, [[tiffTag.height, [filled]]])]).buffer;
  const [only] = decode(file);
  if (!only) throw new TiffError('unreadable');
  decodeImage(file, only);
  return only.data;
}

function sampleOf(row: Uint8Array, start: number, index: number, bits: number): number {
  if (bits === 8) return row[start + index] ?? 0;
  // The upper byte of a sample is sufficient.
  if (bits === 16) return row[start + index * 2 + 1] ?? 0;
  const bit = index * bits;
  const byte = row[start + (bit >> 3)] ?? 0;
  return (byte >> (8 - bits - (bit & 7))) & ((1 << bits) - 1);
}

type Colour = (values: readonly number[], rgba: Uint8ClampedArray, at: number) => void;

/** Returns the function that writes a pixel. Transparent pixels become white, as on paper. */
function colourOf(page: TiffPage, { kind, bits, samples }: TiffLayout): Colour {
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
  return (values, rgba, at) => {
    const [first = 0, second = 0, third = 0, fourth = 0] = values;
    const alpha = hasAlpha ? level(values[alphaAt]) : 255;
    // A premultiplied colour is already reduced by its transparency (TIFF 6.0, section 18).
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
