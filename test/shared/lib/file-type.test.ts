import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { encode } from 'jpeg-js';
import { documentMaxBytes } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import { documentContentTypes, type DocumentContentType } from '#shared/api/content-types.ts';
import {
  FileTypeScanner,
  carriesSignature,
  typeByContent,
  assertFileName,
  assertFileSize,
  documentTypeOf,
} from '#shared/lib/file-type.ts';
import { documentSamples, edgeSamples } from '../../support/document-samples.ts';
import { imageSizeOf } from '#shared/lib/image-size.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

function typeOf(fileName: string, content: Uint8Array): string {
  const scanner = new FileTypeScanner();
  scanner.push(content);
  return documentTypeOf(fileName, scanner.traits());
}

describe('documentTypeOf', () => {
  it.each(documentContentTypes)('takes %s by its name', (type) => {
    const { fileName, content } = documentSamples[type];
    expect(typeOf(fileName, content)).toBe(type);
    expect(typeOf(fileName.toUpperCase(), content)).toBe(type);
  });

  it.each(edgeSamples)('agrees with the service about %s', (_, type, content, isCarried) => {
    const { fileName } = documentSamples[type];
    const decide = () => typeOf(fileName, bytes(content));
    if (isCarried) expect(decide()).toBe(type);
    else expect(decide).toThrow(expect.objectContaining({ code: 'file_type_mismatch' }));
  });

  it('takes a file without an extension by its content', () => {
    expect(typeOf('scan', bytes('%PDF-1.4'))).toBe('application/pdf');
  });

  it.each([
    ['a.exe', 'MZ', 'file_type_not_allowed'],
    ['noname', 'text', 'file_type_not_allowed'],
    ['.pdf', 'text', 'file_type_not_allowed'],
    ['a.pdf', '\xff\xd8\xff\xe0', 'file_type_mismatch'],
    ['a.jpg', '\x89PNG\r\n\x1a\n', 'file_type_mismatch'],
    ['a.docx', 'PK\x03\x04 only a zip', 'file_type_mismatch'],
    ['a.eml', 'no header', 'file_type_mismatch'],
  ])('refuses %s', (fileName, content, code) => {
    expect(() => typeOf(fileName, bytes(content))).toThrow(expect.objectContaining({ code }));
  });

  it('says the same however the bytes are cut', () => {
    const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    const { content } = documentSamples[type];
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 }), (sizes) => {
        const scanner = new FileTypeScanner();
        let at = 0;
        for (const size of [...sizes, content.length]) {
          scanner.push(content.subarray(at, at + size));
          at += size;
        }
        expect(documentTypeOf('a.docx', scanner.traits())).toBe(type);
      }),
    );
  });

  it('never throws anything else', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (content, fileName) => {
        try {
          typeOf(fileName, content);
        } catch (error) {
          expect(error).toBeInstanceOf(DeskError);
        }
      }),
    );
  });
});

describe('assertFileName', () => {
  it.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['..', 'empty'],
    ['x'.repeat(256), 'too_long'],
    ['a/b.pdf', 'separator'],
    ['a\\b.pdf', 'separator'],
    ['a\n.pdf', 'control'],
    ['a\0.pdf', 'control'],
  ])('refuses %j', (fileName, rule) => {
    expect(() => assertFileName(fileName)).toThrow(
      expect.objectContaining({ code: 'file_name_invalid', params: { fileName, rule } }),
    );
  });

  it('takes 255 characters', () => {
    expect(() => assertFileName('ü'.repeat(255))).not.toThrow();
  });
});

it('a file has 1 byte to 50 MB', () => {
  expect(() => assertFileSize('a', 0)).toThrow(expect.objectContaining({ code: 'file_empty' }));
  expect(() => assertFileSize('a', documentMaxBytes)).not.toThrow();
  expect(() => assertFileSize('a', documentMaxBytes + 1)).toThrow(
    expect.objectContaining({ code: 'file_too_large' }),
  );
});

function carries(type: DocumentContentType, content: Buffer, pieceBytes = 1000): boolean {
  const scanner = new FileTypeScanner();
  for (let at = 0; at < content.length; at += pieceBytes) {
    scanner.push(content.subarray(at, at + pieceBytes));
  }
  return carriesSignature(type, scanner.traits());
}

