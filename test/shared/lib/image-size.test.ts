import { encode } from 'jpeg-js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { imageSizeOf } from '#shared/lib/image-size.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

const png = (width: number, height: number) => {
  const head = new Uint8Array(33);
  head.set(bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'));
  new DataView(head.buffer).setUint32(16, width);
  new DataView(head.buffer).setUint32(20, height);
  return head;
};

test('the size of a PNG is in its first chunk', () => {
  expect(imageSizeOf(png(30_000, 30_000))).toEqual({ width: 30_000, height: 30_000 });
  expect(imageSizeOf(png(0, 5))).toBeNull();
});

test('the size of a JPEG is found behind what a camera writes before it', () => {
  const { data } = encode({ width: 64, height: 48, data: new Uint8Array(64 * 48 * 4) }, 80);
  const plain = Uint8Array.from(data);
  expect(imageSizeOf(plain)).toEqual({ width: 64, height: 48 });
  const exif = new Uint8Array(2 + 60_000);
  exif.set([0xff, 0xe1, 60_000 >> 8, 60_000 & 0xff]);
  const shot = new Uint8Array([...plain.subarray(0, 2), ...exif, 0xff, ...plain.subarray(2)]);
  expect(imageSizeOf(shot)).toEqual({ width: 64, height: 48 });
  expect(imageSizeOf(shot.subarray(0, 50_000))).toBeNull();
});

test('all three kinds of WebP', () => {
  const webp = (kind: string, rest: number[]) =>
    Uint8Array.from([...bytes(`RIFF\0\0\0\0WEBP${kind}\0\0\0\0`), ...rest, ...new Uint8Array(12)]);
  expect(imageSizeOf(webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 0x40, 0x01, 0xf0, 0x00]))).toEqual({
    width: 320,
    height: 240,
  });
  expect(imageSizeOf(webp('VP8L', [0x2f, 0x3f, 0xc1, 0x3b, 0]))).toEqual({
    width: 320,
    height: 240,
  });
  expect(imageSizeOf(webp('VP8X', [0, 0, 0, 0, 0x3f, 1, 0, 0xef, 0, 0]))).toEqual({
    width: 320,
    height: 240,
  });
});

test('nothing that comes makes it fail, or run on', () => {
  const starts = fc.constantFrom<number[]>(
    [0xff, 0xd8],
    [0xff, 0xd8, 0xff],
    [...bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
    [...bytes('RIFF\0\0\0\0WEBPVP8X')],
    [],
  );
  fc.assert(
    fc.property(starts, fc.uint8Array({ maxLength: 200 }), (start, rest) => {
      const size = imageSizeOf(Uint8Array.from([...start, ...rest]));
      if (size !== null) expect(Math.min(size.width, size.height)).toBeGreaterThan(0);
    }),
    { numRuns: 500 },
  );
});
