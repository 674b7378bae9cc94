import { Unzlib } from 'fflate';

/** Samples of a pixel, by colour type (PNG specification, 11.2.1). */
const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Adam7's passes (8.1): the first column, each nth, the first row, each nth. */
const passes = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const;
const whole = [[0, 1, 0, 1]] as const;

/**
 * Bytes of all rows of a picture, each with the byte of its filter in front (7.2).
 * @param header content of IHDR
 */
function bytesOfRows(header: Uint8Array): number {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const bits = view.getUint8(8) * (samples[view.getUint8(9)] ?? 0);
  return (view.getUint8(12) === 0 ? whole : passes).reduce((sum, [left, right, top, down]) => {
    const columns = Math.ceil(Math.max(0, width - left) / right);
    const rows = Math.ceil(Math.max(0, height - top) / down);
    return sum + (columns === 0 ? 0 : rows * (1 + Math.ceil((columns * bits) / 8)));
  }, 0);
}

/** Additions before a sum of 32 bits may be too large (RFC 1950, section 9). */
const unreduced = 3800;

/** RFC 1950, section 8.2. */
function adlerAfter([low, high]: readonly [number, number], bytes: Uint8Array): [number, number] {
  let [a, b] = [low, high];
  for (let at = 0; at < bytes.length; at += unreduced) {
    for (const byte of bytes.subarray(at, at + unreduced)) {
      a += byte;
      b += a;
    }
    a %= 65_521;
    b %= 65_521;
  }
  return [a, b];
}

/** Unpacked at a time: a factor of 1,032 at most. */
const pieceBytes = 16 * 1024;

/**
 * Bytes that data of zlib unpack to.
 * @param onBytes given what is unpacked, in order
 * @returns null if they are damaged, are more than `max`, or have something behind their checksum
 */
export function unpackedLength(
  data: Uint8Array,
  max: number,
  onBytes: (bytes: Uint8Array) => void = () => undefined,
): number | null {
  if (data.length < 4) return null;
  let count = 0;
  let sum: [number, number] = [1, 0];
  const unpacker = new Unzlib((bytes) => {
    count += bytes.length;
    if (count > max) return;
    sum = adlerAfter(sum, bytes);
    onBytes(bytes);
  });
  try {
    for (let at = 0; at < data.length && count <= max; at += pieceBytes)
      unpacker.push(data.subarray(at, at + pieceBytes), at + pieceBytes >= data.length);
  } catch {
    return null;
  }
  const end = new DataView(data.buffer, data.byteOffset + data.length - 4);
  const isEnd = end.getUint16(0) === sum[1] && end.getUint16(2) === sum[0];
  return count <= max && isEnd ? count : null;
}

/**
 * Whether the data of a picture unpack to its rows, and to nothing behind them. Readers stop after the
 * last row, and show no trace of what follows it.
 * @param header content of IHDR
 * @param data contents of all IDAT, joined
 */
export function hasOnlyRows(header: Uint8Array, data: Uint8Array): boolean {
  if (header.length < 13) return false;
  const expected = bytesOfRows(header);
  return unpackedLength(data, expected) === expected;
}

const profileHeadBytes = 128;
/** The largest of printers have 3 MB. */
const profileBytesMax = 8 * 1024 * 1024;

/**
 * Whether a colour profile is one, which begins with its length (ICC.1, 7.2.2), and up to three bytes
 * that fill it up.
 * @param content of iCCP: a name, a zero, the method, and the profile, packed (11.3.2.3)
 */
export function isOneProfile(content: Uint8Array): boolean {
  const head: number[] = [];
  const length = unpackedLength(
    content.subarray(content.indexOf(0) + 2),
    profileBytesMax,
    (bytes) => head.push(...bytes.subarray(0, 4 - head.length)),
  );
  const stated = new DataView(Uint8Array.from([...head, 0, 0, 0, 0]).buffer).getUint32(0);
  return length !== null && stated >= profileHeadBytes && length >= stated && length < stated + 4;
}
