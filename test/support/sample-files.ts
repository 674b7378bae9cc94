import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
