import { joinBytes } from './bytes.ts';
import { type TiffPage, tiffTag } from './tiff.ts';

/*
 * Whether the pixels of a JPEG are written as its header says (ITU T.81). A decoder that meets a
 * wrong bit goes on and shows something else, so the codes are walked here without making pixels of
 * them. A wrong bit that makes another code of the same length is not seen.
 */

const marker = { soi: 0xd8, eoi: 0xd9, sos: 0xda, dqt: 0xdb, dri: 0xdd, dht: 0xc4 } as const;
/** Frames with Huffman codes: baseline, extended, progressive; others are not walked. */
const sequential: ReadonlySet<number> = new Set([0xc0, 0xc1]);
const progressive = 0xc2;
const isFrame = (code: number) =>
  code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
const isRestart = (code: number) => code >= 0xd0 && code <= 0xd7;
/** Bytes that some programs leave behind the last code. */
const restMax = 2;
/** Blocks of 64 values: of a progressive one they are noted in memory, a byte each. */
const blocksMax = { sequential: 6_000_000, progressive: 1_000_000 } as const;
/** Units of all scans: a small file may describe any number of them. */
const unitsMax = 50_000_000;
/** The mean of a block of 8 bits, times eight; some programs go over it on purpose. */
const meanMax = 1280;

/** It is not as the standard says. */
class Damaged extends Error {}
/** It is of a kind that is not walked. */
class Unknown extends Error {}

interface Component {
  readonly id: number;
  readonly across: number;
  readonly down: number;
  readonly quantity: number;
  /** Blocks of a row, and in all, with those that fill up the last unit. */
  readonly stride: number;
  /** Of a progressive JPEG: which values are not zero. */
  readonly filled: Uint8Array;
  /** By value, the bit down to which it was sent; 255 before. */
  readonly sentDownTo: Uint8Array;
  before: number;
}

interface Frame {
  readonly isProgressive: boolean;
  readonly bits: number;
  readonly width: number;
  readonly height: number;
  readonly acrossMax: number;
  readonly downMax: number;
  readonly components: readonly Component[];
}

/** By 16 bits: the length of the code that they begin with, times 256, and its value; 0: no code. */
type HuffmanTable = Uint16Array;

interface Tables {
  readonly dc: (HuffmanTable | undefined)[];
  readonly ac: (HuffmanTable | undefined)[];
  /** Of the mean of a block, by table. */
  readonly meanSteps: number[];
  restart: number;
  /** Of the scans so far. */
  units: number;
}

/**
 * Whether a JPEG is likely to show wrong pixels: a code that does not exist, too few or too many
 * codes, a mark that is missing or does not belong there.
 * @param bytes what stands behind its end is not read
 * @returns false for kinds that are not walked (arithmetic, lossless)
 */
export function looksDamagedJpeg(bytes: Uint8Array): boolean {
  try {
    walk(bytes);
    return false;
  } catch (error) {
    if (error instanceof Unknown) return false;
    if (error instanceof Damaged || error instanceof RangeError) return true;
    throw error;
  }
}

/** Whether a page of JPEGs is likely to show wrong pixels; false for other pages. */
export const looksDamagedPage = (page: TiffPage): boolean => jpegsOf(page).some(looksDamagedJpeg);

const jpegCompression = 7;

/** Each strip or tile of a page in JPEG, with the tables that all share (TIFF, Technical Note 2). */
export function jpegsOf(page: TiffPage): Uint8Array[] {
  if (page.numbers(tiffTag.compression)[0] !== jpegCompression) return [];
  const shared = jpegTablesOf(page);
  return page.parts.map((part) => joinBytes([part.subarray(0, 2), shared, part.subarray(2)]));
}

/**
 * The tables that all strips or tiles of a page share, without their marks of beginning and end.
 * Without its end mark, the last table may be cut off, or may go on: all of it is returned then.
 */
export function jpegTablesOf(page: TiffPage): Uint8Array {
  const tables = page.fields.find(({ tag }) => tag === tiffTag.jpegTables)?.value;
  const hasEnd = tables?.at(-2) === 0xff && tables.at(-1) === marker.eoi;
  return tables?.subarray(2, hasEnd ? -2 : undefined) ?? new Uint8Array(0);
}

