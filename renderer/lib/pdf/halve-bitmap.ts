/** A picture at half of its width and height, four bytes for each pixel: red, green, blue, 255. */
interface HalvedPicture {
  /** The size of the whole picture. */
  readonly width: number;
  readonly height: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly pixels: Uint32Array<ArrayBuffer>;
}

/** Where the entries of a BMP's head are, and where its table of colours follows, in bytes. */
const place = {
  pixels: 10,
  width: 18,
  height: 22,
  bits: 28,
  compression: 30,
  colours: 54,
} as const;

/**
 * Halves a BMP in the two forms in which pdf.js hands over a large picture: black and white with one
 * bit, and colour with 24 bits, both from the top. Each pixel is the mean of four, as the browser
 * draws a picture at half of its size. The whole picture would take four bytes for each pixel.
 * @returns null if the BMP has another form
 */
export function halveBitmap(bmp: Uint8Array<ArrayBuffer>): HalvedPicture | null {
  const view = new DataView(bmp.buffer, bmp.byteOffset, bmp.byteLength);
  const bits = view.getUint16(place.bits, true);
  const width = view.getInt32(place.width, true);
  const height = -view.getInt32(place.height, true);
  const isPlain = view.getUint32(place.compression, true) === 0;
  const [halfWidth, halfHeight] = [width >> 1, height >> 1];
  if (!isPlain || (bits !== 1 && bits !== 24) || halfWidth < 1 || halfHeight < 1) return null;
  const stored = bmp.subarray(view.getUint32(place.pixels, true));
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  const pixels = new Uint32Array(halfWidth * halfHeight);
  const greys =
    bits === 1 ? greysBetween(bmp[place.colours] ?? 0, bmp[place.colours + 4] ?? 0) : [];
  for (let y = 0; y < halfHeight; y += 1) {
    const upper = stored.subarray(2 * y * rowBytes, (2 * y + 1) * rowBytes);
    const lower = stored.subarray((2 * y + 1) * rowBytes, (2 * y + 2) * rowBytes);
    const row = pixels.subarray(y * halfWidth, (y + 1) * halfWidth);
    if (bits === 1) halveBits(row, upper, lower, greys);
    else halveColours(row, upper, lower);
  }
  return { width, height, halfWidth, halfHeight, pixels };
}

/** The processors for which browsers are made store the lowest byte first. */
const opaque = 0xff_00_00_00;

/** Five greys: the means of four pixels, of which none to all have the second of the two values. */
const greysBetween = (first: number, second: number): readonly number[] =>
  [0, 1, 2, 3, 4].map(
    (count) => opaque | (Math.round(first + ((second - first) * count) / 4) * 0x01_01_01),
  );

type Row = Uint8Array<ArrayBuffer>;

function halveBits(
  row: Uint32Array<ArrayBuffer>,
  upper: Row,
  lower: Row,
  greys: readonly number[],
): void {
  for (let x = 0; x < row.length; x += 1) {
    const shift = 6 - 2 * (x & 3);
    const four =
      (((upper[x >> 2] ?? 0) >> shift) & 3) | ((((lower[x >> 2] ?? 0) >> shift) & 3) << 2);
    row[x] = greys[(four & 1) + ((four >> 1) & 1) + ((four >> 2) & 1) + (four >> 3)] ?? 0;
  }
}

function halveColours(row: Uint32Array<ArrayBuffer>, upper: Row, lower: Row): void {
  const meanAt = (at: number) =>
    ((upper[at] ?? 0) + (upper[at + 3] ?? 0) + (lower[at] ?? 0) + (lower[at + 3] ?? 0) + 2) >> 2;
  for (let x = 0; x < row.length; x += 1) {
    const at = x * 6;
    // A BMP has blue first.
    row[x] = opaque | (meanAt(at) << 16) | (meanAt(at + 1) << 8) | meanAt(at + 2);
  }
}
