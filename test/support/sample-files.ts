import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'jpeg-js';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import type { DocumentContentType } from '#shared/api/document.ts';

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

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ooxml = (part: string) =>
  `PK\x03\x04\0\0\0[Content_Types].xml\0\0${'.'.repeat(700)}${part}\0`;

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** For every accepted type a name and the smallest content that the type could have. */
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

/** Contents at the edge of a signature, and whether they carry it. */
export const edgeSamples: readonly (readonly [string, DocumentContentType, string, boolean])[] = [
  ['a PDF that begins later', 'application/pdf', ' %PDF-1.7', false],
  ['a PNG that lost its carriage return', 'image/png', '\x89PNG\n\x1a\n', false],
  ['an AVIF picture', 'image/heic', '\0\0\0\x18ftypavif\0\0\0\0mif1avif', false],
  ['a picture that names a brand later', 'image/heic', '\0\0\0\x14ftypavif\0\0\0\0mif1heic', false],
  ['a compatible brand', 'image/heic', '\0\0\0\x1cftypmif1\0\0\0\0mif1miafheic', true],
  ['a brand of sequences', 'image/heic', '\0\0\0\x18ftyphevx\0\0\0\0mif1hevx', true],
  ['a brand across two others', 'image/heic', '\0\0\0\x18ftypxhei\0\0\0\0cmif', false],
  ['mail without a field', 'message/rfc822', 'Guten Tag\r\n', false],
  ['an archive without Office parts', word, 'PK\x03\x04[Content_Types].xml', false],
  ['a cut-off signature', 'image/png', '\x89PNG', false],
  ['an old TIFF mark', 'image/tiff', 'II+', false],
  ['a big-endian TIFF', 'image/tiff', 'MM\0*\0\0\0\x08', true],
  ['an archive without members', 'application/zip', `PK\x05\x06${'\0'.repeat(18)}`, true],
  ['text in UTF-16', 'text/plain', '\xff\xfeG\0r\0\xfc\0', true],
  ['a table in UTF-16', 'text/csv', '\xfe\xff\0a\0;\0b', true],
  ['any bytes as text', 'text/plain', '\0\x01\x02', true],
];
