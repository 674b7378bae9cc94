import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'jpeg-js';
import { PDFDocument, StandardFonts } from 'pdf-lib';

/** A real PDF with a page for each text; an empty text leaves its page without a text layer. */
export async function makePdf(...texts: readonly string[]): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of texts)
    pdf.addPage([595, 842]).drawText(text, { x: 60, y: 760, size: 14, lineHeight: 10, font });
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
