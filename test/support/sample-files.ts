import { randomBytes } from 'node:crypto';
import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'jpeg-js';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { DocumentContentType } from '#shared/api/document.ts';

/** Creates a real PDF with one page per text. An empty text gives a page without a text layer. */
export async function makePdf(...texts: readonly string[]): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of texts)
    pdf.addPage([595, 842]).drawText(text, { x: 60, y: 760, size: 14, lineHeight: 10, font });
  return Buffer.from(await pdf.save({ useObjectStreams: false }));
}

/** Creates a real JPEG. With `sizeBytes` it is padded after its end marker, as some cameras do. */
export function makeJpeg(sizeBytes = 0): Buffer {
  const data = makeNoise(64, 48);
  return Buffer.concat([data, randomBytes(Math.max(0, sizeBytes - data.length))]);
}

/** Creates a JPEG of noise, which takes about a byte per pixel in any size. */
export function makeNoise(width: number, height: number): Buffer {
  return encode({ width, height, data: randomBytes(width * height * 4) }, 80).data;
}

/** Creates a JPEG of one colour. */
export function makePlainJpeg(width: number, height: number, colour: readonly number[]): Buffer {
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at += 4) data.set([...colour, 255], at);
  return encode({ width, height, data }, 80).data;
}

/** Creates a JPEG with the detail of a photograph, about 0.15 bytes per pixel. */
export function makeDetailedJpeg(width: number, height: number): Buffer {
  const data = new Uint8Array(width * height * 4).fill(255);
  const grain = randomBytes(4093);
  const across = Array.from({ length: width }, (_, x) => 128 + 60 * Math.sin(x / 31));
  for (let at = 0, y = 0; y < height; y += 1) {
    const down = 50 * Math.cos(y / 23);
    for (let x = 0; x < width; x += 1, at += 4) {
      const light = (across[x] ?? 0) + down + ((grain[(at * 7) % 4093] ?? 0) >> 4);
      data[at] = data[at + 1] = data[at + 2] = Math.min(255, Math.max(0, light));
    }
  }
  return encode({ width, height, data }, 80).data;
}

/**
 * Creates a JPEG of at least this size, padded by its colour profile. It contains nothing hidden,
 * so that it is sent unchanged.
 */
export function makeLargeJpeg(sizeBytes: number): Buffer {
  const jpeg = makeJpeg();
  const profile = randomBytes(Math.max(0, sizeBytes - jpeg.length));
  const parts = Math.ceil(profile.length / profilePartMax);
  const segments = Array.from({ length: parts }, (_, index) => {
    const part = profile.subarray(index * profilePartMax, (index + 1) * profilePartMax);
    const head = Buffer.from([0xff, 0xe2, 0, 0, ...Buffer.from('ICC_PROFILE\0'), index + 1, parts]);
    // The length counts everything after the marker.
    head.writeUInt16BE(head.length - 2 + part.length, 2);
    return Buffer.concat([head, part]);
  });
  // The segments follow the marker of the file's start.
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}
/** The number of bytes in a segment after the head of a profile's part. */
const profilePartMax = 65_519;

/** Writes a file and returns its path. */
export function writeSample(dir: string, name: string, bytes: Uint8Array): string {
  const path = join(dir, name);
  writeFileSync(path, bytes);
  return path;
}

interface PngShape {
  readonly edge: number;
  readonly bits: number;
  /** 0 for grey, 2 for red, green and blue. */
  readonly colour: 0 | 2;
}

/**
 * Creates a complete PNG as wide as it is high.
 * @param rows each with its filter's byte before it
 */
export function makePng({ edge, bits, colour }: PngShape, rows: Buffer): Buffer {
  const chunk = (type: string, data: Uint8Array) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8 + named.length);
    frame.writeUInt32BE(data.length, 0);
    named.copy(frame, 4);
    frame.writeUInt32BE(crc32(named), 4 + named.length);
    return frame;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edge, 0);
  header.writeUInt32BE(edge, 4);
  header.writeUInt8(bits, 8);
  header.writeUInt8(colour, 9);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/** Creates a complete PNG of one colour, with 110 KB that decode to 3.6 GB. */
