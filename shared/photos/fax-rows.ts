import { TiffError } from './tiff.ts';

/*
 * ITU-T T.6 ("Group 4"), in which every office scans: each row is described by how it differs from
 * the row above. One wrong bit spoils all that follows, so a decoder must notice it.
 */

/** Codes of 0, 1, 2 ... 63 pixels, then of 64, 128 ... 1,728 (T.4, tables 2 and 3). */
const whiteCodes =
  '00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101 ' +
  '101010 101011 0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000 00000010 00000011 00011010 ' +
  '00011011 00010010 00010011 00010100 00010101 00010110 00010111 00101000 00101001 00101010 00101011 00101100 00101101 00000100 00000101 00001010 ' +
  '00001011 01010010 01010011 01010100 01010101 00100100 00100101 01011000 01011001 01011010 01011011 01001010 01001011 00110010 00110011 00110100 ' +
  '11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111 011001100 011001101 011010010 011010011 011010100 011010101 011010110 ' +
  '011010111 011011000 011011001 011011010 011011011 010011000 010011001 010011010 011000 010011011';
const blackCodes =
  '0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111 000011000 ' +
  '0000010111 0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000 00000010111 00000011000 000011001010 000011001011 000011001100 000011001101 000001101000 000001101001 ' +
  '000001101010 000001101011 000011010010 000011010011 000011010100 000011010101 000011010110 000011010111 000001101100 000001101101 000011011010 000011011011 000001010100 000001010101 000001010110 000001010111 ' +
  '000001100100 000001100101 000001010010 000001010011 000000100100 000000110111 000000111000 000000100111 000000101000 000001011000 000001011001 000000101011 000000101100 000001011010 000001100110 000001100111 ' +
  '0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 0000001101100 0000001101101 0000001001010 0000001001011 0000001001100 ' +
  '0000001001101 0000001110010 0000001110011 0000001110100 0000001110101 0000001110110 0000001110111 0000001010010 0000001010011 0000001010100 0000001010101 0000001011010 ' +
  '0000001011011 0000001100100 0000001100101';
/** Of 1,792, 1,856 ... 2,560 pixels of either colour. */
const longCodes =
  '00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110 000000010111 000000011100 000000011101 000000011110 000000011111';
/** How far a change is from the one above (T.6, table 1), a change above that is passed, two runs. */
const pass = 10;
const runs = 11;
const extension = 12;
const end = 13;
const modes: readonly (readonly [string, number])[] = [
  ...([
    ['1', 0],
    ['011', 1],
    ['000011', 2],
    ['0000011', 3],
  ] as const),
  ...([
    ['010', -1],
    ['000010', -2],
    ['0000010', -3],
  ] as const),
  ...([
    ['0001', pass],
    ['001', runs],
    ['0000001', extension],
    ['000000000001', end],
  ] as const),
];

/** A code's value by its bits behind a 1, so that leading zeros count. */
const tableOf = (codes: readonly (readonly [string, number])[]) =>
  new Map(codes.map(([bits, value]) => [Number.parseInt(`1${bits}`, 2), value]));
const runTable = (codes: string) =>
  tableOf([
    ...codes.split(' ').map((bits, at) => [bits, at < 64 ? at : (at - 63) * 64] as const),
    ...longCodes.split(' ').map((bits, at) => [bits, 1792 + at * 64] as const),
  ]);
const modeTable = tableOf(modes);
const runTables = [runTable(whiteCodes), runTable(blackCodes)] as const;
const codeBitsMax = 13;

type ReadCode = (table: ReadonlyMap<number, number>) => number;

interface FaxBits {
  readonly read: ReadCode;
  readonly bit: () => number;
  /** Passes an end of a line, which is eleven zeros or more and a one, if it stands here. */
  readonly passLineEnd: () => void;
  readonly toByte: () => void;
}

function bitsOf(bytes: Uint8Array, isLowBitFirst: boolean): FaxBits {
  let at = 0;
  const bit = () => {
    if (at >> 3 >= bytes.length) throw new TiffError('cut_off');
    const shift = isLowBitFirst ? at & 7 : 7 - (at & 7);
    const value = ((bytes[at >> 3] ?? 0) >> shift) & 1;
    at += 1;
    return value;
  };
  const read: ReadCode = (table) => {
    let code = 1;
    for (let length = 0; length < codeBitsMax; length += 1) {
      code = (code << 1) | bit();
      const value = table.get(code);
      if (value !== undefined) return value;
    }
    throw new TiffError('unreadable');
  };
  const passLineEnd = () => {
    const start = at;
    let zeros = 0;
    while (at >> 3 < bytes.length && bit() === 0) zeros += 1;
    if (zeros < lineEndZeros) at = start;
  };
  const toByte = () => {
    at = (at + 7) & ~7;
  };
  return { read, bit, passLineEnd, toByte };
}

