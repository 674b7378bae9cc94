import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode as decodeJpeg } from 'jpeg-js';
import fc from 'fast-check';
import { decode, decodeImage, toRGBA8 } from 'utif2';
import { expect, test } from 'vitest';
import { readExif } from '#shared/photos/read-exif.ts';
import { type PictureType, strippedPicture } from '#shared/photos/strip-picture.ts';
import {
  makeCameraPhoto,
  makeJpeg,
  makeScan,
  placeMark,
  telephonePhotos,
  thumbnailMark,
} from '../../support/sample-files.ts';

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../support/fixtures', name));
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

function strip(bytes: Uint8Array, contentType: PictureType): Buffer {
  const { bytes: stripped } = strippedPicture(new Uint8Array(bytes), contentType);
  if (!stripped) throw new Error('it was not stripped');
  // What was stripped once stays as it is.
  const again = strippedPicture(new Uint8Array(stripped), contentType);
  expect(again.isSame).toBe(true);
  return Buffer.from(stripped);
}

const segment = (marker: number, text: string) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(text.length + 2, 2);
  return Buffer.concat([head, Buffer.from(text, 'latin1')]);
};

test.each([1, 3, 6, 8])('a photo of orientation %i retains pixels, orientation and time', (o) => {
  const photo = makeCameraPhoto({
    ...{ width: 80, height: 60, orientation: o, takenAt: '2026:05:01 10:11:12', seed: 3 },
  });
  const behind = Buffer.concat([photo, Buffer.from('BEHINDTHEEND')]);
  const stripped = strip(behind, 'image/jpeg');
  for (const mark of [placeMark, thumbnailMark, 'DEVICEMARK', 'BEHINDTHEEND'])
    expect(latin1(stripped)).not.toContain(mark);
  expect(readExif(new Uint8Array(stripped).buffer)).toEqual({
    ...{ takenAt: '2026-05-01T10:11:12', orientation: o, place: null, device: null },
  });
  expect(decodeJpeg(stripped).data.equals(decodeJpeg(photo).data)).toBe(true);
});

test('a JPEG retains its colour profile, and no comment, XMP, or segment of a program', () => {
  const plain = makeJpeg();
  const dressed = Buffer.concat([
    plain.subarray(0, 2),
    segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x>XMPMARK</x>'),
    segment(0xe2, 'ICC_PROFILE\0\x01\x01profile'),
    segment(0xe2, 'MPF\0MPFMARK'),
    segment(0xed, 'Photoshop 3.0\0IPTCMARK'),
    segment(0xfe, 'COMMENTMARK'),
    plain.subarray(2),
  ]);
  const stripped = latin1(strip(dressed, 'image/jpeg'));
  expect(stripped).toContain('ICC_PROFILE');
  expect(stripped.match(/[A-Z]{3,}MARK/g)).toBeNull();
});

test('bytes between the segments of a JPEG are left out', () => {
  const photo = makeJpeg();
  const between = Buffer.concat([
    photo.subarray(0, 20),
    Buffer.from('BETWEEN'),
    photo.subarray(20),
  ]);
  expect(strip(between, 'image/jpeg').equals(photo)).toBe(true);
});

test('a PNG has nothing behind its end, and a WebP neither', () => {
  const png = fixture('acropalypse.png');
  expect(strip(png, 'image/png').length).toBe(png.indexOf('IEND') + 8);
  const webp = fixture('webp-trailing.webp');
  expect(strip(webp, 'image/webp').length).toBe(webp.readUInt32LE(4) + 8);
});

test('a TIFF has the pixels of its pages, its orientation, and neither a small copy nor a text', () => {
  const pixelsOf = (bytes: Buffer) => {
    const file = new Uint8Array(bytes).buffer;
    return decode(file).map((page) => {
      decodeImage(file, page);
      return Buffer.from(toRGBA8(page));
    });
  };
  const scan = Buffer.concat([makeScan([90, 160]), Buffer.from('BEHINDTHEEND')]);
  const stripped = strip(scan, 'image/tiff');
  expect(latin1(stripped)).not.toContain('BEHINDTHEEND');
  expect(pixelsOf(stripped)).toEqual(pixelsOf(scan));
  expect(pixelsOf(strip(fixture('tiff-thumb.tif'), 'image/tiff'))).toHaveLength(1);
  const turned = strip(fixture('tiff-orient-6.tif'), 'image/tiff');
  expect(decode(new Uint8Array(turned).buffer)[0]?.['t274']).toEqual([6]);
});

test('a HEIC, and what is damaged, is not called stripped', () => {
  const heic = telephonePhotos[0]?.buffer ?? Buffer.alloc(0);
  expect(strippedPicture(new Uint8Array(heic), 'image/heic').bytes).toBeNull();
  const broken = new Uint8Array(Buffer.from('\xff\xd8\xffno picture', 'latin1'));
  expect(strippedPicture(broken, 'image/jpeg').bytes).toBeNull();
  const loop = new Uint8Array(fixture('tiff-loop.tif'));
  expect(strippedPicture(loop, 'image/tiff').bytes).toBeNull();
});

test.each([
  ['image/jpeg', makeJpeg()],
  ['image/png', fixture('acropalypse.png')],
  ['image/webp', fixture('webp-trailing.webp')],
  ['image/tiff', makeScan([90, 160], 12, 16)],
] as const)('a changed %s is stripped or refused, and grows little', (contentType, whole) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 }),
      fc.integer({ min: 16, max: whole.length }),
      (changes, length) => {
        const bytes = new Uint8Array(whole.subarray(0, length));
        for (const [at, value] of changes) if (at < length) bytes[at] = value;
        const { bytes: stripped } = strippedPicture(bytes, contentType);
        expect(stripped?.length ?? 0).toBeLessThan(4 * whole.length + 4096);
      },
    ),
  );
});
