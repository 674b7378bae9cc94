import { expect, test } from 'vitest';
import { halveBitmap } from '#renderer/lib/pdf/halve-bitmap.ts';

/** The values of a pixel: red, green, blue. */
type Pixel = readonly [number, number, number];
type Picture = readonly (readonly Pixel[])[];

/** A picture in colour, as pdf.js writes it. */
function bitmapOf(picture: Picture, { bits = 24, compression = 0 } = {}): Uint8Array<ArrayBuffer> {
  const width = picture[0]?.length ?? 0;
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  const tableBytes = bits === 1 ? 8 : 0;
  const bmp = Buffer.alloc(54 + tableBytes + rowBytes * picture.length);
  bmp.writeUInt32LE(54 + tableBytes, 10);
  bmp.writeInt32LE(width, 18);
  bmp.writeInt32LE(-picture.length, 22);
  bmp.writeUInt16LE(bits, 28);
  bmp.writeUInt32LE(compression, 30);
  if (bits === 1) bmp.fill(255, 58, 62);
  picture.forEach((row, y) => {
    row.forEach(([red, green, blue], x) => {
      const at = 54 + tableBytes + y * rowBytes;
      if (bits === 24) bmp.set([blue, green, red], at + x * 3);
      else if (red > 0) bmp[at + (x >> 3)] = (bmp[at + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    });
  });
  return new Uint8Array(bmp);
}

/** The means of four pixels, counted plainly. A last odd row and column is left out. */
const halved = (picture: Picture) =>
  Array.from({ length: picture.length >> 1 }, (_, y) =>
    Array.from({ length: (picture[0]?.length ?? 0) >> 1 }, (__, x) => {
      const four = [2 * y, 2 * y + 1].flatMap((row) =>
        [2 * x, 2 * x + 1].map((column) => picture[row]?.[column] ?? [0, 0, 0]),
      );
      return [0, 1, 2].map((colour) =>
        Math.round(four.reduce((sum, pixel) => sum + (pixel[colour] ?? 0), 0) / 4),
      );
    }),
  ).flat();

function read(bmp: Uint8Array<ArrayBuffer>) {
  const found = halveBitmap(bmp);
  if (!found) return null;
  const { pixels, ...size } = found;
  const bytes = [...new Uint8Array(pixels.buffer)];
  return {
    size,
    pixels: Array.from(pixels, (_, at) => bytes.slice(at * 4, at * 4 + 3)),
    isOpaque: bytes.every((byte, at) => at % 4 < 3 || byte === 255),
  };
}

const sizes = [
  [8, 4],
  [13, 7],
  [2, 2],
  [35, 3],
] as const;

test.each(sizes)('halves %i x %i pixels in colour', (width, height) => {
  const picture = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (__, x): Pixel => [
      (x * 37) % 256,
      (y * 71) % 256,
      (x * y) % 256,
    ]),
  );
  expect(read(bitmapOf(picture))).toEqual({
    size: { width, height, halfWidth: width >> 1, halfHeight: height >> 1 },
    pixels: halved(picture),
    isOpaque: true,
  });
});

test.each(sizes)('halves %i x %i pixels in black and white', (width, height) => {
  const picture = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (__, x): Pixel => {
      const value = (x * 5 + y * 3 + x * y) % 7 < 3 ? 255 : 0;
      return [value, value, value];
    }),
  );
  expect(read(bitmapOf(picture, { bits: 1 }))).toEqual({
    size: { width, height, halfWidth: width >> 1, halfHeight: height >> 1 },
    pixels: halved(picture),
    isOpaque: true,
  });
});

test('leaves other forms to the browser', () => {
  const picture: Picture = [
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    [
      [7, 8, 9],
      [1, 2, 3],
    ],
  ];
  expect(read(bitmapOf(picture, { bits: 32 }))).toBeNull();
  expect(read(bitmapOf(picture, { compression: 3 }))).toBeNull();
  expect(read(bitmapOf(picture.slice(0, 1)))).toBeNull();
});