/** T.4, 4.1.2: before the one that ends them; more fill a line up. */
const lineEndZeros = 11;

function runOf(read: ReadCode, colour: number): number {
  const table = runTables[colour === 0 ? 0 : 1];
  let length = 0;
  for (;;) {
    const part = read(table);
    length += part;
    if (part < 64) return length;
  }
}

/**
 * The places at which a row changes its colour, from white on.
 * @param above those of the row before
 */
function changesOf(read: ReadCode, above: readonly number[], width: number): number[] {
  const changes: number[] = [];
  let at = -1;
  /** The first change above behind this place. */
  let next = 0;
  const changeTo = (place: number) => {
    // Runs of no pixels are allowed, and would fill the memory.
    if (place < Math.max(at, 0) || place > width || changes.length > 2 * width + 2)
      throw new TiffError('unreadable');
    changes.push(place);
    at = place;
  };
  while (at < width) {
    const colour = changes.length & 1;
    while (next > 0 && (above[next - 1] ?? width) > at) next -= 1;
    while ((above[next] ?? width) <= at && next < above.length) next += 1;
    const opposite = (next & 1) === colour ? next : next + 1;
    const mode = read(modeTable);
    if (mode === end) throw new TiffError('cut_off');
    if (mode === extension) throw new TiffError('unsupported');
    if (mode === pass) at = above[opposite + 1] ?? width;
    else if (mode === runs) {
      changeTo(Math.max(at, 0) + runOf(read, colour));
      changeTo(at + runOf(read, 1 - colour));
    } else changeTo((above[opposite] ?? width) + mode);
  }
  return changes;
}

/**
 * Decodes a part of a page in Group 4: rows of whole bytes, in which a 1 is black.
 * @throws {TiffError} at the first wrong code, and if rows are missing: they would be white
 */
export function faxRows(
  bytes: Uint8Array,
  { width, rows, isLowBitFirst }: { width: number; rows: number; isLowBitFirst: boolean },
): Uint8Array {
  const perRow = Math.ceil(width / 8);
  const out = new Uint8Array(perRow * rows);
  const { read } = bitsOf(bytes, isLowBitFirst);
  let above: readonly number[] = [];
  for (let row = 0; row < rows; row += 1) {
    const changes = changesOf(read, above, width);
    for (let index = 0; index < changes.length; index += 2)
      for (let x = changes[index] ?? width; x < (changes[index + 1] ?? width); x += 1) {
        const place = row * perRow + (x >> 3);
        out[place] = (out[place] ?? 0) | (0x80 >> (x & 7));
      }
    above = changes;
  }
  return out;
}

/** How a fax of one dimension, or of Group 3, was written (TIFF 6.0, sections 10 and 11). */
export interface FaxShape {
  readonly width: number;
  readonly rows: number;
  readonly isLowBitFirst: boolean;
  /** Some rows are described by how they differ from the one above. */
  readonly isTwoDimensional: boolean;
  /** Modified Huffman: each row begins with a byte, and no end of a line stands between. */
  readonly isInBytes: boolean;
}

/**
 * Reads a part of a page in Group 3 or modified Huffman to its last row.
 * @throws {TiffError} at the first wrong code, and if rows are missing or of another length
 */
export function assertFaxRows(bytes: Uint8Array, shape: FaxShape): void {
  const { width, rows, isLowBitFirst, isTwoDimensional, isInBytes } = shape;
  const { read, bit, passLineEnd, toByte } = bitsOf(bytes, isLowBitFirst);
  let above: readonly number[] = [];
  for (let row = 0; row < rows; row += 1) {
    if (isInBytes) toByte();
    else passLineEnd();
    const isOfRuns = !isTwoDimensional || bit() === 1;
    above = isOfRuns ? runChanges(read, width) : changesOf(read, above, width);
  }
}

function runChanges(read: ReadCode, width: number): number[] {
  const changes: number[] = [];
  for (let at = 0; at < width;) {
    at += runOf(read, changes.length & 1);
    if (at > width || changes.length > 2 * width + 2) throw new TiffError('unreadable');
    changes.push(at);
  }
  return changes;
}
