import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'jpeg-js';
import { PDFDocument, StandardFonts } from 'pdf-lib';

/** A real PDF with this text on its page. */
export async function makePdf(text: string): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  pdf.addPage([595, 842]).drawText(text, { x: 60, y: 760, size: 14, font });
  return Buffer.from(await pdf.save({ useObjectStreams: false }));
}

/** A real JPEG; with `sizeBytes`, filled up behind its end marker, as some cameras do. */
export function makeJpeg(sizeBytes = 0): Buffer {
  const width = 64;
  const height = 48;
  const { data } = encode({ width, height, data: randomBytes(width * height * 4) }, 80);
  return Buffer.concat([data, randomBytes(Math.max(0, sizeBytes - data.length))]);
}

/** Writes a file and returns its path. */
export function writeSample(dir: string, name: string, bytes: Uint8Array): string {
  const path = join(dir, name);
  writeFileSync(path, bytes);
  return path;
}

/** Latitude as the bytes of the GPS block that makeCameraJpeg writes: 47° 22' 8". */
export const gpsMark = Buffer.from('GPSLATITUDEMARK');

/**
 * A JPEG as a camera held upright writes it: 64 x 48 stored pixels that EXIF says to turn by a
 * quarter (orientation 6), and a place in its GPS block.
 */
export function makeCameraJpeg(): Buffer {
  const jpeg = makeJpeg();
  const entry = (tag: number, type: number, count: number, value: number) => {
    const field = Buffer.alloc(12);
    field.writeUInt16BE(tag, 0);
    field.writeUInt16BE(type, 2);
    field.writeUInt32BE(count, 4);
    if (type === 3) field.writeUInt16BE(value, 8);
    else field.writeUInt32BE(value, 8);
    return field;
  };
  const ifd = (...entries: Buffer[]) => {
    const count = Buffer.alloc(2);
    count.writeUInt16BE(entries.length);
    return Buffer.concat([count, ...entries, Buffer.alloc(4)]);
  };
  // TIFF header (8), IFD0 with two entries (30), GPS IFD with one (18), then its text.
  const tiff = Buffer.concat([
    Buffer.from('MM\0*\0\0\0\x08', 'latin1'),
    ifd(entry(0x0112, 3, 1, 6), entry(0x8825, 4, 1, 38)),
    ifd(entry(0x001d, 2, gpsMark.length, 56)),
    gpsMark,
  ]);
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

/** A whole PNG of one colour: 110 KB that take 3.6 GB when somebody decodes them. */
export function makeHugePng(edge = 30_000): Buffer {
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
  header.writeUInt8(1, 8); // one bit of grey a pixel
  const rows = Buffer.alloc((1 + Math.ceil(edge / 8)) * edge);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', new Uint8Array(0)),
  ]);
}
