import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { documentMaxBytes } from '#shared/api/limits.ts';
import { DeskError } from '#shared/desk/contract/errors.ts';
import { documentContentTypes, type DocumentContentType } from '#shared/api/document.ts';
import {
  assertFileName,
  assertFileSize,
  carriesSignature,
  documentTypeOf,
  FileTypeScanner,
  takenName,
  typeByContent,
} from '#shared/lib/file-type.ts';
import { documentSamples, edgeSamples } from '../../support/sample-files.ts';
import { refusalOf } from '../../support/refusals.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

function typeOf(fileName: string, content: Uint8Array): DocumentContentType {
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
    const found: string[] = [];
    const refusal = refusalOf(() => found.push(typeOf(fileName, bytes(content))));
    expect(refusal ?? found[0]).toBe(isCarried ? type : 'file_type_mismatch');
  });

  it('takes a picture as what it is, under a name that says so', () => {
    const jpeg = typeOf('IMG_0001.HEIC', bytes('\xff\xd8\xff\xe0'));
    expect([jpeg, takenName('IMG_0001.HEIC', jpeg)]).toEqual(['image/jpeg', 'IMG_0001.jpg']);
    const heic = typeOf('a.b.jpg', bytes('\0\0\0\x14ftypheic\0\0\0\0'));
    expect([heic, takenName('a.b.jpg', heic)]).toEqual(['image/heic', 'a.b.heic']);
  });

  it('makes no name too long by another extension', () => {
    const name = takenName(`${'x'.repeat(251)}.jpg`, 'image/webp');
    expect(name).toBe(`${'x'.repeat(250)}.webp`);
  });

  it('takes a name without the blanks around it', () => {
    expect(typeOf('Bericht.pdf ', bytes('%PDF-1.4'))).toBe('application/pdf');
    expect(takenName(' Bericht.pdf ', 'application/pdf')).toBe('Bericht.pdf');
    expect(takenName('Bericht.JPEG', 'image/jpeg')).toBe('Bericht.JPEG');
  });

  it('takes a text that speaks of PDF', () => {
    expect(typeOf('a.txt', bytes('It begins with %PDF-1.7'))).toBe('text/plain');
  });

  it('takes a file without an extension by its content', () => {
    expect(typeOf('scan', bytes('%PDF-1.4'))).toBe('application/pdf');
  });

  it.each([
    ['a.exe', 'MZ', 'file_type_not_allowed'],
    ['a.txt', '%PDF-1.4', 'file_type_mismatch'],
    ['a.csv', 'PK\x03\x04 a workbook', 'file_type_mismatch'],
    ['a.csv', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 XLS', 'file_type_mismatch'],
    ['a.txt', '\xff\xd8\xff\xe0', 'file_type_mismatch'],
    ['noname', 'text', 'file_type_not_allowed'],
    ['.pdf', 'text', 'file_type_not_allowed'],
    ['a.pdf', '\xff\xd8\xff\xe0', 'file_type_mismatch'],
    ['a.docx', 'PK\x03\x04 only a zip PK\x05\x06', 'file_type_mismatch'],
    ['a.docx', 'PK\x03\x04 without its end', 'file_damaged'],
    ['a.eml', 'no header', 'file_type_mismatch'],
    ['a.xlsx', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 encrypted', 'office_protected'],
    ['a.docx', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 encrypted', 'office_protected'],
    ['a.pdf', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 encrypted', 'file_type_mismatch'],
    ['Schreiben.doc', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'file_kind'],
    ['Offerte.odt', 'PK\x03\x04', 'file_kind'],
    ['Liste.xls', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'file_kind'],
    ['Mail.msg', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'file_kind'],
    ['winmail.dat', '\x78\x9f\x3e\x22', 'file_kind'],
    ['Winmail (1).dat', '\x78\x9f\x3e\x22', 'file_kind'],
    ['SF-2026-000045 winmail.dat', '\x78\x9f\x3e\x22', 'file_kind'],
    ['IMG_0001.MOV', '\0\0\0\x14ftypqt  ', 'file_kind'],
    ['Bericht.lnk', 'L\0\0\0', 'file_kind'],
    ['.Gutachten.pdf.icloud', 'bplist00', 'file_kind'],
    ['Bericht.pdf.crdownload', '%PDF-1.4', 'file_kind'],
    ['Bericht.pdf (1)', '%PDF-1.4', 'file_kind'],
    ['IMG_0001.jpe', '\xff\xd8\xff\xe0', 'file_kind'],
    ['12345.emlx', '1234\nFrom: a@example.ch\n', 'file_kind'],
    ['12345.partial.emlx', '1234\nFrom: a@example.ch\n', 'file_kind'],
    ['Posteingang.mbox', 'From a@example.ch Mon Mar  2 08:00:00 2026\n', 'file_kind'],
    ['IMG_0001.dng', 'II*\0', 'file_type_not_allowed'],
    ['Folien.pptx', 'PK\x03\x04', 'file_type_not_allowed'],
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
        expect(() => refusalOf(() => typeOf(fileName, content))).not.toThrow();
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

test.each(['mbox', 'gt-from', 'bom', 'blank', 'crlf'])(
  'a mail as programs save it is one: %s',
  (kind) => {
    const path = join(import.meta.dirname, `../../support/fixtures/eml-${kind}.eml`);
    expect(typeOf(`${kind}.eml`, new Uint8Array(readFileSync(path)))).toBe('message/rfc822');
  },
);

test('a text without a field is no mail', () => {
  expect(() => typeOf('a.eml', bytes('From here on\nnothing more\n'))).toThrow(DeskError);
});

it.each([
  ['Hagel, Zürich', 'text/plain'],
  ['a\tb\v\f\r\n', 'text/plain'],
  ['the end\x1a', 'text/plain'],
  ['\x1b[1mbold', 'text/plain'],
  ['a\x08b', null],
  ['a\x0eb', null],
  ['a\x19b', null],
  ['a\x1cb', null],
  ['a\0b', null],
])('%j is text by its bytes: %s', (content, type) => {
  expect(typeByContent(new TextEncoder().encode(content))).toBe(type);
});
