import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeFileName } from '#shared/lib/safe-file-name.ts';

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