function walk(bytes: Uint8Array): void {
  if (bytes[0] !== 0xff || bytes[1] !== marker.soi) throw new Damaged();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables: Tables = { dc: [], ac: [], meanSteps: [], restart: 0, units: 0 };
  let frame: Frame | null = null;
  let at = 2;
  for (;;) {
    at = markerFrom(bytes, at);
    const code = bytes[at + 1];
    // Without an end mark, what counts is whether the values are all there.
    if (code === undefined || code === marker.eoi) break;
    if (isRestart(code) || code === marker.soi || code === 0x01) {
      at += 2;
      continue;
    }
    const end = at + 2 + view.getUint16(at + 2);
    const segment = new DataView(view.buffer, view.byteOffset + at + 4, end - at - 4);
    at = end;
    if (code === marker.sos) {
      if (!frame) throw new Damaged();
      at = walkScan(bytes, end, scanOf(segment, frame), frame, tables);
    } else if (isFrame(code)) frame = frameOf(segment, code);
    else readTable(segment, code, tables);
  }
  if (!frame?.components.every(isComplete)) throw new Damaged();
}

const isComplete = ({ sentDownTo }: Component) => sentDownTo.every((bit) => bit === 0);

/** The place of the next marker; decoders skip what stands before it. */
function markerFrom(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0 && (bytes[at + 1] === 0 || bytes[at + 1] === 0xff))
    at = bytes.indexOf(0xff, at + 1);
  return at < 0 ? bytes.length : at;
}

function frameOf(segment: DataView, code: number): Frame {
  const isProgressive = code === progressive;
  if (!isProgressive && !sequential.has(code)) throw new Unknown();
  const [height, width] = [segment.getUint16(1), segment.getUint16(3)];
  // The height may come behind the scan.
  if (height === 0) throw new Unknown();
  const shapes = Array.from({ length: segment.getUint8(5) }, (_, index) => ({
    id: segment.getUint8(6 + index * 3),
    across: segment.getUint8(7 + index * 3) >> 4,
    down: segment.getUint8(7 + index * 3) & 15,
    quantity: segment.getUint8(8 + index * 3),
  }));
  const acrossMax = Math.max(...shapes.map(({ across }) => across));
  const downMax = Math.max(...shapes.map(({ down }) => down));
  const isFalse = shapes.some(
    ({ across, down }) => across < 1 || across > 4 || down < 1 || down > 4,
  );
  if (width === 0 || shapes.length === 0 || isFalse) throw new Damaged();
  const most = isProgressive ? blocksMax.progressive : blocksMax.sequential;
  let sum = 0;
  const components = shapes.map((shape) => {
    const stride = Math.ceil(width / (8 * acrossMax)) * shape.across;
    const blocks = stride * Math.ceil(height / (8 * downMax)) * shape.down;
    if ((sum += blocks) > most) throw new Unknown();
    const filled = new Uint8Array(isProgressive ? blocks * 64 : 0);
    return { ...shape, stride, filled, sentDownTo: new Uint8Array(64).fill(255), before: 0 };
  });
  const bits = segment.getUint8(0);
  return { isProgressive, bits, width, height, acrossMax, downMax, components };
}

function readTable(segment: DataView, code: number, tables: Tables): void {
  if (code === marker.dri) tables.restart = segment.getUint16(0);
  else if (code === marker.dqt) readSteps(segment, tables);
  else if (code === marker.dht) readCodes(segment, tables);
}

function readSteps(segment: DataView, { meanSteps }: Tables): void {
  for (let at = 0; at < segment.byteLength;) {
    const kind = segment.getUint8(at);
    const isWide = kind >> 4 === 1;
    meanSteps[kind & 15] = isWide ? segment.getUint16(at + 1) : segment.getUint8(at + 1);
    at += isWide ? 129 : 65;
  }
}

function readCodes(segment: DataView, { dc, ac }: Tables): void {
  for (let at = 0; at + 17 <= segment.byteLength;) {
    const kind = segment.getUint8(at);
    const table = new Uint16Array(65_536);
    let value = at + 17;
    let code = 0;
    for (let length = 1; length <= 16; length += 1) {
      const size = 1 << (16 - length);
      for (let count = segment.getUint8(at + length); count > 0; count -= 1, value += 1) {
        if (code + size > 65_536) throw new Damaged();
        table.fill((length << 8) | segment.getUint8(value), code, code + size);
        code += size;
      }
    }
    (kind >> 4 === 0 ? dc : ac)[kind & 15] = table;
    at = value;
  }
}

interface Scan {
  readonly parts: readonly { component: Component; dc: number; ac: number }[];
  readonly first: number;
  readonly last: number;
  /** The bit that was sent before; 0: none. */
  readonly high: number;
  readonly low: number;
}

