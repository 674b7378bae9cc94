import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSystemFile, safeFileName, utf8Length } from '#shared/lib/safe-file-name.ts';

describe('safeFileName', () => {
  it.each([
    ['Gutachten Zürich.pdf', 'Gutachten Zürich.pdf'],
    ['../../etc/passwd', '__.._etc_passwd'],
    ['C:\\x.pdf', 'C__x.pdf'],
    ['..', '_'],
    ['', '_'],
    ['CON.pdf', '_CON.pdf'],
    ['com¹.txt', '_com¹.txt'],
    ['CONOUT$', '_CONOUT$'],
    ['NUL', '_NUL'],
    ['.bashrc', '_bashrc'],
    ['-rf', '_rf'],
    ['a-b.pdf', 'a-b.pdf'],
    ['a.pdf:stream', 'a.pdf_stream'],
    ['report.pdf. . ', 'report.pdf'],
    ['\u0000', '_'],
    ['Gutachten\u202Efdp.exe', 'Gutachten_fdp.exe'],
    ['a\u2067b\u200F\u2028.pdf', 'a_b__.pdf'],
    ['a. ', 'a'],
    [`${'ü'.repeat(250)}.pdf`, `${'ü'.repeat(98)}.pdf`],
    [`${'ab. '.repeat(60)}.docx`, `${'ab. '.repeat(48)}ab.docx`],
    [`a.${'x'.repeat(300)}`, `a.${'x'.repeat(198)}`],
  ])('%j: %j', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it('never leaves the folder, whatever a server calls a file', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const safe = safeFileName(name);
        expect(basename(join('/folder', safe))).toBe(safe);
        expect(safe).not.toBe('');
        expect(safe).not.toMatch(/^[-.]|[/\\\0]/);
        expect(Buffer.byteLength(safe)).toBeLessThan(210);
      }),
    );
  });
});

it('property: the length in UTF-8 is that of the bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(utf8Length(text.toWellFormed())).toBe(Buffer.byteLength(text));
    }),
  );
  // The first and the last of each length.
  for (const code of [0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff]) {
    const character = String.fromCodePoint(code);
    expect(utf8Length(character)).toBe(Buffer.byteLength(character));
  }
});

it.each([
  ['.DS_Store', true],
  ['Thumbs.db', true],
  ['ehthumbs.db', true],
  ['~$Bericht.docx', true],
  ['desktop.ini', true],
  ['__MACOSX/Foto.jpg', true],
  ['Fall/.git/Foto.jpg', true],
  ['System Volume Information/x.jpg', true],
  ['Fall/Foto.jpg', false],
  ['Fall/thumbs.db.jpg', false],
  ['Fall~$/Bericht.docx', false],
])('%s is left behind by a system: %s', (path, is) => {
  expect(isSystemFile(path)).toBe(is);
});
