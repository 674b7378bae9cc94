import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ExifReader from 'exifreader';
import fc from 'fast-check';
import { encode } from 'jpeg-js';
import { expect, test } from 'vitest';
import { hasMetadata, imageSizeOf, isCutOff, withoutSegment } from '#shared/photos/photo-bytes.ts';
import { noEdit, turnEdit } from '#shared/photos/edit.ts';
import { exifSegment } from '#shared/photos/exif.ts';
import { makeCameraPhoto, placeMark, makeHugePng, makeJpeg } from '../../support/sample-files.ts';

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

const nothing = { takenAt: null, place: null, device: null, orientation: 1 };
const photo = { width: 32, height: 24, orientation: 6, takenAt: '2026:05:01 10:00:00', seed: 1 };

test('what is written of EXIF is what another program reads, and nothing else', () => {
  const jpeg = makeJpeg();
  const segment = exifSegment({
    takenAt: '2026-05-01T10:00:00',
    place: { latitude: -33.8568, longitude: 151.2153 },
    device: { make: 'Zürich', model: 'M 1' },
    orientation: 1,
  });
  if (!segment) throw new Error('nothing was written');
  const bytes = Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
  const { exif, gps } = ExifReader.load(bytes, { expanded: true });
  expect(exif).toMatchObject({
    DateTimeOriginal: { description: '2026:05:01 10:00:00' },
    Make: { description: 'Z?rich' },
    Model: { description: 'M 1' },
  });
  expect(gps).toEqual({
    Latitude: expect.closeTo(-33.8568, 4) as number,
    Longitude: expect.closeTo(151.2153, 4) as number,
  });
  expect(exifSegment(nothing)).toBeNull();
  expect([hasMetadata(bytes), hasMetadata(withoutSegment(bytes, segment))]).toEqual([true, false]);
});

test('a picture that tells more than its pixels, or ends too early, is known', () => {
  const camera = makeCameraPhoto(photo);
  expect(camera.includes(placeMark)).toBe(true);
  expect(hasMetadata(camera)).toBe(true);
  expect(hasMetadata(makeJpeg())).toBe(false);
  // A video, or the photo itself in another size, behind the end.
  expect(hasMetadata(makeJpeg(10_000))).toBe(true);
  expect(hasMetadata(makeHugePng(8))).toBe(false);
  const whole = [camera, makeJpeg(10_000), makeHugePng(8)];
  expect(whole.map(isCutOff)).toEqual([false, false, false]);
  const cut = [camera.subarray(0, -2), camera.subarray(0, 600), makeHugePng(8).subarray(0, -4)];
  expect(cut.map(isCutOff)).toEqual([true, true, true]);
});

test('the size of a JPEG is read behind bytes that belong to no segment, as decoders do', () => {
  const jpeg = makeJpeg();
  const table = jpeg.indexOf(Buffer.from([0xff, 0xdb]));
  const junk = Buffer.from('hello\xff\0', 'latin1');
  const file = Buffer.concat([jpeg.subarray(0, table), junk, jpeg.subarray(table)]);
  expect(imageSizeOf(file)).toEqual({ width: 64, height: 48 });
  expect(isCutOff(file)).toBe(false);
});

test('marks and the cut keep their place on a photo that is turned four times', () => {
  const mark = { kind: 'arrow' as const, colour: 'red' as const, width: 6, text: '' };
  const points = [100, 50, 400, 300];
  const edit = { ...noEdit, marks: [{ ...mark, points }], crop: [10, 20, 900, 700] as const };
  let turned = turnEdit({ ...edit, crop: [...edit.crop] }, 750);
  expect(turned).toMatchObject({
    turns: 1,
    crop: [50, 10, 730, 900],
    marks: [{ points: [700, 100, 450, 400] }],
  });
  for (const height of [1000, 750, 1000]) turned = turnEdit(turned, height);
  expect(turned).toEqual(edit);
});

const png = (width: number, height: number) => {
  const head = new Uint8Array(33);
  head.set(latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'));
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
    Uint8Array.from([...latin1(`RIFF\0\0\0\0WEBP${kind}\0\0\0\0`), ...rest, ...new Uint8Array(12)]);
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
    [...latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
    [...latin1('RIFF\0\0\0\0WEBPVP8X')],
    [],
  );
  let found = 0;
  fc.assert(
    fc.property(starts, fc.uint8Array({ maxLength: 200 }), (start, rest) => {
      const size = imageSizeOf(Uint8Array.from([...start, ...rest]));
      found += size === null ? 0 : 1;
      expect(Math.min(size?.width ?? 1, size?.height ?? 1)).toBeGreaterThan(0);
    }),
    { numRuns: 500 },
  );
  expect(found).toBeGreaterThan(0);
});

test('bytes behind the end of a picture, and chunks that are no part of it, are more than its pixels', () => {
  const fixture = (name: string) =>
    new Uint8Array(readFileSync(join(import.meta.dirname, '../../support/fixtures', name)));
  expect(hasMetadata(fixture('acropalypse.png'))).toBe(true);
  expect(hasMetadata(fixture('webp-trailing.webp'))).toBe(true);
  const png = makeHugePng(8);
  const chunk = Buffer.concat([Buffer.from([0, 0, 0, 1]), latin1('prVt'), Buffer.alloc(5)]);
  expect(hasMetadata(Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]))).toBe(true);
});