const hasSignature = documentContentTypes.filter((type) => !type.startsWith('text/'));

describe('signatures', () => {
  test.each(documentContentTypes)('%s carries its own, however it is cut', (type) => {
    const { content } = documentSamples[type];
    for (const pieceBytes of [1000, 19, 7, 1])
      expect(carries(type, content, pieceBytes)).toBe(true);
  });

  test.each(documentContentTypes)('%s carries no other', (type) => {
    const others = hasSignature.filter((other) => carries(other, documentSamples[type].content));
    const isOffice = type.includes('openxml');
    // Office files are archives.
    const also = isOffice ? ['application/zip'] : [];
    expect(others.filter((other) => other !== type)).toEqual(also);
  });

  test.each(edgeSamples)('%s', (_, type, content, isCarried) => {
    expect(carries(type, Buffer.from(content, 'latin1'))).toBe(isCarried);
  });
});

test.each([
  ['a PDF', '%PDF-1.7', 'application/pdf'],
  ['text', 'Grüezi', 'text/plain'],
  ['an archive', 'PK\x03\x04', 'application/zip'],
  ['anything else', '\0\x01', null],
])('the head alone tells %s', (_, head, type) => {
  expect(typeByContent(Buffer.from(head, 'latin1'))).toBe(type);
});

const png = (width: number, height: number) => {
  const head = new Uint8Array(33);
  head.set(bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'));
  new DataView(head.buffer).setUint32(16, width);
  new DataView(head.buffer).setUint32(20, height);
  return head;
};

test('the size of a PNG is in its first chunk', () => {
  expect(imageSizeOf(png(30_000, 30_000))).toEqual({ width: 30_000, height: 30_000 });
  expect(imageSizeOf(png(0, 5))).toBeNull();
});

test('the size of a JPEG is found behind what a camera writes before it', () => {
  const { data } = encode({ width: 64, height: 48, data: new Uint8Array(64 * 48 * 4) }, 80);
  const plain = Uint8Array.from(data);
  expect(imageSizeOf(plain)).toEqual({ width: 64, height: 48 });
  const exif = new Uint8Array(2 + 60_000);
  exif.set([0xff, 0xe1, 60_000 >> 8, 60_000 & 0xff]);
  const shot = new Uint8Array([...plain.subarray(0, 2), ...exif, 0xff, ...plain.subarray(2)]);
  expect(imageSizeOf(shot)).toEqual({ width: 64, height: 48 });
  expect(imageSizeOf(shot.subarray(0, 50_000))).toBeNull();
});

test('all three kinds of WebP', () => {
  const webp = (kind: string, rest: number[]) =>
    Uint8Array.from([...bytes(`RIFF\0\0\0\0WEBP${kind}\0\0\0\0`), ...rest, ...new Uint8Array(12)]);
  expect(imageSizeOf(webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 0x40, 0x01, 0xf0, 0x00]))).toEqual({
    width: 320,
    height: 240,
  });
  expect(imageSizeOf(webp('VP8L', [0x2f, 0x3f, 0xc1, 0x3b, 0]))).toEqual({
    width: 320,
    height: 240,
  });
  expect(imageSizeOf(webp('VP8X', [0, 0, 0, 0, 0x3f, 1, 0, 0xef, 0, 0]))).toEqual({
    width: 320,
    height: 240,
  });
});

test('nothing that comes makes it fail, or run on', () => {
  const starts = fc.constantFrom<number[]>(
    [0xff, 0xd8],
    [0xff, 0xd8, 0xff],
    [...bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
    [...bytes('RIFF\0\0\0\0WEBPVP8X')],
    [],
  );
  fc.assert(
    fc.property(starts, fc.uint8Array({ maxLength: 200 }), (start, rest) => {
      const size = imageSizeOf(Uint8Array.from([...start, ...rest]));
      if (size !== null) expect(Math.min(size.width, size.height)).toBeGreaterThan(0);
    }),
    { numRuns: 500 },
  );
});