export const makeHugePng = (edge = 30_000): Buffer =>
  makePng({ edge, bits: 1, colour: 0 }, Buffer.alloc((1 + Math.ceil(edge / 8)) * edge));

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ooxml = (part: string) =>
  `PK\x03\x04\0\0\0[Content_Types].xml\0\0${'.'.repeat(700)}${part}\0`;

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** A name and the smallest possible content for every accepted type. */
export const documentSamples: Readonly<
  Record<DocumentContentType, { readonly fileName: string; readonly content: Buffer }>
> = {
  'application/pdf': { fileName: 'a.pdf', content: latin1('%PDF-1.7\n\x01\x02') },
  'image/jpeg': { fileName: 'a.jpg', content: latin1('\xff\xd8\xff\xe0\0\x10JFIF') },
  'image/png': { fileName: 'a.png', content: latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR') },
  'image/webp': { fileName: 'a.webp', content: latin1('RIFF\x10\0\0\0WEBPVP8 ') },
  'image/heic': { fileName: 'a.heic', content: latin1('\0\0\0\x18ftypheic\0\0\0\0mif1heic') },
  'image/tiff': { fileName: 'a.tif', content: latin1('II*\0\x08\0\0\0') },
  'text/plain': { fileName: 'a.txt', content: latin1('Gr\xfcezi\r\n\tmitenand') },
  'text/csv': { fileName: 'a.csv', content: latin1('a;b\r\n1;2\r\n') },
  'message/rfc822': {
    fileName: 'a.eml',
    content: latin1('Received: from a\r\n\tby b\r\nSubject: Schaden\r\n\r\nText'),
  },
  'application/zip': { fileName: 'a.zip', content: latin1('PK\x03\x04\x14\0\0\0a.txt') },
  [word]: { fileName: 'a.docx', content: latin1(ooxml('word/document.xml')) },
  [excel]: { fileName: 'a.xlsx', content: latin1(ooxml('xl/workbook.xml')) },
};

/** Contents at the limits of a signature, and whether they have it. */
export const edgeSamples: readonly (readonly [string, DocumentContentType, string, boolean])[] = [
  ['a PDF after 1,024 bytes', 'application/pdf', `${'\0'.repeat(1024)}%PDF-1.7`, true],
  ['a PDF after 1,025 bytes', 'application/pdf', `${' '.repeat(1025)}%PDF-1.7`, false],
  ['a PNG that lost its carriage return', 'image/png', '\x89PNG\n\x1a\n', false],
  ['an AVIF picture', 'image/heic', '\0\0\0\x18ftypavif\0\0\0\0mif1avif', false],
  ['a picture that names a brand later', 'image/heic', '\0\0\0\x14ftypavif\0\0\0\0mif1heic', false],
  ['a compatible brand', 'image/heic', '\0\0\0\x1cftypmif1\0\0\0\0mif1miafheic', true],
  ['a brand of sequences', 'image/heic', '\0\0\0\x18ftyphevx\0\0\0\0mif1hevx', true],
  ['a brand across two others', 'image/heic', '\0\0\0\x18ftypxhei\0\0\0\0cmif', false],
  ['mail without a field', 'message/rfc822', 'Guten Tag\r\n', false],
  ['an archive without Office parts', word, 'PK\x03\x04[Content_Types].xmlPK\x05\x06', false],
  ['a cut-off signature', 'image/png', '\x89PNG', false],
  ['an old TIFF mark', 'image/tiff', 'II+', false],
  ['a big-endian TIFF', 'image/tiff', 'MM\0*\0\0\0\x08', true],
  ['an archive without members', 'application/zip', `PK\x05\x06${'\0'.repeat(18)}`, true],
  ['text in UTF-16', 'text/plain', '\xff\xfeG\0r\0\xfc\0', true],
  ['a table in UTF-16', 'text/csv', '\xfe\xff\0a\0;\0b', true],
  ['any bytes as text', 'text/plain', '\0\x01\x02', true],
];

/** Text in the GPS block of these photos. A sent file must never contain it. */
export const placeMark = 'PLACEMARK47N8E';
/** Text in the thumbnail that a camera stores in its photo. */
export const thumbnailMark = 'THUMBNAILMARK';

export interface SamplePhoto {
  /** The size of the upright photo in pixels. */
  readonly width: number;
  readonly height: number;
  /** The camera's orientation in EXIF, 1 to 8. */
  readonly orientation: number;
  /** The time of capture in the form YYYY:MM:DD HH:MM:SS. */
  readonly takenAt: string;
  /** The number that makes photos differ. */
  readonly seed: number;
  /** The photo has no edges. */
  readonly isBlurred?: boolean;
}

type Colour = readonly [number, number, number];
export const topLeft: Colour = [200, 40, 40];
const secret: Colour = [255, 0, 255];

/**
 * Creates a real photo like a camera's. When upright it is red at its upper left, and has a plate
 * of magenta stripes in its middle and stripes that depend on the seed elsewhere. Its EXIF has a
 * time, a location and a thumbnail.
 */
export function makeCameraPhoto(photo: SamplePhoto): Buffer {
  const { takenAt, ...picture } = photo;
  const key = JSON.stringify(picture);
  const jpeg = encoded.get(key) ?? encodePicture(photo);
  encoded.set(key, jpeg);
  const exif = exifOf(photo.orientation, takenAt, `DEVICEMARK ${photo.seed}`);
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}

/** The pixels of photos that were made before. 12 megapixels take seconds. */
const encoded = new Map<string, Buffer>();

function encodePicture(photo: SamplePhoto): Buffer {
  const { width, height, orientation } = photo;
  const isTurned = orientation >= 5;
  const stored = isTurned ? { w: height, h: width } : { w: width, h: height };
  const data = Buffer.alloc(stored.w * stored.h * 4, 255);
  for (let y = 0; y < stored.h; y += 1)
    for (let x = 0; x < stored.w; x += 1) {
      const [ux, uy] = upright(orientation, x, y, stored.w, stored.h);
      data.set(colourAt(ux / width, uy / height, photo), (y * stored.w + x) * 4);
    }
  return encode({ width: stored.w, height: stored.h, data }, 92).data;
}

/** Returns the position of a stored pixel in the upright picture (TIFF 6.0, tag 274). */
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
  // Every second column of the plate shows its letters.
  if (x > 0.45 && x < 0.65 && y > 0.45 && y < 0.55)
    return Math.floor(x * 100) % 2 === 0 ? secret : [255, 255, 255];
  const band = Math.floor(x * (9 + (seed % 7))) + Math.floor(y * (7 + (seed % 5))) * (seed + 3);
  const grain = (Math.floor(x * 400) * 31 + Math.floor(y * 300) * 17 + seed * 7) % 23;
  return [30 + grain * 3, 70 + ((band * 53) % 120) + grain, 90 + ((band * 29) % 100)];
}

