import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readExif } from '#shared/photos/read-exif.ts';
import { makeCameraPhoto, makeJpeg, telephonePhotos } from '../../support/sample-files.ts';

interface Field {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly value: Buffer;
}
const text = (tag: number, value: string): Field => {
  const bytes = Buffer.from(`${value}\0`, 'latin1');
  return { tag, type: 2, count: bytes.length, value: bytes };
};
const numbers = (tag: number, type: 4 | 5, values: readonly number[]): Field => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return { tag, type, count: type === 5 ? values.length / 2 : values.length, value: bytes };
};

/** An image file directory (TIFF 6.0) with the values behind it. */
function directory(fields: readonly Field[], at: number): Buffer {
  const head = Buffer.alloc(2 + fields.length * 12 + 4);
  head.writeUInt16BE(fields.length);
  const values: Buffer[] = [];
  let free = at + head.length;
  fields.forEach(({ tag, type, count, value }, index) => {
    const entry = 2 + index * 12;
    head.writeUInt16BE(tag, entry);
    head.writeUInt16BE(type, entry + 2);
    head.writeUInt32BE(count, entry + 4);
    if (value.length <= 4) value.copy(head, entry + 8);
    else {
      head.writeUInt32BE(free, entry + 8);
      values.push(value);
      free += value.length;
    }
  });
  return Buffer.concat([head, ...values]);
}

interface Parts {
  readonly first?: readonly Field[];
  readonly exif?: readonly Field[];
  readonly gps?: readonly Field[];
}
/** A JPEG with these fields, as a camera writes them. */
function jpegWith({ first = [], exif = [], gps = [] }: Parts): ArrayBuffer {
  const sizeOf = (fields: readonly Field[]) => directory(fields, 0).length;
  const withPointers = (exifAt: number, gpsAt: number) => [
    ...first,
    numbers(0x8769, 4, [exifAt]),
    numbers(0x8825, 4, [gpsAt]),
  ];
  const exifAt = 8 + sizeOf(withPointers(0, 0));
  const gpsAt = exifAt + sizeOf(exif);
  const body = Buffer.concat([
    Buffer.from('Exif\0\0MM\0*\0\0\0\x08', 'latin1'),
    directory(withPointers(exifAt, gpsAt), 8),
    directory(exif, exifAt),
    directory(gps, gpsAt),
  ]);
  const segment = Buffer.from([0xff, 0xe1, 0, 0]);
  segment.writeUInt16BE(body.length + 2, 2);
  const jpeg = makeJpeg();
  return bufferOf(Buffer.concat([jpeg.subarray(0, 2), segment, body, jpeg.subarray(2)]));
}
const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

const original = text(0x9003, '2026:05:01 10:00:00');
const place = (latitude: readonly number[], longitude: readonly number[]) => [
  text(1, 'S'),
  numbers(2, 5, latitude),
  text(3, 'W'),
  numbers(4, 5, longitude),
];

test('reads time, place and device', () => {
  const photo = jpegWith({
    first: [text(0x010f, 'Canon   '), text(0x0110, 'EOS')],
    exif: [original],
    gps: place([47, 1, 30, 1, 0, 1], [8, 1, 15, 1, 0, 1]),
  });
  expect(readExif(photo)).toEqual({
    takenAt: '2026-05-01T10:00:00',
    place: { latitude: -47.5, longitude: -8.25 },
    device: { make: 'Canon', model: 'EOS' },
    orientation: 1,
  });
});

test('reads the time of capture next to a place of 0/0 and a place that is none', () => {
  const zeros = [0, 0, 0, 0, 0, 0];
  for (const gps of [place(zeros, zeros), place([91, 1, 0, 1, 0, 1], [8, 1, 0, 1, 0, 1])])
    expect(readExif(jpegWith({ exif: [original], gps }))).toEqual({
      takenAt: '2026-05-01T10:00:00',
      place: null,
      device: null,
      orientation: 1,
    });
});

test('reads the time of capture next to names of 230 characters', () => {
  const first = [text(0x010f, 'M'.repeat(230)), text(0x0110, 'N'.repeat(230))];
  expect(readExif(jpegWith({ first, exif: [original] }))).toEqual({
    takenAt: '2026-05-01T10:00:00',
    place: null,
    device: { make: 'M'.repeat(200), model: 'N'.repeat(200) },
    orientation: 1,
  });
});

test('reads the time of capture next to parts of a second and time zones', () => {
  const exif = [
    original,
    text(0x9010, '+02:00'),
    text(0x9011, '+02:00'),
    text(0x9012, '+02:00'),
    text(0x9290, '123456'),
    text(0x9291, '12'),
    text(0x9292, ''),
  ];
  expect(readExif(jpegWith({ exif })).takenAt).toBe('2026-05-01T10:00:00');
});

test('takes the time of digitization if the time of capture is missing, unset or no text', () => {
  const digitized = text(0x9004, '2026:05:02 11:00:00');
  const unusable = [
    [],
    [text(0x9003, '0000:00:00 00:00:00')],
    [numbers(0x9003, 4, [1, 2, 3])],
  ] as const;
  for (const fields of unusable)
    expect(readExif(jpegWith({ exif: [...fields, digitized] })).takenAt).toBe(
      '2026-05-02T11:00:00',
    );
});

test('reads what telephones store as HEIC', () => {
  expect(telephonePhotos.map(({ buffer }) => readExif(bufferOf(buffer)).takenAt)).toEqual([
    '2026-05-01T09:30:00',
    '2026-05-01T09:31:00',
    '2026-05-01T09:32:00',
    '2026-05-01T09:33:00',
  ]);
});

test('finds nothing in a file without EXIF, and never fails', () => {
  const nothing = { takenAt: null, place: null, device: null, orientation: 1 };
  expect(readExif(bufferOf(makeJpeg()))).toEqual(nothing);
  expect(readExif(bufferOf(Buffer.from('%PDF-1.7')))).toEqual(nothing);
  const photo = makeCameraPhoto({
    width: 8,
    height: 8,
    orientation: 1,
    seed: 1,
    takenAt: '2026:05:01 10:00:00',
  });
  fc.assert(
    fc.property(fc.nat(photo.length - 1), fc.nat(255), fc.nat(photo.length), (at, byte, length) => {
      const damaged = Buffer.from(photo);
      damaged[at] = byte;
      expect(Object.keys(readExif(bufferOf(damaged.subarray(0, length))))).toHaveLength(4);
    }),
  );
});
