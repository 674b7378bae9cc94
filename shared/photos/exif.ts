import { bytesOf, joinBytes } from './bytes.ts';

/**
 * A time of capture as `2026-05-01T14:03:22`, by the camera's clock. EXIF writes
 * `2026:05:01 14:03:22`; a camera whose clock was never set writes zeros.
 * @returns null if the camera wrote no time
 */
export function exifMoment(text: string): string | null {
  const found = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text);
  if (!found) return null;
  const [, year, month, day, time] = found;
  const moment = `${year}-${month}-${day}T${time}`;
  return Number(year) > 0 && !Number.isNaN(Date.parse(`${moment}Z`)) ? moment : null;
}

/** What is stored of a photo's EXIF. */
export interface PreservedExif {
  /** YYYY-MM-DDTHH:MM:SS */
  readonly takenAt: string | null;
  /** Decimal degrees. */
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
  readonly device: { readonly make: string; readonly model: string } | null;
  /** 1 to 8; 1 is upright. */
  readonly orientation: number;
}

interface Field {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly value: Uint8Array;
}

const ascii = (tag: number, text: string): Field => {
  const value = bytesOf(`${text.replaceAll(/[^\x20-\x7e]/g, '?')}\0`);
  return { tag, type: 2, count: value.length, value };
};
const short = (tag: number, number: number): Field => ({
  tag,
  type: 3,
  count: 1,
  value: Uint8Array.of(number >> 8, number & 0xff),
});
const long = (tag: number, number: number): Field => ({
  tag,
  type: 4,
  count: 1,
  value: bigEndian([number]),
});

/** Degrees, minutes, seconds as fractions. */
const angle = (tag: number, degrees: number): Field => {
  const whole = Math.abs(degrees);
  const minutes = (whole % 1) * 60;
  const seconds = Math.round((minutes % 1) * 60 * 10_000);
  const value = bigEndian([Math.floor(whole), 1, Math.floor(minutes), 1, seconds, 10_000]);
  return { tag, type: 5, count: 3, value };
};

function bigEndian(numbers: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(numbers.length * 4));
  numbers.forEach((number, index) => view.setUint32(index * 4, number));
  return new Uint8Array(view.buffer);
}

const sizeOf = (fields: readonly Field[]) =>
  6 +
  fields.length * 12 +
  fields.reduce((sum, { value }) => sum + (value.length > 4 ? even(value.length) : 0), 0);
const even = (length: number) => length + (length % 2);

/** An image file directory (TIFF 6.0, section 2) that stands `at` bytes from the header. */
function directory(fields: readonly Field[], at: number): Uint8Array {
  const bytes = new Uint8Array(sizeOf(fields));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, fields.length);
  let free = 6 + fields.length * 12;
  fields.forEach(({ tag, type, count, value }, index) => {
    const entry = 2 + index * 12;
    view.setUint16(entry, tag);
    view.setUint16(entry + 2, type);
    view.setUint32(entry + 4, count);
    if (value.length <= 4) bytes.set(value, entry + 8);
    else {
      view.setUint32(entry + 8, at + free);
      bytes.set(value, free);
      free += even(value.length);
    }
  });
  return bytes;
}

/**
 * EXIF with these values and no others, as TIFF, PNG and WebP contain it (Exif 2.32, 4.5.4); null if
 * there is nothing to write.
 */
export function exifBody({
  takenAt,
  place,
  device,
  orientation,
}: PreservedExif): Uint8Array | null {
  if (takenAt === null && place === null && device === null && orientation === 1) return null;
  const first: Field[] = device ? [ascii(0x010f, device.make), ascii(0x0110, device.model)] : [];
  if (orientation !== 1) first.push(short(0x0112, orientation));
  const exif: Field[] = takenAt
    ? [ascii(0x9003, takenAt.replace('T', ' ').replaceAll('-', ':'))]
    : [];
  const gps: Field[] = place
    ? [
        ascii(1, place.latitude < 0 ? 'S' : 'N'),
        angle(2, place.latitude),
        ascii(3, place.longitude < 0 ? 'W' : 'E'),
        angle(4, place.longitude),
      ]
    : [];
  const pointers = Number(exif.length > 0) + Number(gps.length > 0);
  const exifAt = 8 + sizeOf(first) + pointers * 12;
  const gpsAt = exifAt + (exif.length > 0 ? sizeOf(exif) : 0);
  if (exif.length > 0) first.push(long(0x8769, exifAt));
  if (gps.length > 0) first.push(long(0x8825, gpsAt));
  return joinBytes([
    bytesOf('MM\0*\0\0\0\x08'),
    directory(first, 8),
    ...(exif.length > 0 ? [directory(exif, exifAt)] : []),
    ...(gps.length > 0 ? [directory(gps, gpsAt)] : []),
  ]);
}

/** The same as the APP1 segment of a JPEG. */
export function exifSegment(preserved: PreservedExif): Uint8Array<ArrayBuffer> | null {
  const body = exifBody(preserved);
  if (!body) return null;
  const length = 2 + 6 + body.length;
  const head = Uint8Array.of(0xff, 0xe1, length >> 8, length & 0xff);
  return joinBytes([head, bytesOf('Exif\0\0'), body]);
}
