import exifr from 'exifr';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCutOff, hasMetadata, withoutSegment } from '#shared/photos/photo-bytes.ts';
import { noEdit, turnEdit } from '#shared/photos/edit.ts';
import { exifSegment } from '#shared/photos/exif.ts';
import { makeCameraPhoto, makeScan, placeMark } from '../../support/photo-samples.ts';
import { makeHugePng, makeJpeg } from '../../support/sample-files.ts';

const nothing = { takenAt: null, place: null, device: null };
const photo = { width: 32, height: 24, orientation: 6, takenAt: '2026:05:01 10:00:00', seed: 1 };

test('what is written of EXIF is what another program reads, and nothing else', async () => {
  const jpeg = makeJpeg();
  const segment = exifSegment({
    takenAt: '2026-05-01T10:00:00',
    place: { latitude: -33.8568, longitude: 151.2153 },
    device: { make: 'Zürich', model: 'M 1' },
  });
  if (!segment) throw new Error('nothing was written');
  const bytes = Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
  const read: unknown = await exifr.parse(bytes, { reviveValues: false });
  expect(read).toMatchObject({
    DateTimeOriginal: '2026:05:01 10:00:00',
    Make: 'Z?rich',
    Model: 'M 1',
    latitude: expect.closeTo(-33.8568, 4) as number,
    longitude: expect.closeTo(151.2153, 4) as number,
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

test('a scan of several pages is whole only with the last byte of each page', () => {
  const scan = makeScan([200, 120, 40]);
  expect(isCutOff(scan)).toBe(false);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: scan.length - 1 }), (length) => {
      expect(isCutOff(scan.subarray(0, length))).toBe(true);
    }),
  );
  // A chain of pages that goes in circles ends, and a wild count of strips makes no list.
  fc.assert(
    fc.property(fc.integer({ min: 4, max: scan.length - 1 }), fc.integer(), (at, value) => {
      const broken = Buffer.from(scan);
      broken.writeInt8((value % 128) | 0, at);
      expect(typeof isCutOff(broken)).toBe('boolean');
    }),
  );
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