function scanOf(segment: DataView, { components, isProgressive }: Frame): Scan {
  const count = segment.getUint8(0);
  const parts = Array.from({ length: count }, (_, index) => {
    const component = components.find(({ id }) => id === segment.getUint8(1 + index * 2));
    if (!component) throw new Damaged();
    const chosen = segment.getUint8(2 + index * 2);
    return { component, dc: chosen >> 4, ac: chosen & 15 };
  });
  const bits = segment.getUint8(3 + count * 2);
  const scan = isProgressive
    ? {
        first: segment.getUint8(1 + count * 2),
        last: segment.getUint8(2 + count * 2),
        high: bits >> 4,
        low: bits & 15,
      }
    : { first: 0, last: 63, high: 0, low: 0 };
  if (count === 0 || scan.last > 63 || scan.first > scan.last) throw new Damaged();
  if (scan.first > 0 && count > 1) throw new Damaged();
  return { parts, ...scan };
}

/** The bits of a scan up to the next marker, with zeros behind them (ITU T.81, F.2.2.5). */
class ScanBits {
  at: number;
  /** Blocks without further values (ITU T.81, G.1.2.2). */
  emptyBlocks = 0;
  readonly #bytes: Uint8Array;
  #buffer = 0;
  #count = 0;
  /** Of the zeros that were added. */
  #added = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  #need(bits: number): void {
    while (this.#count < bits) {
      const byte = this.#bytes[this.at];
      const isData = byte !== undefined && (byte !== 0xff || this.#bytes[this.at + 1] === 0);
      this.#buffer = (this.#buffer << 8) | (isData ? byte : 0);
      this.#count += 8;
      if (isData) this.at += byte === 0xff ? 2 : 1;
      else this.#added += 8;
    }
  }

