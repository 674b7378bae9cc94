import { describe, expect, test } from 'vitest';
import { documentContentTypes, type DocumentContentType } from '#shared/api/content-types.ts';
import { carriesSignature, TraitScanner } from '#main/service/documents/signatures.ts';

function carries(type: DocumentContentType, content: Buffer | string, pieceBytes = 1000): boolean {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content, 'latin1');
  const scanner = new TraitScanner();
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    scanner.push(bytes.subarray(at, at + pieceBytes));
  }
  return carriesSignature(type, scanner.traits());
}

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ooxml = (part: string) =>
  `PK\x03\x04\0\0\0[Content_Types].xml\0\0${'.'.repeat(700)}${part}\0`;

const samples: Readonly<Record<DocumentContentType, string>> = {
  'application/pdf': '%PDF-1.7\n\x01\x02',
  'image/jpeg': '\xff\xd8\xff\xe0\0\x10JFIF',
  'image/png': '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
  'image/webp': 'RIFF\x10\0\0\0WEBPVP8 ',
  'image/heic': '\0\0\0\x18ftypheic\0\0\0\0mif1heic',
  'image/tiff': 'II*\0\x08\0\0\0',
  'text/plain': 'Gr\xfcezi\r\n\tmitenand',
  'text/csv': 'a;b\r\n1;2\r\n',
  'message/rfc822': 'Received: from a\r\n\tby b\r\nSubject: Schaden\r\n\r\nText',
  'application/zip': 'PK\x03\x04\x14\0\0\0a.txt',
  [word]: ooxml('word/document.xml'),
  [excel]: ooxml('xl/workbook.xml'),
};

describe('signatures', () => {
  test.each(documentContentTypes)('%s carries its own', (type) => {
    expect(carries(type, samples[type])).toBe(true);
    expect(carries(type, samples[type], 1)).toBe(true);
  });

  test.each(documentContentTypes)('%s is no other type that has one', (type) => {
    const also: Partial<Record<DocumentContentType, DocumentContentType[]>> = {
      // Mail and tables are text, and Office files are archives.
      'message/rfc822': ['text/plain', 'text/csv'],
      'text/plain': ['text/csv'],
      'text/csv': ['text/plain'],
      [word]: ['application/zip'],
      [excel]: ['application/zip'],
    };
    const others = documentContentTypes.filter((other) => carries(other, samples[type]));
    expect(others.filter((other) => other !== type).sort()).toEqual((also[type] ?? []).sort());
  });

  test.each([
    ['a PDF that begins later', 'application/pdf', ' %PDF-1.7'],
    ['a PNG that lost its carriage return', 'image/png', '\x89PNG\n\x1a\n'],
    ['an AVIF picture', 'image/heic', '\0\0\0\x18ftypavif\0\0\0\0mif1avif'],
    ['text with a NUL', 'text/plain', 'abc\0def'],
    ['a table with a NUL', 'text/csv', 'a;b\0'],
    ['mail without a field', 'message/rfc822', 'Guten Tag\r\n'],
    ['an archive without Office parts', word, 'PK\x03\x04[Content_Types].xml'],
    ['a cut-off signature', 'image/png', '\x89PNG'],
    ['an old TIFF mark', 'image/tiff', 'II+'],
  ] as const)('refuses %s', (_, type, content) => {
    expect(carries(type, content)).toBe(false);
  });

  test.each([
    [
      'a picture whose brand stands among the compatible ones',
      'image/heic',
      '\0\0\0\x1cftypmif1\0\0\0\0mif1miafheic',
    ],
    ['a big-endian TIFF', 'image/tiff', 'MM\0*\0\0\0\x08'],
    ['an archive without members', 'application/zip', `PK\x05\x06${'\0'.repeat(18)}`],
    ['text in UTF-8', 'text/plain', Buffer.from('Grüezi «Frau» Müller')],
  ] as const)('takes %s', (_, type, content) => {
    expect(carries(type, content)).toBe(true);
  });
});
