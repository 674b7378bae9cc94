import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentMaxBytes } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/errors.ts';
import {
  assertFileName,
  assertFileSize,
  documentTypeOf,
  FileTypeScanner,
} from '#shared/lib/file-type.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

function typeOf(fileName: string, content: Uint8Array): string {
  const scanner = new FileTypeScanner();
  scanner.push(content);
  return documentTypeOf(fileName, scanner.traits());
}

const ooxml = (part: string) => bytes(`PK\x03\x04 [Content_Types].xml ${part}document.xml`);
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

describe('documentTypeOf', () => {
  it.each([
    ['a.pdf', '%PDF-1.7', 'application/pdf'],
    ['A.JPG', '\xff\xd8\xff\xe0', 'image/jpeg'],
    ['a.png', '\x89PNG\r\n\x1a\n', 'image/png'],
    ['a.webp', 'RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
    ['a.heic', '\0\0\0\x18ftypheic\0\0\0\0mif1', 'image/heic'],
    ['a.tif', 'II*\0', 'image/tiff'],
    ['a.txt', 'Grüezi\r\n', 'text/plain'],
    ['a.csv', 'a;b\n1;2', 'text/csv'],
    ['a.eml', 'From: a@b.ch\r\n', 'message/rfc822'],
    ['a.zip', 'PK\x03\x04rest', 'application/zip'],
    ['scan', '%PDF-1.4', 'application/pdf'],
  ])('takes %s', (fileName, content, type) => {
    expect(typeOf(fileName, bytes(content))).toBe(type);
  });

  it('tells Word and Excel by their parts', () => {
    expect(typeOf('a.docx', ooxml('word/'))).toBe(word);
    expect(typeOf('a.xlsx', ooxml('xl/'))).toBe(excel);
  });

  it.each([
    ['a.exe', 'MZ', 'file_type_not_allowed'],
    ['noname', 'text', 'file_type_not_allowed'],
    ['.pdf', 'text', 'file_type_not_allowed'],
    ['a.pdf', '\xff\xd8\xff\xe0', 'file_type_mismatch'],
    ['a.jpg', '\x89PNG\r\n\x1a\n', 'file_type_mismatch'],
    ['a.docx', 'PK\x03\x04 only a zip', 'file_type_mismatch'],
    ['a.txt', 'binary\0', 'file_type_mismatch'],
    ['a.eml', 'no header', 'file_type_mismatch'],
  ])('refuses %s', (fileName, content, code) => {
    expect(() => typeOf(fileName, bytes(content))).toThrow(expect.objectContaining({ code }));
  });

  it('says the same however the bytes are cut', () => {
    const content = ooxml('word/');
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 }), (sizes) => {
        const scanner = new FileTypeScanner();
        let at = 0;
        for (const size of [...sizes, content.length]) {
          scanner.push(content.subarray(at, at + size));
          at += size;
        }
        expect(documentTypeOf('a.docx', scanner.traits())).toBe(word);
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