  read(bits: number): number {
    if (bits === 0) return 0;
    this.#need(bits);
    this.#count -= bits;
    return (this.#buffer >>> this.#count) & ((1 << bits) - 1);
  }

  code(table: HuffmanTable | undefined): number {
    // Films leave out the tables, which are then those of the standard.
    if (!table) throw new Unknown();
    this.#need(16);
    const found = table[(this.#buffer >>> (this.#count - 16)) & 0xffff] ?? 0;
    if (found === 0) throw new Damaged();
    this.#count -= found >> 8;
    return found & 255;
  }

  assertNotOver(): void {
    if (this.#count < this.#added) throw new Damaged();
  }

  /** Goes on behind the last code, whose byte is filled up. @returns the place of a marker */
  end(): number {
    this.assertNotOver();
    if (this.emptyBlocks > 0) throw new Damaged();
    const unread = (this.#count - this.#added) >> 3;
    const place = markerFrom(this.#bytes, this.at);
    if (unread + place - this.at > restMax + this.#fill(place)) throw new Damaged();
    return place;
  }

  /** FF FF: bytes to fill up with, before a marker. */
  #fill(place: number): number {
    let at = place;
    while (at > this.at && this.#bytes[at - 1] === 0xff) at -= 1;
    return place - at;
  }
}

type WalkBlock = (bits: ScanBits, block: number) => void;

/** @returns the place of the marker behind it */
function walkScan(
  bytes: Uint8Array,
  from: number,
  scan: Scan,
  frame: Frame,
  tables: Tables,
): number {
  let bits = new ScanBits(bytes, from);
  const units = unitsOf(scan, frame, tables);
  if ((tables.units += units.count) > unitsMax) throw new Unknown();
  for (let unit = 0; unit < units.count; unit += 1) {
    if (tables.restart > 0 && unit > 0 && unit % tables.restart === 0) {
      const place = bits.end();
      const expected = 0xd0 + ((unit / tables.restart - 1) & 7);
      if (bytes[place + 1] !== expected) throw new Damaged();
      bits = new ScanBits(bytes, place + 2);
      for (const { component } of scan.parts) component.before = 0;
    }
    units.walk(bits, unit);
    bits.assertNotOver();
  }
  for (const { component } of scan.parts) {
    component.before = 0;
    component.sentDownTo.fill(scan.low, scan.first, scan.last + 1);
  }
  return bits.end();
}

/** Several components are interleaved in units; one alone is not (ITU T.81, A.2). */
function unitsOf(scan: Scan, frame: Frame, tables: Tables) {
  const { width, height, acrossMax, downMax } = frame;
  const walks = scan.parts.map((part) => ({ ...part, walk: blockWalk(part, scan, frame, tables) }));
  const [only] = walks;
  if (walks.length === 1 && only) {
    const { component, walk } = only;
    const blocks = (length: number, part: number, most: number) =>
      Math.ceil(Math.ceil((length * part) / most) / 8);
    const across = blocks(width, component.across, acrossMax);
    return {
      count: across * blocks(height, component.down, downMax),
      walk: (bits: ScanBits, unit: number) =>
        walk(bits, Math.floor(unit / across) * component.stride + (unit % across)),
    };
  }
  const across = Math.ceil(width / (8 * acrossMax));
  return {
    count: across * Math.ceil(height / (8 * downMax)),
    walk: (bits: ScanBits, unit: number) => {
      const [column, row] = [unit % across, Math.floor(unit / across)];
      for (const { component, walk } of walks)
        for (let y = 0; y < component.down; y += 1)
          for (let x = 0; x < component.across; x += 1)
            walk(
              bits,
              (row * component.down + y) * component.stride + column * component.across + x,
            );
    },
  };
}

function blockWalk(
  { component, dc, ac }: Scan['parts'][number],
  scan: Scan,
  { isProgressive, bits: depth }: Frame,
  { dc: means, ac: others, meanSteps }: Tables,
): WalkBlock {
  const step = (meanSteps[component.quantity] ?? 1) << scan.low;
  const most = meanMax * 2 ** Math.max(0, depth - 8) + step;
  const mean = (bits: ScanBits) => walkMean(bits, component, means[dc], step, most);
  const rest = others[ac];
  if (!isProgressive)
    return (bits) => {
      mean(bits);
      walkValues(bits, rest);
    };
  if (scan.first === 0) return scan.high === 0 ? mean : (bits) => void bits.read(1);
  return scan.high === 0
    ? (bits, block) => walkFirst(bits, rest, scan, component.filled, block * 64)
    : (bits, block) => walkFurther(bits, rest, scan, component.filled, block * 64);
}

function walkMean(
  bits: ScanBits,
  component: Component,
  table: HuffmanTable | undefined,
  step: number,
  most: number,
): void {
  const size = bits.code(table);
  if (size > 15) throw new Damaged();
  const value = bits.read(size);
  component.before += size > 0 && value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
  if (Math.abs(component.before * step) > most) throw new Damaged();
}

/** The values of a block behind its mean (ITU T.81, F.2.2.2). */
function walkValues(bits: ScanBits, table: HuffmanTable | undefined): void {
  let least = 0;
  for (let at = 1; at < 64; at += 1) {
    const code = bits.code(table);
    const [run, size] = [code >> 4, code & 15];
    if (size === 0 && run < 15) return;
    at += run;
    if (at > 63) throw new Damaged();
    const value = bits.read(size);
    if (code === 1 && value === 0) least += 1;
  }
  // All of them are -1: zeros stand in place of the codes, and no picture has such a block.
  if (least === 63) throw new Damaged();
}

/** Values of a band for the first time (ITU T.81, G.1.2.2). */
function walkFirst(
  bits: ScanBits,
  table: HuffmanTable | undefined,
  { first, last }: Scan,
  filled: Uint8Array,
  block: number,
): void {
  if (bits.emptyBlocks > 0) {
    bits.emptyBlocks -= 1;
    return;
  }
  for (let at = first; at <= last; at += 1) {
    const code = bits.code(table);
    const [run, size] = [code >> 4, code & 15];
    if (size === 0 && run < 15) {
      bits.emptyBlocks = (1 << run) - 1 + bits.read(run);
      return;
    }
    at += run;
    if (at > last) throw new Damaged();
    bits.read(size);
    if (size > 0) filled[block + at] = 1;
  }
}

/** A further bit of each value of a band, and values that become other than zero (G.1.2.3). */
function walkFurther(
  bits: ScanBits,
  table: HuffmanTable | undefined,
  { first, last }: Scan,
  filled: Uint8Array,
  block: number,
): void {
  let at = first;
  while (bits.emptyBlocks === 0 && at <= last) {
    const code = bits.code(table);
    const [run, size] = [code >> 4, code & 15];
    if (size > 1) throw new Damaged();
    if (size === 0 && run < 15) {
      bits.emptyBlocks = (1 << run) + bits.read(run);
      break;
    }
    bits.read(size);
    let zeros = run;
    for (; at <= last; at += 1) {
      if (filled[block + at] === 1) bits.read(1);
      else if (zeros-- === 0) break;
    }
    if (at > last) {
      if (size === 1) throw new Damaged();
      return;
    }
    if (size === 1) filled[block + at] = 1;
    at += 1;
  }
  if (bits.emptyBlocks === 0) return;
  for (; at <= last; at += 1) if (filled[block + at] === 1) bits.read(1);
  bits.emptyBlocks -= 1;
}
