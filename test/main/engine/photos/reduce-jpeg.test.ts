import { decode, encode } from 'jpeg-js';
import { afterAll, describe, expect, it } from 'vitest';
import { joinBytes } from '#shared/photos/bytes.ts';
import { exifSegment } from '#shared/photos/exif.ts';
import { imageSizeOf } from '#shared/photos/photo-bytes.ts';
import { colourProfileOf } from '#shared/photos/strip-jpeg.ts';
import { PictureReducer } from '#main/engine/photos/picture-reducer.ts';
import { makeJpeg, makeLargeJpeg } from '../../../support/sample-files.ts';
import { faultLog } from '../../../support/fault-log.ts';

const reducer = new PictureReducer(faultLog);
afterAll(() => reducer.end());
const reduce = async (bytes: Uint8Array, width: number, height: number) =>
  await reducer.reduce({ bytes: Uint8Array.from(bytes), box: { width, height } });

/** Four quarters: red, green / blue, white. */
function quarters(width: number, height: number): Uint8Array {
  const data = Buffer.alloc(width * height * 4, 255);
  for (let at = 0; at < width * height; at += 1) {
    const [isRight, isBelow] = [at % width >= width / 2, at >= (width * height) / 2];
    const colour = isBelow ? (isRight ? [255, 255, 255] : [0, 0, 255]) : null;
    data.set(colour ?? (isRight ? [0, 255, 0] : [255, 0, 0]), at * 4);
  }
  return encode({ width, height, data }, 90).data;
}
function withOrientation(jpeg: Uint8Array, orientation: number): Uint8Array {
  const exif = exifSegment({ orientation, takenAt: null, place: null, device: null });
  return joinBytes([jpeg.subarray(0, 2), exif ?? new Uint8Array(), jpeg.subarray(2)]);
}
/** The colours in the middles of the four quarters. */
function coloursOf(jpeg: Uint8Array | null): string[] {
  const { width, height, data } = decode(jpeg ?? new Uint8Array(), { useTArray: true });
  const names = new Map([
    ['true false false', 'red'],
    ['false true false', 'green'],
    ['false false true', 'blue'],
    ['true true true', 'white'],
  ]);
  return [0.25, 0.75].flatMap((down) =>
    [0.25, 0.75].map((across) => {
      const at = (Math.floor(height * down) * width + Math.floor(width * across)) * 4;
      return names.get([...data.subarray(at, at + 3)].map((one) => one > 127).join(' ')) ?? '?';
    }),
  );
}

describe('a photo on a page', () => {
  it('has no more pixels than its place shows', async () => {
    const photo = quarters(800, 600);
    const reduced = await reduce(photo, 400, 150);
    expect(reduced && imageSizeOf(reduced)).toEqual({ width: 200, height: 150 });
    expect(coloursOf(reduced)).toEqual(['red', 'green', 'blue', 'white']);
    expect(reduced?.length).toBeLessThan(photo.length);
  });

  it('is the average of the pixels that it had: fine lines do not disappear', async () => {
    const [width, height] = [300, 200];
    const data = Buffer.alloc(width * height * 4, 255);
    // Every third column is black.
    for (let at = 0; at < width * height; at += 3) data.set([0, 0, 0], at * 4);
    const reduced = await reduce(encode({ width, height, data }, 95).data, 137, 91);
    const { data: pixels } = decode(reduced ?? new Uint8Array(), { useTArray: true });
    const greens = pixels.filter((_, at) => at % 4 === 1);
    const sum = greens.reduce((all, one) => all + one, 0);
    expect(sum / greens.length).toBeCloseTo(170, -1);
    // At most half of a pixel is black; one taken from the photo would be black or white.
    expect(Math.min(...greens)).toBeGreaterThan(100);
    expect(Math.max(...greens)).toBeLessThan(250);
  });

  it.each([
    [1, ['red', 'green', 'blue', 'white']],
    [2, ['green', 'red', 'white', 'blue']],
    [3, ['white', 'blue', 'green', 'red']],
    [4, ['blue', 'white', 'red', 'green']],
    [5, ['red', 'blue', 'green', 'white']],
    [6, ['blue', 'red', 'white', 'green']],
    [7, ['white', 'green', 'blue', 'red']],
    [8, ['green', 'white', 'red', 'blue']],
  ])('stands upright, taken with orientation %s', async (orientation, colours) => {
    const reduced = await reduce(withOrientation(quarters(192, 128), orientation), 96, 96);
    const [width, height] = orientation > 4 ? [64, 96] : [96, 64];
    expect(reduced && imageSizeOf(reduced)).toEqual({ width, height });
    expect(coloursOf(reduced)).toEqual(colours);
    // Also if it is small enough.
    const turned = await reduce(withOrientation(quarters(192, 128), orientation), 192, 192);
    expect(coloursOf(turned)).toEqual(colours);
  });

  it('has its colour profile', async () => {
    const profile = colourProfileOf(makeLargeJpeg(200_000));
    const plain = quarters(800, 600);
    const photo = joinBytes([plain.subarray(0, 2), ...profile, plain.subarray(2)]);
    const reduced = await reduce(photo, 160, 160);
    expect(reduced && imageSizeOf(reduced)).toEqual({ width: 160, height: 120 });
    const found = joinBytes(colourProfileOf(reduced ?? new Uint8Array()));
    expect(Buffer.compare(found, joinBytes(profile))).toBe(0);
  });

  it.each([
    ['small enough', makeJpeg()],
    ['hardly too large', quarters(70, 70)],
    ['a line', quarters(2000, 20)],
    ['cut off', quarters(800, 600).slice(0, 3000)],
    ['another format', Buffer.from('\x89PNG\r\n\x1a\nno picture follows', 'latin1')],
    ['empty', new Uint8Array()],
  ])('stays as it is if it is %s', async (_, bytes) => {
    const reduced = await reduce(bytes, 64, 64);
    expect(reduced && Buffer.compare(reduced, bytes)).toBe(0);
  });

  it('stays if it cannot be decoded, and the next one is reduced', async () => {
    const broken = Uint8Array.from(quarters(800, 600));
    // The marker of the first table of Huffman codes.
    const table = broken.findIndex((byte, at) => byte === 0xff && broken[at + 1] === 0xc4);
    broken.fill(0xee, table + 4, table + 24);
    const reduced = await reduce(broken, 100, 100);
    expect(reduced === null || Buffer.compare(reduced, broken) === 0).toBe(true);
    expect(coloursOf(await reduce(quarters(800, 600), 100, 100))).toContain('red');
  });
});
