import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { decode as decodeJpeg } from 'jpeg-js';
import fc from 'fast-check';
import { decode, decodeImage, toRGBA8 } from 'utif2';
import { expect, test } from 'vitest';
import { hasMetadata } from '#shared/photos/photo-bytes.ts';
import { readExif } from '#shared/photos/read-exif.ts';
import { drawnPng } from '#shared/photos/strip-png.ts';
import type { PictureType } from '#shared/photos/picture-kinds.ts';
import { strippedPicture } from '#shared/photos/strip-picture.ts';
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
    width: 80,
    height: 60,
    orientation: o,
    takenAt: '2026:05:01 10:11:12',
    seed: 3,
  });
  const behind = Buffer.concat([photo, Buffer.from('BEHINDTHEEND')]);
  const stripped = strip(behind, 'image/jpeg');
  for (const mark of [placeMark, thumbnailMark, 'DEVICEMARK', 'BEHINDTHEEND'])
    expect(latin1(stripped)).not.toContain(mark);
  expect(readExif(new Uint8Array(stripped).buffer)).toEqual({
    takenAt: '2026-05-01T10:11:12',
    orientation: o,
    place: null,
    device: null,
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

const mark = 'GPS 47.37, 8.54';
/** A grey TIFF of 4 x 4 pixels, with a text between its pixels and its directory. */
function greyTiff(changes: Readonly<Record<number, number | null>> = {}): Buffer {
  const pixels = Buffer.alloc(16, 0x55);
  const values = { 256: 4, 257: 4, 258: 8, 259: 1, 262: 1, 273: 8, 277: 1, 278: 4, 279: 16 };
  const all: Readonly<Record<number, number | null>> = { ...values, ...changes };
  const entries = Object.entries(all).flatMap(([tag, value]) => {
    if (value === null) return [];
    const entry = Buffer.alloc(12);
    entry.writeUInt16LE(Number(tag), 0);
    entry.writeUInt16LE(4, 2);
    entry.writeUInt32LE(1, 4);
    entry.writeUInt32LE(value, 8);
    return [entry];
  });
  const head = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0]);
  const body = Buffer.concat([head, pixels, Buffer.from(mark.padEnd(16))]);
  body.writeUInt32LE(body.length, 4);
  return Buffer.concat([body, Buffer.from([entries.length, 0]), ...entries, Buffer.alloc(4)]);
}
const strippedTiff = (changes?: Readonly<Record<number, number | null>>) =>
  strippedPicture(new Uint8Array(greyTiff(changes)), 'image/tiff').bytes;

test('nothing behind the pixels of a TIFF counts as pixels', () => {
  expect(latin1(strippedTiff() ?? new Uint8Array())).not.toContain(mark);
  // A length that reaches too far, and none: it would reach to the end of the file.
  expect(latin1(strippedTiff({ 279: 32 }) ?? new Uint8Array())).not.toContain(mark);
  expect([null, 0].map((length) => strippedTiff({ 279: length }))).toEqual([null, null]);
  // Of JPEG 2000, whose own texts nobody here knows.
  expect(strippedTiff({ 259: 34_712 })).toBeNull();
});

test('a small copy is not sent for the picture, which a camera has in a further directory', () => {
  expect(strippedTiff({ 254: 1 })).not.toBeNull();
  expect(strippedTiff({ 254: 1, 330: 8 })).toBeNull();
});

test('what no decoder of a JPEG needs is left out wherever it stands, and the window sees it', () => {
  const plain = makeJpeg();
  const scan = plain.indexOf(Buffer.from([0xff, 0xda]));
  const end = plain.length - 2;
  const forms = [
    [2, segment(0xf0, 'RESERVEDMARK')],
    [scan, Buffer.concat([Buffer.from('X'), segment(0xe1, 'Exif\0\0HIDDENMARK')])],
    [end, segment(0xfe, 'COMMENTMARK')],
    [2, segment(0xee, 'Adobe\0\x64\0\0\0\0\x01ADOBEMARK')],
    [2, segment(0xe0, 'NOJFIFMARK')],
  ] as const;
  for (const [at, hidden] of forms) {
    const dressed = Buffer.concat([plain.subarray(0, at), hidden, plain.subarray(at)]);
    expect(latin1(strip(dressed, 'image/jpeg')).match(/[A-Z]{3,}MARK/g)).toBeNull();
    expect(hasMetadata(dressed)).toBe(true);
  }
});

test('pictures of which a part would be lost are not called stripped', () => {
  const cut = new Uint8Array(makeJpeg().subarray(0, -20));
  expect(strippedPicture(cut, 'image/jpeg').bytes).toBeNull();
  const png = fixture('acropalypse.png');
  // One is animated, and of the other a part of a chunk was zeroed, with its name.
  for (const name of ['acTL', '\0\0\0\0']) {
    const chunk = pngChunk(name, Buffer.alloc(8));
    const spoiled = Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
    expect(strippedPicture(new Uint8Array(spoiled), 'image/png').bytes).toBeNull();
  }
});

test.each([0xc3, 0xc9, 0xca])('a JPEG that no browser draws is not called stripped: %i', (kind) => {
  const photo = new Uint8Array(makeJpeg());
  const frame = Buffer.from(photo).indexOf(Buffer.from([0xff, 0xc0]));
  expect(strippedPicture(photo, 'image/jpeg').bytes).not.toBeNull();
  expect(strippedPicture(photo.with(frame + 1, kind), 'image/jpeg').bytes).toBeNull();
});

test('a PNG with something behind its last row is not called stripped', () => {
  const head = pngChunk('IHDR', Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 6, 0, 0, 0]));
  const end = pngChunk('IEND', Buffer.alloc(0));
  const pngOf = (packed: Buffer) => {
    const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
    return new Uint8Array(Buffer.concat([start, head, pngChunk('IDAT', packed), end]));
  };
  const rows = Buffer.alloc(18);
  const plain = pngOf(deflateSync(rows));
  expect(strippedPicture(plain, 'image/png').isSame).toBe(true);
  expect(hasMetadata(plain)).toBe(false);
  const dressed = pngOf(deflateSync(Buffer.concat([rows, Buffer.from('HIDDENMARK')])));
  expect(strippedPicture(dressed, 'image/png').bytes).toBeNull();
  // So a window makes another picture of it, which it can draw, with an orientation, too.
  expect(hasMetadata(dressed)).toBe(true);
  expect(drawnPng(dressed)).toEqual(dressed);
});

function pngChunk(name: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const chunk = Buffer.alloc(8 + named.length);
  chunk.writeUInt32BE(content.length, 0);
  named.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(named), chunk.length - 4);
  return chunk;
}

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