/**
 * Returns an APP1 segment: orientation, device, time, location, and a thumbnail, which is only a
 * mark.
 */
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
  // The sizes are: header 8, IFD0 with 4 fields 54, Exif 18, GPS 18, IFD1 with 2 fields 30, then
  // the texts.
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

/** Creates a WebP (RFC 9649) with an EXIF orientation, from a lossless one without orientation. */
export function makeTurnedWebp(
  plain: Buffer,
  size: readonly [number, number],
  orientation: number,
) {
  const chunk = (name: string, data: Uint8Array) => {
    const head = Buffer.alloc(8);
    head.write(name, 'latin1');
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  };
  const flags = Buffer.alloc(10);
  flags.writeUInt8(0x08, 0);
  flags.writeUIntLE(size[0] - 1, 4, 3);
  flags.writeUIntLE(size[1] - 1, 7, 3);
  const exif = Buffer.from(
    'MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0',
    'latin1',
  );
  exif.writeUInt16BE(orientation, 18);
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', flags),
    plain.subarray(12),
    chunk('EXIF', exif),
  ]);
  return chunk('RIFF', body);
}

/** Creates a TIFF of grey pages (TIFF 6.0, section 4), not compressed. */
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
 * Photos in the format of telephones, made with `heif-enc` 1.15 from `makeCameraPhoto`. The first
 * is stored upright. The second is turned by 270° (`irot`) and has EXIF orientation 6, which must
 * not turn it again. The third is turned by 180° and has EXIF orientation 3. The last has 10 bits
 * per colour.
 */
export const telephonePhotos = ['', '-portrait', '-upside-down', '-10-bit'].map((kind) => ({
  name: `Telefon${kind}.heic`,
  buffer: readFileSync(join(import.meta.dirname, `fixtures/telephone${kind}.heic`)),
}));

/** Returns the strings of each page of a PDF, as pdf.js reads them. */
export async function stringsOfPdf(bytes: Uint8Array): Promise<string[][]> {
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const pdf = await loading.promise;
  const pages: string[][] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')));
  }
  await loading.destroy();
  return pages;
}
