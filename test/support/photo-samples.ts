import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'jpeg-js';

/** Text in the GPS block of the photos made here; it must never be in what is sent. */
export const placeMark = 'PLACEMARK47N8E';
/** Stands in the small copy of itself that a camera writes into its photo. */
export const thumbnailMark = 'THUMBNAILMARK';

export interface SamplePhoto {
  /** As it is seen upright. */
  readonly width: number;
  readonly height: number;
  /** EXIF, 1 to 8: how the camera was held. */
  readonly orientation: number;
  /** YYYY:MM:DD HH:MM:SS */
  readonly takenAt: string;
  /** Makes photos differ. */
  readonly seed: number;
  /** Without any edge. */
  readonly isBlurred?: boolean;
}

type Colour = readonly [number, number, number];
export const topLeft: Colour = [200, 40, 40];
const secret: Colour = [255, 0, 255];

/**
 * A real photo as a camera writes it: red at its upper left when upright, a plate of magenta stripes
 * in its middle, stripes that differ by seed elsewhere; EXIF with time, place and a small copy.
 */
export function makeCameraPhoto(photo: SamplePhoto): Buffer {
  const { width, height, orientation, seed } = photo;
  const isTurned = orientation >= 5;
  const stored = isTurned ? { w: height, h: width } : { w: width, h: height };
  const data = Buffer.alloc(stored.w * stored.h * 4, 255);
  for (let y = 0; y < stored.h; y += 1)
    for (let x = 0; x < stored.w; x += 1) {
      const [ux, uy] = upright(orientation, x, y, stored.w, stored.h);
      data.set(colourAt(ux / width, uy / height, photo), (y * stored.w + x) * 4);
    }
  const jpeg = encode({ width: stored.w, height: stored.h, data }, 92).data;
  const exif = exifOf(orientation, photo.takenAt, `DEVICEMARK ${seed}`);
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}

/** TIFF 6.0, tag 274: where a stored pixel is when the picture is upright. */
function upright(o: number, x: number, y: number, w: number, h: number): [number, number] {
  const [right, bottom] = [w - 1 - x, h - 1 - y];
  const places: readonly [number, number][] = [
    [x, y],
    [right, y],
    [right, bottom],
    [x, bottom],
    [y, x],
    [bottom, x],
    [bottom, right],
    [y, right],
  ];
  return places[o - 1] ?? [x, y];
}

function colourAt(x: number, y: number, { seed, isBlurred }: SamplePhoto): Colour {
  if (x < 0.25 && y < 0.25) return topLeft;
  if (isBlurred === true) return [120 + 60 * x, 120 + 60 * y, 140];
  // A plate with letters: every second column.
  if (x > 0.45 && x < 0.65 && y > 0.45 && y < 0.55)
    return Math.floor(x * 100) % 2 === 0 ? secret : [255, 255, 255];
  const band = Math.floor(x * (9 + (seed % 7))) + Math.floor(y * (7 + (seed % 5))) * (seed + 3);
  const grain = (Math.floor(x * 400) * 31 + Math.floor(y * 300) * 17 + seed * 7) % 23;
  return [30 + grain * 3, 70 + ((band * 53) % 120) + grain, 90 + ((band * 29) % 100)];
}

/** An APP1 segment: orientation, device, time, place, and a small copy (which is only a mark). */
function exifOf(orientation: number, takenAt: string, device: string): Buffer {
  const texts = { device: `${device}\0`, takenAt: `${takenAt}\0`, place: `${placeMark}\0` };
  const field = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16BE(tag, 0);
    bytes.writeUInt16BE(type, 2);
    bytes.writeUInt32BE(count, 4);
    if (type === 3) bytes.writeUInt16BE(value, 8);
    else bytes.writeUInt32BE(value, 8);
    return bytes;
  };
  const directory = (next: number, ...fields: Buffer[]) => {
    const [count, end] = [Buffer.alloc(2), Buffer.alloc(4)];
    count.writeUInt16BE(fields.length);
    end.writeUInt32BE(next);
    return Buffer.concat([count, ...fields, end]);
  };
  // Header 8; IFD0 with 4 fields 54; Exif 18; GPS 18; IFD1 with 2 fields 30; then the texts.
  const [exifAt, gpsAt, smallAt, textAt] = [62, 80, 98, 128];
  const takenAtAt = textAt + texts.device.length;
  const placeAt = takenAtAt + texts.takenAt.length;
  const copyAt = placeAt + texts.place.length;
  const body = Buffer.concat([
    Buffer.from('Exif\0\0MM\0*\0\0\0\x08', 'latin1'),
    directory(
      smallAt,
      field(0x0110, 2, texts.device.length, textAt),
      field(0x0112, 3, 1, orientation),
      field(0x8769, 4, 1, exifAt),
      field(0x8825, 4, 1, gpsAt),
    ),
    directory(0, field(0x9003, 2, texts.takenAt.length, takenAtAt)),
    directory(0, field(0x001d, 2, texts.place.length, placeAt)),
    directory(0, field(0x0201, 4, 1, copyAt), field(0x0202, 4, 1, thumbnailMark.length)),
    Buffer.from(texts.device + texts.takenAt + texts.place + thumbnailMark, 'latin1'),
  ]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** A TIFF of grey pages (TIFF 6.0, section 4), not compressed. */
export function makeScan(greys: readonly number[], width = 120, height = 160): Buffer {
  const size = width * height;
  const fieldsOf = (strip: number): [number, number, number][] => [
    [256, 4, width],
    [257, 4, height],
    [258, 3, 8],
    [259, 3, 1],
    [262, 3, 1],
    [273, 4, strip],
    [277, 3, 1],
    [278, 4, height],
    [279, 4, size],
  ];
  const pageSize = 2 + 9 * 12 + 4 + size;
  const pages = greys.map((grey, page) => {
    const at = 8 + page * pageSize;
    const bytes = Buffer.alloc(pageSize, grey);
    const fields = fieldsOf(at + 2 + 9 * 12 + 4);
    bytes.writeUInt16LE(fields.length, 0);
    fields.forEach(([tag, type, value], index) => {
      const entry = 2 + index * 12;
      bytes.writeUInt16LE(tag, entry);
      bytes.writeUInt16LE(type, entry + 2);
      bytes.writeUInt32LE(1, entry + 4);
      bytes.writeUInt32LE(value, entry + 8);
    });
    bytes.writeUInt32LE(page + 1 < greys.length ? at + pageSize : 0, 2 + 9 * 12);
    return bytes;
  });
  return Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), ...pages]);
}

/**
 * Photos as telephones store them, made with `heif-enc` 1.15 from `makeCameraPhoto`: the first is stored
 * as it is shown; the second lies and is turned by 270° (`irot`), and its EXIF says 6, which must not
 * turn it again; the third is turned by 180°, and its EXIF says 3; the last has 10 bits per colour.
 */
export const telephonePhotos = ['', '-portrait', '-upside-down', '-10-bit'].map((kind) => ({
  name: `Telefon${kind}.heic`,
  buffer: readFileSync(join(import.meta.dirname, `fixtures/telephone${kind}.heic`)),
}));
